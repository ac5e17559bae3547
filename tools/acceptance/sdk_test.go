package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/tools/acceptance/programtest"
)

// sdk is a client library for merchants.
type sdk struct {
	name, command string
	library       string // the file or folder that a program loads, from the root of the repository
	ending        string // the extension of its programs
}

var sdks = []sdk{
	{"PHP", "php", "sdk/php/autoload.php", "php"},
	{"TypeScript", "node", "sdk/typescript/dist/index.js", "mjs"},
	{"Python", "python3", "sdk/python", "py"},
	{"Python, asyncio", "python3", "sdk/python", "async.py"},
	{"Go", "go", "sdk/go/go.mod", "go"},
}

// run runs a program of testdata/sdk to its end, with a merchant's credentials, and returns its
// output.
func (k sdk) run(t *testing.T, base string, who shop, env []string, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*patience) // a thousand creates take many waits
	defer cancel()
	command := append(k.program(t, program), args...)
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(credentials(base, who), append(env, "SDK="+inRepository(t, k.library), noBytecode)...)
	var complaints bytes.Buffer
	c.Stderr = &complaints
	printed, err := c.Output()
	if err != nil {
		t.Fatalf("%s with the SDK for %s: %v\n%s%s", program, k.name, err, printed, complaints.String())
	}
	return string(printed)
}

// noBytecode keeps Python from writing what it compiles next to the sources.
const noBytecode = "PYTHONDONTWRITEBYTECODE=1"

// program is the command that runs a program of testdata/sdk; those in Go are built once.
func (k sdk) program(t *testing.T, name string) []string {
	t.Helper()
	if k.command == "go" {
		return []string{programtest.Merchant(t, "testdata/sdk/go", name)}
	}
	return []string{k.command, "testdata/sdk/" + name + "." + k.ending}
}

// credentials are the variables by which programs of merchants reach the API.
func credentials(base string, who shop) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "DAFTAR_API_URL=" + base, "DAFTAR_API_KEY=" + who.key,
		"DAFTAR_ACCESS_TOKEN=" + who.token, "DAFTAR_WEBHOOK_SECRET=" + who.secret,
	}
}

// inRepository returns the absolute path of a file that must exist.
func inRepository(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs("../../" + name)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("%v (make sdk builds it)", err)
	}
	return path
}

// Each class of the SDK for PHP is where composer.json and PSR-4 require it, and where
// autoload.php, for projects without Composer, finds it.
func TestPHPClassesAreWhereAutoloadersLook(t *testing.T) {
	t.Parallel()
	var composer struct {
		Autoload map[string]map[string]string
	}
	if err := json.Unmarshal([]byte(read(t, "../../sdk/php/composer.json")), &composer); err != nil {
		t.Fatal(err)
	}
	diff := cmp.Diff(map[string]map[string]string{"psr-4": {`Daftar\`: "src/"}}, composer.Autoload)
	if diff != "" {
		t.Errorf("composer.json (-want +got):\n%s", diff)
	}
	root := inRepository(t, "sdk/php/src")
	declaration := regexp.MustCompile(`(?s)\nnamespace ([\w\\]+);\n.*?\n` +
		`(?:abstract |final |readonly )*(?:class|enum) (\w+)`)
	var classes []string
	err := filepath.WalkDir(root, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found := declaration.FindStringSubmatch(read(t, file))
		if found == nil {
			t.Errorf("%s declares no class", file)
			return nil
		}
		classes = append(classes, found[1]+`\`+found[2])
		folder := strings.ReplaceAll(strings.TrimPrefix(found[1]+`\`, `Daftar\`), `\`, "/")
		if want := filepath.Join(root, folder, found[2]+".php"); want != file {
			t.Errorf("%s is in %s, and looked for in %s", found[2], file, want)
		}
		return nil
	})
	if err != nil || len(classes) < 15 {
		t.Fatalf("%d classes, %v", len(classes), err)
	}
	program := `require $argv[1];
		foreach (array_slice($argv, 2) as $c) if (!class_exists($c)) echo "there is no $c\n";`
	args := append([]string{"-r", program, "--", inRepository(t, "sdk/php/autoload.php")}, classes...)
	out, err := exec.CommandContext(t.Context(), "php", args...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("autoload.php: %v\n%s", err, out)
	}
}

const contract = `first: replayed false, differs [], requires_payment_method, 5000, customer-77,` +
	` {"branch":"طرابلس"}
again: replayed true, differs []
other: replayed true, differs ["amount","description"], 5000
retrieved: the same
listed: 2 and more, listed-3 listed-2 listed-1
expired: canceled, canceled
events: 1 payment_intent.created 5000, 2 payment_intent.canceled stopped
filter: Validation 422 The limit must be an integer from 1 to 100. limit, with request id
expire: NotFound 404 Not found., with request id
events of others: Permission 403 This payment intent belongs to another application., with request id
refund: replayed false, differs [], pending, 1500 LYD, برد, null
refund again: replayed true, differs []
refund elsewhere: replayed true, differs ["payment_intent","amount"], the first
refunds: refund-1, refund-1
refund too much: Validation 422 The amount is more than the 3500 (3.500 LYD) that is left of this payment.` +
	` amount, with request id
refund unpaid: Conflict 409 This payment intent is not paid., with request id
refund of others: Permission 403 This payment intent belongs to another application., with request id
no refund: NotFound 404 Not found., with request id
no uuid of a refund: argument
unknown: NotFound 404 Not found., with request id
others: Permission 403 This payment intent belongs to another application., with request id
key: Authentication 401 Invalid API key or inactive application., with request id
token: Authentication 401 Unauthenticated., with request id
fields: Validation 422 The amount must be at least 1000 (1.000 LYD). (and 1 more error)` +
	` amount metadata.k, with request id
no uuid: argument
no address: argument
line end: argument
nobody: Connection, with request id
redirect: Api 307 The service answered 307., with request id
`

// All SDKs report the same results of the real server, each in its language: new intents, replayed
// and different ones, and each error by its type.
func TestSDKs(t *testing.T) {
	t.Parallel()
	s := newSandboxed(t)
	s.startAcquirer(t)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed, with %v", r.Header)
	}))
	t.Cleanup(elsewhere.Close)
	var ran, redirected atomic.Int64
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		redirected.Add(1)
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(gateway.Close)
	other := s.service.ask(t, newShop(t, s.env), http.MethodPost, "/payment-intents", order("of another"))
	for _, k := range sdks {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			ran.Add(1)
			who := newShop(t, s.env).refunding(t, s.env)
			got := k.run(t, s.service.base, who, []string{
				"OTHERS=" + other.data.UUID, "PAID=" + s.payOrders(t, who, 1, 5000)[0],
				"NOWHERE=http://127.0.0.1:1", "REDIRECT=" + gateway.URL,
			}, "contract")
			if diff := cmp.Diff(strings.Split(contract, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("the SDK for %s (-want +got):\n%s", k.name, diff)
			}
		})
	}
	t.Cleanup(func() {
		if redirected.Load() != ran.Load() {
			t.Errorf("%d requests were redirected, of %d SDKs", redirected.Load(), ran.Load())
		}
	})
}
