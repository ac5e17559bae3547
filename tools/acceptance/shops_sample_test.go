package acceptance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// sample is a shop of examples/.
type sample struct {
	name     string
	programs func(t *testing.T, port string) [][]string // the commands in its README
	tally    func(t *testing.T, dir string) sampleTally
}

// sampleTally is what a shop has done.
type sampleTally struct {
	Fulfilled []string `json:"fulfilled"` // references, each as often as it was fulfilled
	Canceled  []string `json:"canceled"`
	Waiting   int      `json:"waiting"` // webhooks that are not processed yet
}

var samples = []sample{
	{"PHP", func(t *testing.T, port string) [][]string {
		t.Helper()
		index := inRepository(t, "examples/php/index.php")
		return [][]string{{"php", "-S", "127.0.0.1:" + port, index},
			{"php", inRepository(t, "examples/php/worker.php")}}
	}, tallyOf("php", "testdata/sdk/tally.php")},
	{"Node", func(t *testing.T, _ string) [][]string {
		t.Helper()
		inRepository(t, "examples/node/node_modules/@daftar/sdk/dist/index.js")
		return [][]string{{"node", inRepository(t, "examples/node/shop.mjs")}}
	}, tallyOfJournal},
	{"Python", func(t *testing.T, _ string) [][]string {
		t.Helper()
		return [][]string{{"python3", "-B", inRepository(t, "examples/python/shop.py")}}
	}, tallyOf("python3", "testdata/sdk/tally.py")},
	{"Go", func(t *testing.T, _ string) [][]string {
		t.Helper()
		return [][]string{{programtest.Merchant(t, "../../examples/go", "")}}
	}, tallyOfJournal},
}

// tallyOf has a program read the database of a shop.
func tallyOf(command, program string) func(*testing.T, string) sampleTally {
	return func(t *testing.T, dir string) (tally sampleTally) {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), command, program,
			filepath.Join(dir, "shop.sqlite")).Output()
		if err == nil {
			err = json.Unmarshal(out, &tally)
		}
		if err != nil {
			t.Fatalf("tally: %v: %s", err, out)
		}
		return tally
	}
}

func tallyOfJournal(t *testing.T, dir string) (tally sampleTally) {
	t.Helper()
	text := read(t, filepath.Join(dir, "shop.journal"))
	text = text[:strings.LastIndexByte(text, '\n')+1] // the rest of the line is being written
	state := map[string]string{}
	for line := range strings.Lines(text) {
		var entry struct{ Did, Reference string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("journal: %q: %v", line, err)
		}
		switch entry.Did {
		case "received":
			tally.Waiting++
		case "dealt":
			tally.Waiting--
		case "fulfilled":
			tally.Fulfilled = append(tally.Fulfilled, entry.Reference)
			state[entry.Reference] = entry.Did
		case "canceled":
			state[entry.Reference] = entry.Did
		}
	}
	for reference, is := range state {
		if is == "canceled" {
			tally.Canceled = append(tally.Canceled, reference)
		}
	}
	return tally
}

// sampleShop is a running shop, with its customers.
type sampleShop struct {
	sample

	t         *testing.T
	daftar    *sandboxed
	who       shop
	dir       string
	port      string
	way       *webhookRelay
	client    *http.Client
	customers atomic.Int64
	mu        sync.Mutex
	running   []*programtest.Program
}

func openSample(t *testing.T, daftar *sandboxed, kind sample) *sampleShop {
	t.Helper()
	_, port, _ := strings.Cut(address(t), ":")
	s := &sampleShop{
		sample: kind, t: t, daftar: daftar, who: newShop(t, daftar.env), dir: t.TempDir(), port: port,
	}
	s.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	s.way = newWebhookRelay(t, s.url(""))
	s.way.kill = s.kill
	answer[map[string]any](t, daftar.env, "app", "set-webhook-url", s.who.app, s.way.URL+"/webhooks")
	return s
}

func (s *sampleShop) url(path string) string { return "http://127.0.0.1:" + s.port + path }

