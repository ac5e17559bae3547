package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// codeSamples are the programs of docs/samples in one language.
type codeSamples struct {
	name   string
	ending string
	env    []string
	// prepare compiles them all, and returns how one is run by the name of its operation.
	prepare func(t *testing.T, files []string) func(operation string) []string
}

var allCodeSamples = []codeSamples{
	{"curl", "sh", nil, interpretedBy("bash", "-eu")},
	{"PHP", "php", nil, interpretedBy("php")},
	{"TypeScript", "ts", nil, compiledByTypeScript},
	{
		"Python", "py", []string{"PYTHONPATH=../../sdk/python", noBytecode},
		interpretedBy("python3"),
	},
	{"Go", "go", nil, builtByGo},
}

func interpretedBy(command ...string) func(*testing.T, []string) func(string) []string {
	return func(_ *testing.T, files []string) func(string) []string {
		return func(operation string) []string {
			return append(command, filepath.Dir(files[0])+"/"+operation+filepath.Ext(files[0]))
		}
	}
}

// compiledByTypeScript compiles the files as a shop does that has installed the SDK.
func compiledByTypeScript(t *testing.T, files []string) func(string) []string {
	t.Helper()
	dir := t.TempDir()
	modules := inRepository(t, "sdk/typescript/node_modules")
	for name, target := range map[string]string{
		"@daftar/sdk": inRepository(t, "sdk/typescript"), "@types": filepath.Join(modules, "@types"),
	} {
		path := filepath.Join(dir, "node_modules", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	arguments := []string{"--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext"}
	for _, file := range files {
		arguments = append(arguments, write(t, dir, filepath.Base(file), read(t, file)))
	}
	write(t, dir, "package.json", `{"type":"module"}`)
	build(t, dir, filepath.Join(modules, ".bin", "tsc"), arguments...)
	return func(operation string) []string { return []string{"node", filepath.Join(dir, operation+".js")} }
}

// builtByGo builds the files in one go: each is a program, and so has a folder.
func builtByGo(t *testing.T, files []string) func(string) []string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files {
		program, ignored := strings.CutPrefix(read(t, file), "//go:build ignore\n")
		if !ignored {
			t.Errorf("%s and its neighbours are one package, with several main", file)
		}
		name := filepath.Base(file)
		folder := filepath.Join(dir, strings.TrimSuffix(name, ".go"))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, folder, name, program)
	}
	module := read(t, filepath.Join(filepath.Dir(files[0]), "go.mod"))
	write(t, dir, "go.mod", strings.Replace(module, "../../sdk/go", inRepository(t, "sdk/go"), 1))
	build(t, dir, "go", "build", "-o", "bin/", "./...")
	return func(operation string) []string { return []string{filepath.Join(dir, "bin", operation)} }
}

// build runs a compiler, without a network.
func build(t *testing.T, dir, command string, arguments ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), command, arguments...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// codeCall is a call of a sample.
type codeCall struct {
	operation, argument string
	prints              string // all of its output, as a regular expression
	answer              string // a part of the JSON that curl prints, too
}

// The samples of the reference do what they show, with each of the SDKs, as the operation with
// which they share their name. That none is missing, the generator of the reference checks.
func TestCodeSamples(t *testing.T) {
	t.Parallel()
	s := newSandboxed(t)
	s.startAcquirer(t)
	for _, language := range allCodeSamples {
		t.Run(language.name, func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob("../../docs/samples/*." + language.ending)
			if err != nil || len(files) == 0 {
				t.Fatalf("%d samples: %v", len(files), err)
			}
			s.runCodeSamples(t, language, len(files), language.prepare(t, files))
		})
	}
}

func (s *sandboxed) runCodeSamples(t *testing.T, of codeSamples, number int, program func(string) []string) {
	t.Helper()
	who := newShop(t, s.env).refunding(t, s.env)
	paid := s.payOrders(t, who, 1, 5000)[0]
	var page struct{ Next string }
	answered := s.service.ask(t, who, http.MethodGet, "/webhook-deliveries", "").body
	if err := json.Unmarshal([]byte(answered), &page); err != nil {
		t.Fatal(err)
	}
	check := func(c codeCall) string {
		t.Helper()
		number--
		command := append(program(c.operation), c.argument)
		got := runCodeSample(t, append(credentials(s.service.base, who), of.env...), command)
		want := `^(?:` + c.prints + `)$`
		if of.ending == "sh" && c.answer != "" {
			want = c.answer
		}
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s.%s prints %s, not %s", c.operation, of.ending, got, want)
		}
		return got
	}
	const status = `(?:pending|succeeded)`
	checkout := regexp.MustCompile(`/pay/([0-9a-f-]{36})/`)

	check(codeCall{"describe", "", `(?s)openapi: 3\.1\.0\n.*`, ""})
	created := checkout.FindStringSubmatch(check(codeCall{"createPaymentIntent", "",
		`https?://\S+/pay/[0-9a-f-]{36}/\w+`, `"merchant_reference":"order-1001"`}))
	if created == nil {
		t.Fatal("nobody can pay what was created")
	}
	uuid := created[1]
	check(codeCall{"listWebhookDeliveries", page.Next, `payment_intent\.created`,
		`"type":"payment_intent\.created"`})
	check(codeCall{"retrievePaymentIntent", uuid, `requires_payment_method`,
		`"status":"requires_payment_method"`})
	check(codeCall{"expirePaymentIntent", uuid, `canceled`, `"status":"canceled"`})
	check(codeCall{"listPaymentIntentEvents", uuid, `1 payment_intent\.created\n2 payment_intent\.canceled`,
		`"type":"payment_intent\.canceled"`})
	check(codeCall{"listPaymentIntents", "", `paid-0`, `"merchant_reference":"paid-0"`})
	check(codeCall{"createRefund", paid, `pending`, `"refund_reference":"order-1001\.refund-1"`})
	check(codeCall{"listRefunds", paid, `1500 ` + status, `"amount":1500`})
	var refunds struct{ Data []struct{ UUID string } }
	answered = s.service.ask(t, who, http.MethodGet, "/payment-intents/"+paid+"/refunds", "").body
	if err := json.Unmarshal([]byte(answered), &refunds); err != nil || len(refunds.Data) != 1 {
		t.Fatalf("%v: %s", err, answered)
	}
	check(codeCall{"retrieveRefund", refunds.Data[0].UUID, status, `"status":"` + status})
	check(codeCall{"retrieveBookBalance", "", `(?s)assets:due:sandbox (?:5000|3500)\n.*income:sales -5000.*`,
		`"account":"income:sales","acquirer":"sandbox","balance":-5000`})
	check(codeCall{"listBookEntries", "", `(?s)sale assets:due:sandbox 5000\nsale income:sales -5000.*`,
		`"kind":"sale","acquirer":"sandbox"`})
	if number != 0 {
		t.Errorf("%d samples were not run", number)
	}
}

// runCodeSample runs a program in a folder as deep as docs/samples, and returns its output.
func runCodeSample(t *testing.T, env, command []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = env
	var complaints bytes.Buffer
	c.Stderr = &complaints
	printed, err := c.Output()
	if err != nil {
		t.Errorf("%v: %v\n%s", command, err, complaints.String())
	}
	return strings.TrimSpace(string(printed))
}
