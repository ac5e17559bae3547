//go:build long

package openapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/docs/npmtest"
)

// generate makes a client from a document and compiles the merchant's program with it. It returns
// the program's folder, or the compiler's output.
func generate(t *testing.T, described []byte) (tools *npmtest.Tools, complaints string) {
	t.Helper()
	tools = npmtest.Open(t, thirdParty)
	in := func(name string) string { return filepath.Join(tools.Work, name) }
	program, err := os.ReadFile(tools.Path("merchant.mts"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"openapi.yaml": described, "merchant.mts": program, "package.json": []byte(`{"type":"module"}`),
	} {
		if err := os.WriteFile(in(name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(tools.Path("node_modules"), in("node_modules")); err != nil {
		t.Fatal(err)
	}
	if made := tools.Run("openapi-typescript", "openapi.yaml", "--output", "schema.ts"); made.Exit != 0 {
		t.Fatalf("openapi-typescript: exit %d\n%s%s", made.Exit, made.Output, made.Errors)
	}
	compiled := tools.Run("tsc", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "nodenext",
		"--types", "node", "--skipLibCheck",
		"--noEmitOnError", "--allowSyntheticDefaultImports", "merchant.mts")
	if compiled.Exit != 0 {
		return tools, compiled.Output + compiled.Errors
	}
	return tools, ""
}

// A generated client of openapi.yaml, and a program that uses it, do what a merchant does.
func TestLongGeneratedClient(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	w := observe(t, s, nil)
	tools, complaints := generate(t, document(t))
	if complaints != "" {
		t.Fatal(complaints)
	}
	env := []string{
		"BASE_URL=" + w.server.URL + httpapi.Prefix, "ACCESS_TOKEN=" + s.merchant.token,
		"API_KEY=" + s.merchant.apiKey,
	}
	ran := tools.RunNode(env, "merchant.mjs")
	if ran.Exit != 0 {
		t.Fatalf("exit %d\n%s%s", ran.Exit, ran.Output, ran.Errors)
	}
	var told struct {
		UUID        string
		CheckoutURL string `json:"checkout_url"`
		Webhook     string
	}
	if err := json.Unmarshal([]byte(ran.Output), &told); err != nil {
		t.Fatal(err)
	}
	status, stored := w.send(t, s.merchant, "GET", intents+"/"+told.UUID, "", nil)
	if status != 200 || !strings.Contains(stored, `"checkout_url":"`+told.CheckoutURL+`"`) ||
		!strings.Contains(stored, `"merchant_reference":"order-1001"`) {
		t.Errorf("the program got %+v, and the intent is %d %s", told, status, stored)
	}
	if !strings.HasPrefix(told.Webhook, "evt_") {
		t.Errorf("the webhook's id is %q", told.Webhook)
	}
	w.mustFindNothing(t)
}

// The compiler enforces the document: a program that relies on anything else does not compile.
func TestLongGeneratedClientIsTyped(t *testing.T) {
	t.Parallel()
	text := string(document(t))
	for _, change := range []struct{ of, by string }{
		{"        checkout_url:\n          type: string\n", "        checkout_link:\n          type: string\n"},
		{"enum: [requires_payment_method, processing, succeeded, canceled]",
			"enum: [requires_payment_method, processing, succeeded, canceled, refunded]"},
	} {
		if !strings.Contains(text, change.of) {
			t.Fatalf("openapi.yaml has no %q", change.of)
		}
		text = strings.Replace(text, change.of, change.by, 1)
	}
	_, complaints := generate(t, []byte(text))
	for _, name := range []string{"checkout_url", "refunded"} {
		if !strings.Contains(complaints, name) {
			t.Errorf("tsc does not see that %s is another: %q", name, complaints)
		}
	}
}