// open starts the shop. It polls orders without a webhook after that many seconds.
func (s *sampleShop) open(reconcile string) {
	s.t.Helper()
	for _, command := range s.programs(s.t, s.port) {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = s.dir
		c.Env = append(credentials(s.daftar.service.base, s.who), "PORT="+s.port, "RECONCILE_SECONDS="+reconcile,
			"SHOP_DATABASE="+filepath.Join(s.dir, "shop.sqlite"), "SHOP_JOURNAL="+filepath.Join(s.dir, "shop.journal"))
		p := programtest.Start(s.t, c)
		s.mu.Lock()
		s.running = append(s.running, p)
		s.mu.Unlock()
	}
	pgtest.WaitFor(s.t, "the shop", func() bool {
		status, _, _ := s.ask(http.MethodGet, s.url("/"), nil)
		return status == http.StatusOK
	})
	s.way.open()
}

// kill ends the shop as a power failure does.
func (s *sampleShop) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.running {
		_ = p.Process.Signal(syscall.SIGKILL) // it may have ended
	}
}

// awaitEnd waits for the end of the killed processes.
func (s *sampleShop) awaitEnd() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.running {
		<-p.Done()
	}
	s.running = nil
}

// ask sends a request and does not follow redirects; status 0 if there is no answer. Each customer
// comes from a separate network.
func (s *sampleShop) ask(method, to string, form url.Values) (status int, body, location string) {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", ""
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	n := s.customers.Load()
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.1", n>>8&255, n&255))
	response, err := s.client.Do(request)
	if err != nil {
		return 0, "", ""
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, "", ""
	}
	return response.StatusCode, string(text), response.Header.Get("Location")
}

var buyForm = regexp.MustCompile(`name="reference" value="(order-[0-9a-f-]+)">` +
	`<input type="hidden" name="product" value="(coffee)"`)

// purchase is an order that a customer has placed.
type purchase struct{ reference, uuid, checkout string }

// choose opens the shop's page and fills in its form.
func (s *sampleShop) choose() (form url.Values) {
	s.t.Helper()
	pgtest.WaitFor(s.t, "the shop's page", func() bool {
		_, page, _ := s.ask(http.MethodGet, s.url("/"), nil)
		if found := buyForm.FindStringSubmatch(page); found != nil {
			form = url.Values{"reference": {found[1]}, "product": {found[2]}}
		}
		return form != nil
	})
	return form
}

// buy goes from the shop's page to the checkout. A customer who gets no answer sends the form
// again; another one clicks twice.
func (s *sampleShop) buy(as treatment) (p purchase) {
	form := s.choose()
	p.reference = form.Get("reference")
	s.way.treat(p.reference, as)
	if as == doubled {
		go s.ask(http.MethodPost, s.url("/orders"), form)
	}
	pgtest.WaitFor(s.t, "the way to the checkout", func() bool {
		var status int
		status, _, p.checkout = s.ask(http.MethodPost, s.url("/orders"), form)
		return status == http.StatusSeeOther
	})
	checkout, err := url.Parse(p.checkout)
	if err != nil {
		s.t.Errorf("the shop sends its customers to %q", p.checkout)
		return p
	}
	p.uuid = path.Base(path.Dir(checkout.Path))
	return p
}

// pay pays with a number whose last digit selects the sandbox's behaviour.
func (s *sampleShop) pay(p purchase, last int) {
	phone := fmt.Sprintf("096000%03d%d", s.customers.Add(1)%1000, last)
	for _, step := range []struct {
		path string
		form url.Values
	}{
		{"/attempts", url.Values{"method": {"wallet"}, "phone": {phone}}},
		{"/code", url.Values{"otp": {"111111"}}},
	} {
		status, body, _ := s.ask(http.MethodPost, p.checkout+step.path, step.form)
		if status != http.StatusSeeOther {
			s.t.Errorf("%s of %s: %d %s", step.path, p.reference, status, body)
		}
	}
}

// payLate makes the sandbox report that a declined payment was made after all.
func (s *sampleShop) payLate(p purchase) {
	s.t.Helper()
	var payments []struct{ ID string }
	s.daftar.fetch(s.t, s.daftar.sandbox+"/control/payments?intent="+p.uuid, &payments)
	if len(payments) != 1 {
		s.t.Fatalf("the sandbox has %d payments of %s", len(payments), p.reference)
	}
	response, err := http.Post(s.daftar.sandbox+"/control/payments/"+payments[0].ID+"/settle",
		"application/json", strings.NewReader(`{"outcome":"paid"}`))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("settle: %d", response.StatusCode)
	}
}
