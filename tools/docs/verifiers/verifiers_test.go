package verifiers_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const guide = "../../../docs/webhooks.md"

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is the only block of the guide in the given language.
func block(t *testing.T, language string) string {
	t.Helper()
	found := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(read(t, guide), -1)
	if len(found) != 1 {
		t.Fatalf("the guide has %d blocks of %s, want 1", len(found), language)
	}
	return found[0][1]
}

// request is the input of a verifier, with the expected result.
type request struct {
	Name      string   `json:"-"`
	Secret    string   `json:"secret"`
	Secrets   []string `json:"secrets"` // for verifiers that take several
	ID        string   `json:"id"`
	Timestamp string   `json:"timestamp"`
	Signature string   `json:"signature"`
	Body      []byte   `json:"body"` // base64 in JSON
	Now       int64    `json:"now"`
	Good      bool     `json:"-"`
}

// example is the guide's own example.
func example(t *testing.T) request {
	t.Helper()
	fields := map[string]string{}
	for line := range strings.Lines(block(t, "text")) {
		name, value, _ := strings.Cut(line, " ")
		fields[name] = strings.TrimSpace(value)
	}
	now, err := strconv.ParseInt(fields["webhook-timestamp"], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return request{
		Name: "the example", Secret: fields["secret"], ID: fields["webhook-id"],
		Timestamp: fields["webhook-timestamp"],
		Signature: fields["webhook-signature"], Body: []byte(fields["body"]), Now: now, Good: true,
	}
}

// sign returns the official library's signature of a request.
func sign(t *testing.T, r request) string {
	t.Helper()
	hook, err := standardwebhooks.NewWebhook(r.Secret)
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.ParseInt(r.Timestamp, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := hook.Sign(r.ID, time.Unix(seconds, 0), r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return signature
}

func TestExampleIsWhatTheOfficialLibrarySigns(t *testing.T) {
	t.Parallel()
	e := example(t)
	if got := sign(t, e); got != e.Signature {
		t.Errorf("the library signs %s, the guide has %s", got, e.Signature)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(e.Secret, "whsec_"))
	if err != nil || len(key) != 24 {
		t.Errorf("the key is %d bytes, %v", len(key), err)
	}
	if shown := strings.TrimSpace(block(t, "json")); shown != string(e.Body) {
		t.Errorf("the guide shows two bodies:\n%s\n%s", shown, e.Body)
	}
	var body struct {
		Type string         `json:"type"`
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal(e.Body, &body); err != nil || body.Type == "" {
		t.Fatalf("the body is %s, %v", e.Body, err)
	}
	if _, has := body.Data["status"]; has {
		t.Error("a webhook has no status")
	}
}

const otherSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// requests are valid ones and forgeries.
func requests(t *testing.T) []request {
	t.Helper()
	e := example(t)
	of := func(name string, good bool, change func(*request)) request {
		r := e
		r.Name, r.Good = name, good
		change(&r)
		return r
	}
	signed := func(name string, good bool, change func(*request)) request {
		r := of(name, good, change)
		r.Signature = sign(t, r)
		return r
	}
	other := signed("", false, func(r *request) { r.Secret = otherSecret }).Signature
	textKey := signed("", false, func(r *request) {
		r.Secret = "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.TrimPrefix(r.Secret, "whsec_")))
	}).Signature
	return []request{
		e,
		of("the second signature matches", true, func(r *request) { r.Signature = other + " " + r.Signature }),
		of("the first signature matches", true, func(r *request) { r.Signature += " " + other }),
		of("next to one of another version", true, func(r *request) { r.Signature = "v1a,AAAA " + r.Signature }),
		of("just young enough", true, func(r *request) { r.Now += 299 }),
		of("a clock that is slow", true, func(r *request) { r.Now -= 299 }),
		signed("a body in Arabic", true, func(r *request) {
			r.Body = []byte(`{"data":{"merchant_reference":"طلب ١٠٠١"}}`)
		}),
		signed("a body that is no text", true, func(r *request) { r.Body = []byte{0, 0xff, '\r', '\n', 0x80} }),
		signed("an empty body", true, func(r *request) { r.Body = []byte{} }),

		of("another body", false, func(r *request) {
			r.Body = bytes.Replace(r.Body, []byte("1001"), []byte("1002"), 1)
		}),
		of("a body written again", false, func(r *request) { r.Body = append(bytes.Clone(r.Body), '\n') }),
		of("another id", false, func(r *request) { r.ID = "evt_0" }),
		of("another timestamp", false, func(r *request) { r.Timestamp = strconv.FormatInt(r.Now+1, 10) }),
		of("too old", false, func(r *request) { r.Now += 301 }),
		of("from the future", false, func(r *request) { r.Now -= 301 }),
		of("no timestamp", false, func(r *request) { r.Timestamp = "" }),
		of("a timestamp that is no number", false, func(r *request) { r.Timestamp += "x" }),
		of("a huge timestamp", false, func(r *request) { r.Timestamp = strings.Repeat("9", 30) }),
		of("another secret", false, func(r *request) { r.Secret = otherSecret }),
		of("signed with the text of the secret", false, func(r *request) { r.Signature = textKey }),
		of("no signature", false, func(r *request) { r.Signature = "" }),
		of("no version", false, func(r *request) { r.Signature = strings.TrimPrefix(r.Signature, "v1,") }),
		of("another version", false, func(r *request) {
			r.Signature = "v1a" + strings.TrimPrefix(r.Signature, "v1")
		}),
		of("half a signature", false, func(r *request) { r.Signature = r.Signature[:len(r.Signature)/2] }),
		of("letters that are no ASCII", false, func(r *request) { r.Signature = "v1,توقيع" }),
		of("commas instead of spaces", false, func(r *request) { r.Signature = other + "," + r.Signature }),
	}
}

// verifier is a program that runs a verifier on requests from standard input, as JSON, and prints
// its result for each.
type verifier struct {
	name, command string
	arguments     []string
	files         map[string]string // its source
}

// verifiers are those of the guide, in each of its languages, and of the SDKs.
func verifiers(t *testing.T) []verifier {
	t.Helper()
	program := func(name string) string { return read(t, filepath.Join("testdata", name+".txt")) }
	sdk, err := filepath.Abs("../../../sdk")
	if err != nil {
		t.Fatal(err)
	}
	ofSDK := func(name string) string { return strings.Replace(program(name), "SDK/", sdk+"/", 1) }
	return []verifier{
		{"Go", "go", []string{"run", "."}, map[string]string{
			"verify.go": block(t, "go"), "main.go": program("main.go"), "go.mod": "module shop\n\ngo 1.21\n",
		}},
		{"Node", "node", []string{"main.js"}, map[string]string{
			"verify.js": block(t, "js"), "main.js": program("main.js"),
		}},
		{"Python", "python3", []string{"main.py"}, map[string]string{
			"verify.py": block(t, "python"), "main.py": program("main.py"),
		}},
		{"PHP", "php", []string{"main.php"},
			map[string]string{"verify.php": block(t, "php"), "main.php": program("main.php")}},
		{"SDK for PHP", "php", []string{"main.php"}, map[string]string{"main.php": ofSDK("sdk.php")}},
		{"SDK for TypeScript", "node", []string{"main.mjs"}, map[string]string{"main.mjs": ofSDK("sdk.mjs")}},
		{"SDK for Python", "python3", []string{"-B", "main.py"}, map[string]string{"main.py": ofSDK("sdk.py")}},
		{"SDK for Go", "go", []string{"run", "."}, map[string]string{
			"main.go": program("sdk.go"), "go.mod": "module shop\n\ngo 1.23\n\n" +
				"require daftar/sdk/go v0.0.0\n\nreplace daftar/sdk/go => " + sdk + "/go\n",
		}},
	}
}

func TestVerifiers(t *testing.T) {
	t.Parallel()
	all := requests(t)
	for n := range all {
		all[n].Secrets = []string{all[n].Secret}
	}
	// While a secret is being replaced, the SDKs get both.
	changing := example(t)
	changing.Name, changing.Secrets = "the second of two secrets", []string{otherSecret, changing.Secret}
	all = append(all, changing)
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verifiers(t) {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range v.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			command := exec.CommandContext(t.Context(), v.command, v.arguments...)
			command.Dir, command.Stdin = dir, bytes.NewReader(input)
			command.Env = append(os.Environ(), "GOWORK=off")
			var complaints bytes.Buffer
			command.Stderr = &complaints
			output, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, complaints.String())
			}
			var verdicts []bool
			if err := json.Unmarshal(output, &verdicts); err != nil || len(verdicts) != len(all) {
				t.Fatalf("%d verdicts on %d requests, %v: %s", len(verdicts), len(all), err, output)
			}
			for n, r := range all {
				if verdicts[n] != r.Good {
					t.Errorf("%s: %v, want %v", r.Name, verdicts[n], r.Good)
				}
			}
		})
	}
}
