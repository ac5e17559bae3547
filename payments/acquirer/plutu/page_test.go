package plutu_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/plutu"
)

// openPage begins a payment that has a page and returns the page's address.
func (w *world) openPage(p acquirer.Payment) string {
	w.t.Helper()
	begun, err := w.account.Begin(w.t.Context(), p)
	page, ok := begun.(acquirer.Redirected)
	if err != nil || !ok {
		w.t.Fatalf("Begin = %+v, %v, want a page", begun, err)
	}
	return page.URL
}

// press presses a button and returns the address that the payer is sent back to.
func (w *world) press(page, button string) *url.URL {
	w.t.Helper()
	client := http.Client{
		Transport:     w.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.PostForm(page, url.Values{"action": {button}})
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	back, err := res.Location()
	if err != nil || res.StatusCode != http.StatusSeeOther {
		w.t.Fatalf("pressing %s: status %d, %v", button, res.StatusCode, err)
	}
	return back
}

// back is the message that the payer's browser brings.
func back(to *url.URL) acquirer.Message {
	return acquirer.Message{Returned: true, Query: to.RawQuery, Header: http.Header{}}
}

// wantProof checks the proof of a message; without one, state is "".
func (w *world) wantProof(p acquirer.Payment, m acquirer.Message, state acquirer.State) {
	w.t.Helper()
	notice, err := w.account.ParseNotification(m)
	if err != nil || notice.Reference != p.Reference || notice.Reply != "" {
		w.t.Fatalf("ParseNotification = %+v, %v", notice, err)
	}
	if state == "" {
		if notice.Proof != nil {
			w.t.Errorf("a hint proves %+v", notice.Proof)
		}
		return
	}
	if notice.Proof == nil {
		w.t.Fatalf("the message proves nothing, want %s", state)
	}
	got := *notice.Proof
	paid := state == acquirer.StatePaid
	if (got.ProviderReference != "") != paid {
		w.t.Errorf("provider reference %q of a payment that is %s", got.ProviderReference, state)
	}
	got.ProviderReference = ""
	want := acquirer.Report{State: state, Reference: p.Reference, Money: p.Money}
	if !paid {
		want.Reason = acquirer.Abandoned
	}
	if got.State != want.State || got.Reference != want.Reference || got.Money != want.Money ||
		got.Reason != want.Reason {
		w.t.Errorf("proof %+v, want %+v", got, want)
	}
}

func TestACardPaymentComesBackWithItsProof(t *testing.T) {
	t.Parallel()
	for button, state := range map[string]acquirer.State{
		"pay": acquirer.StatePaid, "decline": "", "leave": acquirer.StateDeclined,
	} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.payment(plutu.Cards, "")
			p.ReturnURL = "https://pay.example/back?ours=1&t=%D8%B4"
			to := w.press(w.openPage(p), button)
			if !strings.HasPrefix(to.String(), p.ReturnURL+"&gateway=localbankcards&") {
				t.Errorf("the payer goes to %s", to)
			}
			w.wantProof(p, back(to), state)
			taken := 0
			if state == acquirer.StatePaid {
				taken = 1
			}
			w.wantTaken(p.Reference, taken, 12_500)
		})
	}
}

func TestTLyncPostsItsProof(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment(plutu.TLync, "2345678")
	to := w.press(w.openPage(p), "pay")
	w.wantProof(p, w.inbox.Next(), acquirer.StatePaid)
	// The way back does not cover the amount: it proves nothing.
	w.wantProof(p, back(to), "")
	with := back(to)
	with.Query += "&amount=12.50"
	w.wantForged("an amount that is not signed", with)
	w.wantTaken(p.Reference, 1, 12_500)
}

func TestTLyncWithoutPayment(t *testing.T) {
	t.Parallel()
	for button, state := range map[string]acquirer.State{"decline": "", "leave": acquirer.StateDeclined} {
		w := newWorld(t)
		p := w.payment(plutu.TLync, "2345678")
		w.wantProof(p, back(w.press(w.openPage(p), button)), "")
		w.wantProof(p, w.inbox.Next(), state)
		w.wantTaken(p.Reference, 0, 0)
	}
}

func TestNumbersOfTLync(t *testing.T) {
	t.Parallel()
	for tail, want := range map[string][]bool{ // whether each message is genuine
		"0000021": nil, "0000022": {true, true}, "0000023": {false, false, false, true},
	} {
		w := newWorld(t)
		p := w.payment(plutu.TLync, tail)
		w.press(w.openPage(p), "pay")
		for _, genuine := range want {
			if m := w.inbox.Next(); genuine {
				w.wantProof(p, m, acquirer.StatePaid)
			} else {
				w.wantForged(tail, m)
			}
		}
		if tail == "0000021" { // a message comes only on request, much later
			w.Control("/control/messages", `{"reference":"`+p.Reference+`","kind":"paid"}`, nil)
			w.wantProof(p, w.inbox.Next(), acquirer.StatePaid)
		}
		w.wantTaken(p.Reference, 1, 12_500)
	}
}

func TestThePageIsInTwoLanguages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.payment(plutu.Cards, "")
	page := w.openPage(p)
	for query, words := range map[string][]string{
		"":         {`lang="ar" dir="rtl"`, "ادفع", "غادر دون دفع", p.Reference, "12.50"},
		"?lang=en": {`lang="en" dir="ltr"`, "Decline the payment", "Leave without paying", p.Reference, "12.50"},
	} {
		res, err := w.Client().Get(page + query)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("status %d, %v", res.StatusCode, err)
		}
		for _, word := range words {
			if !strings.Contains(string(text), word) {
				t.Errorf("%q: the page lacks %q", query, word)
			}
		}
		if strings.Contains(string(text), "<script") {
			t.Error("the page has a script")
		}
	}
}
