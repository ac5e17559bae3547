package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/fake"
)

// Payer is how a payer acts.
type Payer string

// The ways in which payers act.
const (
	Pays      Payer = "pays"
	Declines  Payer = "declines"   // or the bank declines
	Mistypes  Payer = "mistypes"   // a wrong code
	PaysTwice Payer = "pays twice" // where the acquirer lets them
	PaysLate  Payer = "pays late"  // after the deadline, or after it was given up
	PaysEarly Payer = "pays early" // the message is there before the acquirer's books show it
	PaysOther Payer = "pays other" // another amount
)

const (
	// OrdinaryPhone is the number of a payer that no fake treats specially.
	OrdinaryPhone       = "0912345678"
	amount        int64 = 45_670         // of a payment, in dirham
	otherAmount   int64 = amount + 1_000 // in answers that state another
)

// Driver causes behaviours at the fake of one acquirer, over HTTP.
type Driver interface {
	// Open returns an account at the address, with credentials that the fake knows or, for a
	// stranger, does not know. Secrets are those of the account that the fake knows.
	Open(url string, stranger bool) acquirer.Acquirer
	Secrets() []string
	// Fault makes the next request of the adapter fail.
	Fault(f fake.Fault)
	// Books returns what the fake took and gave back.
	Books(p acquirer.Payment) fake.Payment
	// Phone returns the number of a payer who acts like this after the right code.
	Phone(as Payer) string
	// Pay acts as a payer outside of our page. It returns the message that the payer's
	// browser brings back, if the acquirer's page gave it one.
	Pay(s *Session, as Payer) *acquirer.Message
	// Repoint changes a message to name another payment, and keeps its signature.
	Repoint(m acquirer.Message, s *Session, other string) acquirer.Message
	// AnswerOther changes the fake's answers to be about another reference.
	AnswerOther(s *Session, other string)
}

// World is an acquirer's fake with an account and an inbox for its messages.
type World struct {
	Driver

	T          *testing.T
	Clock      *acquirertest.Clock // ours
	Theirs     func() time.Time    // the fake's
	Server     *acquirertest.Server
	Inbox      *acquirertest.Inbox
	Account    acquirer.Acquirer
	Capability acquirer.Capability
}

