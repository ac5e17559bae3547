//go:build long

package openapi_test

import (
	"os"
	"path/filepath"
	"testing"

	"daftar/tools/docs/npmtest"
)

// A merchant's program in each kind of module that projects use: its file name, its package.json,
// and how the compiler resolves its imports.
var kindsOfProgram = []struct {
	name, file, of string
	arguments      []string
}{
	{"CommonJS, node10", "program.ts", "commonjs",
		[]string{"--module", "commonjs", "--moduleResolution", "node"}},
	{"CommonJS, node16", "program.ts", "commonjs", []string{"--module", "node16"}},
	{"CommonJS, nodenext", "program.cts", "module", []string{"--module", "nodenext"}},
	{"ESM, node16", "program.ts", "module", []string{"--module", "node16"}},
	{"ESM, nodenext", "program.mts", "commonjs", []string{"--module", "nodenext"}},
	{"bundler", "program.ts", "module", []string{"--module", "esnext", "--moduleResolution", "bundler"}},
}

// The SDK can be loaded and typed from every kind of module. It verifies webhooks with the headers
// of another fetch implementation, also on a machine without fetch.
func TestLongSDKForTypeScriptInEveryKindOfModule(t *testing.T) {
	t.Parallel()
	for _, kind := range kindsOfProgram {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			tools := npmtest.Open(t, thirdParty)
			in := func(name string) string { return filepath.Join(tools.Work, name) }
			write := func(name, text string) {
				t.Helper()
				if err := os.MkdirAll(filepath.Dir(in(name)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			read := func(name string) string {
				t.Helper()
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatalf("%v (make sdk builds it)", err)
				}
				return string(text)
			}
			// A copy, because npm installs no links to the SDK's own build tools.
			write("node_modules/@daftar/sdk/package.json", read(sdk+"package.json"))
			if err := os.CopyFS(in("node_modules/@daftar/sdk/dist"), os.DirFS(sdk+"dist")); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"undici", "node-fetch", "@types"} {
				if err := os.Symlink(tools.Path("node_modules/"+name), in("node_modules/"+name)); err != nil {
					t.Fatal(err)
				}
			}
			write("package.json", `{"type":"`+kind.of+`"}`)
			write(kind.file, read(tools.Path("webhook.mts")))
			arguments := append([]string{
				"--strict", "--target", "es2022", "--lib", "es2022", "--types", "node", "--esModuleInterop",
				"--noEmitOnError", "--outDir", "made", kind.file,
			}, kind.arguments...)
			if compiled := tools.Run("tsc", arguments...); compiled.Exit != 0 {
				t.Fatalf("tsc: exit %d\n%s%s", compiled.Exit, compiled.Output, compiled.Errors)
			}
			write("made/package.json", `{"type":"`+kind.of+`"}`)
			made, err := filepath.Glob(in("made/program.*js"))
			if err != nil || len(made) != 1 {
				t.Fatalf("compiled: %v, %v", made, err)
			}
			const want = "fetch, undici, node-fetch, node:http, Map, plain\n"
			if ran := tools.RunNode(nil, made[0]); ran.Exit != 0 || ran.Output != want {
				t.Errorf("exit %d, verified %q, want %q\n%s", ran.Exit, ran.Output, want, ran.Errors)
			}
		})
	}
}
