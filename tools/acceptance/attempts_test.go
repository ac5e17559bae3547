package acceptance_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
)

type attempts struct {
	Attempts []struct {
		ID        string     `json:"id"`
		Intent    string     `json:"intent"`
		Acquirer  string     `json:"acquirer"`
		Method    string     `json:"method"`
		State     string     `json:"state"`
		Stage     string     `json:"stage"`
		Since     time.Time  `json:"since"`
		Amount    int64      `json:"amount"`
		Currency  string     `json:"currency"`
		Payer     string     `json:"payer"`
		Trouble   string     `json:"trouble"`
		Asked     int        `json:"asked"`
		Next      *time.Time `json:"next_inquiry_at"`
		StartedAt time.Time  `json:"started_at"`
	} `json:"attempts"`
}

// hangingUp is a sandbox acquirer that drops every connection, so that every outcome stays unknown.
func hangingUp(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(s.Close)
	return s
}

// pay submits the form of the pay page.
func pay(t *testing.T, checkout string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	form := url.Values{"method": {"wallet"}, "phone": {"0912345678"}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, checkout+"/attempts",
		strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(body), `data-state="processing"`) {
		t.Fatalf("after the form: %d %s (%v)", response.StatusCode, body, err)
	}
}

// An operator sees an attempt with an unknown outcome and settles it; the auditor sees who did and
// why.
func TestAttemptsAreSettledByHand(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	s := serve(t, db.ServiceURL(), "DAFTAR_SANDBOX_URL="+hangingUp(t).URL,
		"DAFTAR_SANDBOX_SECRET="+sandboxSecret)
	intents := map[string]string{} // by outcome
	for _, outcome := range []string{"paid", "failed"} {
		r := s.ask(t, who, http.MethodPost, "/payment-intents", order(outcome)).data
		pay(t, r.CheckoutURL)
		intents[outcome] = r.UUID
	}

	number := func(args ...string) int {
		return len(answer[attempts](t, env, append([]string{"attempts", "list"}, args...)...).Attempts)
	}
	listed := answer[attempts](t, env, "attempts", "list").Attempts
	if len(listed) != 2 || number("--state", "closed") != 0 || number("--state", "all") != 2 {
		t.Fatalf("listed %+v", listed)
	}
	a, b := listed[0], listed[1]
	if a.Intent != intents["paid"] || b.Intent != intents["failed"] ||
		a.Acquirer != "sandbox" || a.Method != "wallet" || a.State != "unknown" || a.Stage != "beginning" ||
		a.Amount != 5000 || a.Currency != "LYD" || a.Payer != "091•••5678" || a.Next == nil ||
		a.StartedAt.IsZero() || a.Since.IsZero() {
		t.Errorf("listed %+v", a)
	}
	text := call(t, env, "attempts", "list")
	if !strings.Contains(text.out, a.ID) || !strings.Contains(text.out, "5.000 LYD") {
		t.Errorf("the list for people: %s%s", text.out, text.errors)
	}
	asked := answer[map[string]any](t, env, "attempts", "ask", a.ID)
	if asked["attempt"] != a.ID || asked["asked"] != true {
		t.Errorf("ask answers %v", asked)
	}

	const note = "كشف المصرف، اتصل الزبون من 0912345678"
	for id, outcome := range map[string]string{a.ID: "paid", b.ID: "failed"} {
		status := map[string]string{"paid": "succeeded", "failed": "requires_payment_method"}[outcome]
		want := map[string]any{
			"attempt": id, "intent": intents[outcome], "outcome": outcome, "status": status, "late": false,
			"duplicate": false,
		}
		for range 2 { // the second call changes nothing
			got := answer[map[string]any](t, env, "attempts", "settle", id,
				"--outcome", outcome, "--note", note)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("settle (-want +got):\n%s", diff)
			}
		}
		got := s.ask(t, who, http.MethodGet, "/payment-intents/"+intents[outcome], "").data.Status
		if got != status {
			t.Errorf("the API says %s, want %s", got, status)
		}
		wantNote(t, env, intents[outcome], "كشف المصرف، اتصل الزبون من 091•••5678")
	}
	if n := len(answer[attempts](t, env, "attempts", "list").Attempts); n != 0 {
		t.Errorf("%d attempts are still to be decided", n)
	}

	for args, code := range map[string]int{
		"settle " + a.ID + " --outcome failed --note mistake":       1,
		"settle 0123456789abcdefghjkmnpqrs --outcome paid --note x": 1,
		"ask 0123456789abcdefghjkmnpqrs":                            1,
		"settle " + a.ID + " --outcome maybe --note x":              2,
		"settle " + a.ID + " --outcome paid":                        2,
		"settle " + a.ID + " --outcome paid --note=":                2,
		"settle NOT-AN-ID --outcome paid --note x":                  2,
		"list --state lost":                                         2,
	} {
		r := call(t, env, append([]string{"attempts"}, strings.Fields(args)...)...)
		if r.code != code || r.errors == "" || r.out != "" {
			t.Errorf("daftar attempts %s: exit %d, want %d: %s%s", args, r.code, code, r.out, r.errors)
		}
	}
}

// wantNote reads the last event of an intent as an auditor.
func wantNote(t *testing.T, env []string, intent, want string) {
	t.Helper()
	type history struct {
		Events []struct {
			Type  string          `json:"type"`
			Actor string          `json:"actor"`
			Note  string          `json:"note"`
			Data  json.RawMessage `json:"data"`
		} `json:"events"`
	}
	events := answer[history](t, env, "events", "history", intent).Events
	last := events[len(events)-1]
	if last.Note != want || !strings.HasPrefix(last.Actor, "operator:") || last.Actor == "operator:" ||
		events[0].Note != "" {
		t.Errorf("the last event is by %q with the note %q, want %q", last.Actor, last.Note, want)
	}
	if text := call(t, env, "events", "history", intent); !strings.Contains(text.out, want) {
		t.Errorf("the history for people lacks the note: %s", text.out)
	}
}