// Opened opens the account that the settings describe.
func Opened(t *testing.T, p acquirer.Provider, settings string) acquirer.Acquirer {
	t.Helper()
	a, err := p.Open([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ControlFault plans a fault by the control of package fake.
func ControlFault(w *World, f fake.Fault) {
	w.T.Helper()
	w.Server.Control("/control/faults", fmt.Sprintf(`{"call":"*","faults":[%q]}`, f), nil)
}

// Session is a payment that was begun.
type Session struct {
	Payment acquirer.Payment
	Begun   acquirer.Begun
	ref     acquirer.Ref
	message *acquirer.Message // that came about it
}

// outcome is the state of a payment by a proof that the capability allows: the answer to the
// code, the inquiry, or a signed message. An error and a hint have no state.
type outcome struct {
	state  acquirer.State
	reason acquirer.Reason
	money  domain.Money
	number string
	memo   string
	more   []acquirer.Paid
	err    error
}

// payment returns a new one, by a payer who acts like this.
func (w *World) payment(as Payer) acquirer.Payment {
	p := acquirertest.NewPayment(w.Capability, amount, w.Phone(as))
	p.At, p.NotifyURL, p.TimeLeft = w.Clock.Now(), w.Inbox.URL, 24*time.Hour
	return p
}

func (w *World) begin(as Payer) *Session { return w.beginPayment(w.payment(as)) }

func (w *World) beginPayment(p acquirer.Payment) *Session {
	w.T.Helper()
	begun, err := w.Account.Begin(w.T.Context(), p)
	if err != nil {
		w.T.Fatalf("Begin: %v", err)
	}
	return &Session{Payment: p, Begun: begun, ref: acquirertest.RefOf(p, memoOf(w.T, begun))}
}

func memoOf(t *testing.T, begun acquirer.Begun) string {
	t.Helper()
	switch b := begun.(type) {
	case acquirer.CodeSent:
		return b.Memo
	case acquirer.Redirected:
		return b.Memo
	case acquirer.Embedded:
		return b.Memo
	case acquirer.Presented:
		return b.Memo
	case acquirer.BeginDeclined:
		t.Fatalf("Begin = %+v", b)
	}
	return ""
}

func codeOf(s *Session, as Payer) acquirer.Code {
	sent, _ := s.Begun.(acquirer.CodeSent) // methods without a code get six digits
	digit := "1"
	if as == Mistypes {
		digit = "2"
	}
	return acquirer.Code(strings.Repeat(digit, cmp.Or(sent.Digits, 6)))
}

func (w *World) act(s *Session, as Payer) outcome {
	w.T.Helper()
	if w.Capability.Flow == acquirer.OTP && as != PaysLate {
		return w.checked(s, w.confirm(s, as))
	}
	s.message = w.Pay(s, as)
	return w.ask(s)
}

func (w *World) confirm(s *Session, as Payer) outcome {
	w.T.Helper()
	confirmed, err := w.Account.Confirm(w.T.Context(), s.ref, codeOf(s, as))
	if err != nil {
		return outcome{err: err}
	}
	switch c := confirmed.(type) {
	case acquirer.Paid:
		return outcome{state: acquirer.StatePaid, money: c.Money, number: c.ProviderReference}
	case acquirer.WrongCode:
		return outcome{state: acquirer.StatePending}
	case acquirer.Declined:
		return outcome{state: acquirer.StateDeclined, reason: c.Reason}
	}
	w.T.Fatalf("Confirm = %+v", confirmed)
	return outcome{}
}

// ask returns the state of the payment: by an inquiry, or else by a message that proves it.
func (w *World) ask(s *Session) outcome {
	w.T.Helper()
	if w.Capability.Inquiry {
		report, err := w.Account.Inquire(w.T.Context(), s.ref)
		return w.checked(s, outcomeOf(report, err))
	}
	notice, err := w.Account.ParseNotification(w.messageOf(s))
	if err != nil || notice.Proof == nil {
		return w.checked(s, outcome{err: err})
	}
	return w.checked(s, outcomeOf(*notice.Proof, nil))
}

func outcomeOf(r acquirer.Report, err error) outcome {
	return outcome{r.State, r.Reason, r.Money, r.ProviderReference, r.Memo, r.More, err}
}

// messageOf returns the message about the payment: from the payer's browser, or pushed.
func (w *World) messageOf(s *Session) acquirer.Message {
	w.T.Helper()
	if s.message == nil {
		m := w.Inbox.Next()
		s.message = &m
	}
	return *s.message
}

// checked compares an outcome with the fake's books: money that was taken is not declined, and a
// paid payment has the amount in the books.
func (w *World) checked(s *Session, o outcome) outcome {
	w.T.Helper()
	w.keepsSecrets(o.err)
	books := w.Books(s.Payment)
	switch {
	case o.state == acquirer.StateDeclined && books.Taken > 0:
		w.T.Errorf("declined (%s), although the money was taken", o.reason)
	case o.state == acquirer.StatePaid && books.Taken == 0:
		w.T.Error("paid, although no money was taken")
	case o.state == acquirer.StatePaid && (o.money != lyd(books.Amount) || o.number == ""):
		w.T.Errorf("paid %v by %q, and the acquirer took %d", o.money, o.number, books.Amount)
	case o.state == acquirer.StateDeclined && o.reason == "":
		w.T.Error("declined without a reason")
	}
	return o
}

func (w *World) paid() *Session {
	w.T.Helper()
	s := w.begin(Pays)
	o := w.act(s, Pays)
	w.wantPaid(s, o)
	s.ref.ProviderReference = o.number
	if o.memo != "" {
		s.ref.Memo = o.memo
	}
	return s
}

// wantPaid checks that the exact amount was paid, once.
func (w *World) wantPaid(s *Session, o outcome) {
	w.T.Helper()
	if o.err != nil || o.state != acquirer.StatePaid || o.money != s.Payment.Money || len(o.more) > 0 {
		w.T.Fatalf("outcome %+v, want it paid", o)
	}
	w.wantTaken(s, 1)
}

// wantOpen checks that no money was paid and nothing is decided.
func (w *World) wantOpen(s *Session) {
	w.T.Helper()
	w.wantTaken(s, 0)
	if !w.Capability.Inquiry {
		return
	}
	o := w.ask(s)
	if o.err != nil || o.state != acquirer.StatePending && o.state != acquirer.StateNotFound {
		w.T.Errorf("outcome %+v, want it open", o)
	}
}

func (w *World) wantTaken(s *Session, times int) {
	w.T.Helper()
	if got := w.Books(s.Payment).Taken; got != times {
		w.T.Errorf("the money was taken %d times, want %d", got, times)
	}
}

// wantUnknown checks that an error says nothing about the money, and that a request was sent.
func (w *World) wantUnknown(err error) {
	w.T.Helper()
	if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrAccount) ||
		errors.Is(err, acquirer.ErrRefused) {
		w.T.Errorf("%v, want an unknown outcome", err)
	}
	w.keepsSecrets(err)
}

// wantNotSent checks that the error is ErrNotSent, and that really nothing was sent.
func (w *World) wantNotSent(err error, before int) {
	w.T.Helper()
	if !errors.Is(err, acquirer.ErrNotSent) {
		w.T.Errorf("%v, want ErrNotSent", err)
	}
	if got := w.Server.Requests(); got != before {
		w.T.Errorf("%d requests reached the acquirer", got-before)
	}
	w.keepsSecrets(err)
}

// keepsSecrets checks that an error, which will be logged, has no credential and no data of the
// payer in it.
func (w *World) keepsSecrets(err error) {
	w.T.Helper()
	if err == nil {
		return
	}
	for _, secret := range append(w.Secrets(), OrdinaryPhone) {
		if strings.Contains(err.Error(), secret) {
			w.T.Errorf("the error holds a secret: %v", err)
		}
	}
}

// wantForged checks that a message is refused as forged and gives an empty notice.
func (w *World) wantForged(a acquirer.Acquirer, m acquirer.Message) {
	w.T.Helper()
	notice, err := a.ParseNotification(m)
	if !errors.Is(err, acquirer.ErrForged) || !reflect.ValueOf(notice).IsZero() {
		w.T.Errorf("ParseNotification = %+v, %v, want ErrForged", notice, err)
	}
	w.keepsSecrets(err)
}

func lyd(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }

// methodsOf returns all methods of an account.
func methodsOf(a acquirer.Acquirer) []acquirer.Method {
	var all []acquirer.Method
	for _, c := range a.Capabilities() {
		all = append(all, c.Method)
	}
	return all
}
