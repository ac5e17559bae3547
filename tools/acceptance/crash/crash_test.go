package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"daftar/internal/failpoint"
	"daftar/internal/freeport"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

func TestMain(m *testing.M) {
	// httptest.Server.Close closes the idle connections of all tests; a request of another test
	// that is about to use one fails.
	http.DefaultTransport.(*http.Transport).DisableKeepAlives = true
	pgtest.Main(programtest.Around(m))
}

const (
	secretKey  = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
	bankSecret = "a secret between the two"
	slowClock  = "DAFTAR_CLOCK_OFFSET=-6m" // a server that creates intents that expire soon
)

// stage is a database, the sandbox's bank, and a program that can be crashed.
type stage struct {
	t           *testing.T
	db          *pgtest.DB
	env         []string
	bankAddress string
	org, hook   string
	key, token  string
}

// process is a running program, with the server's address.
type process struct {
	*programtest.Program

	address string
	began   time.Time
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, db: pgtest.Database(t), bankAddress: freeAddress(t)}
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "DAFTAR_DATABASE_URL=" + s.db.ServiceURL(),
		"DAFTAR_SECRET_KEY=" + secretKey, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		"DAFTAR_SANDBOX_URL=http://" + s.bankAddress, "DAFTAR_SANDBOX_SECRET=" + bankSecret,
	}
	s.start([]string{"DAFTAR_SANDBOX_LISTEN=" + s.bankAddress}, "sandbox-acquirer")
	pgtest.WaitFor(t, "the bank", func() bool {
		c, err := net.Dial("tcp", s.bankAddress)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(hook.Close)
	s.hook = hook.URL
	s.org = s.call("org", "create", "--name", "شركة")["organization"].(map[string]any)["uuid"].(string)
	s.token = s.call("token", "create", "--org", s.org, "--name", "server")["access_token"].(string)
	s.open()
	return s
}

// open creates an application with its own webhook endpoint, so that no test waits for the lease of
// a server that died.
func (s *stage) open() {
	s.t.Helper()
	app := s.call("app", "create", "--org", s.org, "--name", "متجر", "--webhook-url", s.hook)
	s.key = app["api_key"].(string)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := freeport.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// call runs a command to its end and parses its answer.
func (s *stage) call(args ...string) map[string]any {
	s.t.Helper()
	p := s.start(nil, append(args, "--json")...)
	<-p.Done()
	_, answer, _ := strings.Cut(p.Logged(), "{")
	var v map[string]any
	if err := json.Unmarshal([]byte("{"+answer), &v); err != nil {
		s.t.Fatalf("daftar %v: %v: %s", args, err, p.Logged())
	}
	return v
}

func (s *stage) start(extra []string, args ...string) *process {
	s.t.Helper()
	c := exec.Command(programtest.Failpoints(s.t), args...)
	c.Env = append(append([]string{}, s.env...), extra...)
	return &process{Program: programtest.Start(s.t, c), began: time.Now()}
}

// serve starts a server and waits until it is ready or dead.
func (s *stage) serve(extra ...string) *process {
	s.t.Helper()
	address, ops := freeAddress(s.t), freeAddress(s.t)
	extra = append(extra, "DAFTAR_RATE_LIMIT=off", "DAFTAR_LISTEN="+address, "DAFTAR_OPS_LISTEN="+ops)
	p := s.start(extra, "serve")
	p.address = address
	pgtest.WaitFor(s.t, "the server", func() bool {
		return p.Ended() || s.status(http.MethodGet, "http://"+ops+"/readyz", "", nil) == http.StatusOK
	})
	return p
}

func (s *stage) status(method, address, contentType string, body []byte) int {
	status, _ := s.ask(method, address, contentType, body)
	return status
}

// ask returns status 0 if there was no answer.
func (s *stage) ask(method, address, contentType string, body []byte) (status int, answer string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, ""
	}
	request.Header = http.Header{
		"X-Api-Key": {s.key}, "Authorization": {"Bearer " + s.token},
		"Content-Type": {contentType}, "Accept": {"*/*"},
	}
	response, err := http.DefaultTransport.RoundTrip(request) // redirects are not followed
	if err != nil {
		return 0, ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(text)
}

// create creates an intent; a zero expires is left out.
func (s *stage) create(p *process, reference string, expires time.Time) (status int, id, path string) {
	order := map[string]any{
		"merchant_reference": reference, "amount": 5000, "currency": "LYD", "description": "قهوة",
	}
	if !expires.IsZero() {
		order["expires_at"] = expires.UTC().Format(time.RFC3339Nano)
	}
	body, err := json.Marshal(order)
	if err != nil {
		s.t.Fatal(err)
	}
	status, answer := s.ask(http.MethodPost, "http://"+p.address+"/api/v1/payment-intents",
		"application/json", body)
	var created struct {
		Data struct {
			UUID        string `json:"uuid"`
			CheckoutURL string `json:"checkout_url"`
		} `json:"data"`
	}
	if status == http.StatusCreated || status == http.StatusOK {
		if err := json.Unmarshal([]byte(answer), &created); err != nil {
			s.t.Fatalf("%s: %v", answer, err)
		}
	}
	checkout, _ := url.Parse(created.Data.CheckoutURL)
	return status, created.Data.UUID, checkout.Path
}

// pay pays by wallet through the page.
func (s *stage) pay(p *process, path string) {
	form := func(step, fields string) {
		s.status(http.MethodPost, "http://"+p.address+path+step, "application/x-www-form-urlencoded",
			[]byte(fields))
	}
	form("/attempts", "method=wallet&phone=0912345678")
	form("/code", "otp=111111")
}

// wantKilledAt checks that SIGKILL ended the process at the point.
func wantKilledAt(t *testing.T, p *process, point string) {
	t.Helper()
	pgtest.WaitFor(t, "the crash at "+point, p.Ended)
	status, ok := p.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL ||
		!strings.Contains(p.Logged(), `"point":"`+point+`"`) {
		t.Errorf("ended with %v, not by SIGKILL at %s:\n%s", p.ProcessState, point, p.Logged())
	}
	t.Logf("%v: killed at %s", time.Since(p.began).Round(time.Millisecond), point)
}

// Each point kills the program when execution reaches it. After the crash the next process, with
// the next point, continues with the stored state.
func TestEveryPointKills(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	references := 0
	for _, point := range failpoint.Points {
		crash := "DAFTAR_CRASH_AT=" + point.Name
		part, _, _ := strings.Cut(point.Name, "_")
		references++
		reference := "at " + point.Name
		switch part {
		case "rebuild":
			p := s.start([]string{"DAFTAR_DATABASE_URL=" + s.db.URL(), crash}, "projections", "rebuild", "intents")
			wantKilledAt(t, p, point.Name)
			references--
			continue
		case "expiry":
			early := s.serve(slowClock)
			status, _, _ := s.create(early, reference, time.Now().Add(500*time.Millisecond))
			if status != http.StatusCreated {
				t.Fatalf("create of an intent that expires soon: %d", status)
			}
			early.Stop(t, syscall.SIGTERM)
			wantKilledAt(t, s.serve(crash), point.Name)
			continue
		}
		if part == "webhooks" {
			s.open()
		}
		p := s.serve(crash)
		status, _, path := s.create(p, reference, time.Time{})
		if status != 0 && part == "checkout" {
			s.pay(p, path)
		}
		wantKilledAt(t, p, point.Name)
		if status == 0 {
			p := s.serve()
			s.create(p, reference, time.Time{})
			p.Stop(t, syscall.SIGTERM)
		}
	}
	p := s.start([]string{"DAFTAR_DATABASE_URL=" + s.db.URL()}, "projections", "verify", "intents")
	<-p.Done()
	if p.ProcessState.ExitCode() != 0 {
		t.Errorf("intents does not equal its events: %s", p.Logged())
	}
	s.checkLedger(references)
}

// checkLedger checks that each reference has one intent, and that money was taken at most once for each.
func (s *stage) checkLedger(references int) {
	s.t.Helper()
	var intents, named int
	err := s.db.OwnerPool(s.t).QueryRow(s.t.Context(), `
		SELECT count(*), count(DISTINCT payload::json->>'merchant_reference')
		FROM events
		WHERE version = 1`).Scan(&intents, &named)
	if err != nil {
		s.t.Fatal(err)
	}
	if intents != references || named != references {
		s.t.Errorf("%d intents of %d references, want %d", intents, named, references)
	}
	_, books := s.ask(http.MethodGet, "http://"+s.bankAddress+"/control/ledger", "", nil)
	var taken []struct{ Intent string }
	if err := json.Unmarshal([]byte(books), &taken); err != nil {
		s.t.Fatal(err)
	}
	once := map[string]bool{}
	for _, x := range taken {
		if once[x.Intent] {
			s.t.Errorf("intent %s was charged twice", x.Intent)
		}
		once[x.Intent] = true
	}
	if len(once) == 0 {
		s.t.Error("the bank took nothing: the payers did not come by")
	}
}

// A create that was committed before its server was killed is found when the client repeats it; one
// that was not committed is created then. Either way there is one intent.
func TestACrashAroundTheCommitLeavesOneIntent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for point, want := range map[string]int{
		"append_before_send": http.StatusCreated, "append_after_commit": http.StatusOK,
	} {
		// The second time: the first batch of the server completes.
		p := s.serve("DAFTAR_CRASH_AT=" + point + ":2")
		if status, _, _ := s.create(p, "before "+point, time.Time{}); status != http.StatusCreated {
			t.Fatalf("%s: the first create was answered with %d", point, status)
		}
		if status, _, _ := s.create(p, "at "+point, time.Time{}); status != 0 {
			t.Errorf("%s: the server that is to die answers %d", point, status)
		}
		wantKilledAt(t, p, point)
		again := s.serve()
		status, id, _ := s.create(again, "at "+point, time.Time{})
		if status != want {
			t.Errorf("%s: repeated, it is answered with %d, want %d", point, status, want)
		}
		var events int
		err := s.db.OwnerPool(t).QueryRow(t.Context(), `
			SELECT count(*)
			FROM events
			WHERE payload::json->>'merchant_reference' = $1
			AND stream_id = $2::uuid`, "at "+point, id).Scan(&events)
		if err != nil {
			t.Fatal(err)
		}
		if events != 1 {
			t.Errorf("%s: the log has %d creations of it, want 1", point, events)
		}
		again.Stop(t, syscall.SIGTERM)
	}
}

// A point that does not exist, or whose count is never reached, is reported at once.
func TestAWrongPointEndsTheProgram(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, env: os.Environ()}
	for _, wrong := range []string{"append_nowhere", "append_before_send:0", "append_before_send:often", ":1"} {
		p := s.start([]string{"DAFTAR_CRASH_AT=" + wrong}, "version")
		<-p.Done()
		if code := p.ProcessState.ExitCode(); code != 2 || !strings.Contains(p.Logged(), "DAFTAR_CRASH_AT: ") {
			t.Errorf("%s: exit %d, %s", wrong, code, p.Logged())
		}
	}
}
