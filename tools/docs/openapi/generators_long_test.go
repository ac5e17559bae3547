//go:build long

package openapi_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/oapi-codegen/runtime" // what the generated client imports

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/docs/npmtest"
)

// From openapi.yaml, the generators that merchants use, with default settings, make clients that
// compile and work. docs/versioning.md names them and their versions; openapi-typescript is tested
// in TestLongGeneratedClient.

func TestLongClientByOAPICodegen(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	w := observe(t, s, nil)
	folder := t.TempDir()
	run := func(arguments ...string) []byte {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, "go", arguments...)
		c.Env = append(os.Environ(), "BASE_URL="+w.server.URL+httpapi.Prefix,
			"ACCESS_TOKEN="+s.merchant.token, "API_KEY="+s.merchant.apiKey)
		var complaints bytes.Buffer
		c.Stderr = &complaints
		said, err := c.Output()
		if err != nil || complaints.Len() > 0 && arguments[0] == "tool" {
			t.Fatalf("go %v: %v\n%s%s", arguments[:2], err, said, complaints.String())
		}
		return said
	}
	program, err := os.ReadFile("testdata/merchant.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	client, merchant := filepath.Join(folder, "client.go"), filepath.Join(folder, "merchant.go")
	for file, text := range map[string][]byte{
		client:   run("tool", "oapi-codegen", "-generate", "types,client", "-package", "main", documentFile),
		merchant: program,
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const want = "5000 طرابلس\n422 The amount must be at least 1000 (1.000 LYD).\n"
	if said := string(run("run", client, merchant)); said != want {
		t.Errorf("the program says %q, want %q", said, want)
	}
	w.mustFindNothing(t)
}

func TestLongClientByHeyAPI(t *testing.T) {
	t.Parallel()
	tools := npmtest.Open(t, thirdParty)
	in := func(name string) string { return filepath.Join(tools.Work, name) }
	program := []byte(`
		import { createPaymentIntent, type CreatePaymentIntent, type PaymentIntent } from "./client/index";
		const order: CreatePaymentIntent = {
			merchant_reference: "order-1", amount: 5000, currency: "LYD", description: "طلب",
			metadata: { branch: "طرابلس" } };
		const { data } = await createPaymentIntent({ body: order });
		const intent: PaymentIntent | undefined = data?.data;
		export const branch: string | undefined = intent?.metadata?.["branch"];
		export const paid: boolean = intent?.status === "succeeded";
	`)
	for name, text := range map[string][]byte{
		"openapi.yaml": document(t),
		"package.json": []byte(`{"type":"module"}`),
		"program.ts":   program,
	} {
		if err := os.WriteFile(in(name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(tools.Path("node_modules"), in("node_modules")); err != nil {
		t.Fatal(err)
	}
	if made := tools.Run("openapi-ts", "-i", "openapi.yaml", "-o", "client"); made.Exit != 0 {
		t.Fatalf("openapi-ts: exit %d\n%s%s", made.Exit, made.Output, made.Errors)
	}
	compiled := tools.Run("tsc", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable",
		"--module", "esnext", "--moduleResolution", "bundler",
		"--types", "node", "--skipLibCheck", "--noEmit", "program.ts")
	if compiled.Exit != 0 {
		t.Errorf("tsc: exit %d\n%s%s", compiled.Exit, compiled.Output, compiled.Errors)
	}
}
