package acquirer_test

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// payer is what somebody does who was asked to pay.
type payer string

const (
	pays      payer = "pays"
	declines  payer = "declines"   // or the bank declines
	mistypes  payer = "mistypes"   // a wrong code
	paysTwice payer = "pays twice" // where the acquirer lets them
	paysLate  payer = "pays late"  // after the deadline, or after it was given up
	paysEarly payer = "pays early" // the message is there before the acquirer's books show it
	paysOther payer = "pays other" // another amount
)

const (
	ordinaryPhone       = "0912345678"
	amount        int64 = 45_670         // of a payment, in dirham
	otherAmount   int64 = amount + 1_000 // in answers that state another
)

// driver causes behaviours at the fake of one acquirer, over HTTP.
type driver interface {
	// open is an account at the address, with credentials that the fake knows or, for a
	// stranger, with others. secrets are those of the one that the fake knows.
	open(url string, stranger bool) acquirer.Acquirer
	secrets() []string
	// fault has the next request of the adapter go wrong.
	fault(f fake.Fault)
	// books is what the fake took and gave back.
	books(p acquirer.Payment) fake.Payment
	// phone is of a payer who acts so after having typed the right code.
	phone(as payer) string
	// pay acts anywhere but on our page. It returns the message that the payer's browser
	// brings, if the acquirer's page gave it one.
	pay(s *session, as payer) *acquirer.Message
	// repoint has a message name another payment, and leaves its signature.
	repoint(m acquirer.Message, s *session, other string) acquirer.Message
	// answerOther has the fake's answers be about another reference.
	answerOther(s *session, other string)
}

// world is an acquirer's fake, an account with it, and what it sends.
type world struct {
	driver

	t       *testing.T
	clock   *acquirertest.Clock // ours
	theirs  func() time.Time    // the fake's
	server  *acquirertest.Server
	inbox   *acquirertest.Inbox
	account acquirer.Acquirer
	c       acquirer.Capability
}

// session is a payment that was begun.
type session struct {
	p       acquirer.Payment
	begun   acquirer.Begun
	ref     acquirer.Ref
	message *acquirer.Message // that came about it and was taken
}

// outcome is what the adapter says of a payment by what its capability calls a proof: the
// answer to the code, the inquiry, or a signed message. No state is an error, or a hint.
type outcome struct {
	state  acquirer.State
	reason acquirer.Reason
	money  domain.Money
	number string
	memo   string
	more   []acquirer.Paid
	err    error
}

// payment is a new one, by a payer who acts so.
func (w *world) payment(as payer) acquirer.Payment {
	p := acquirertest.NewPayment(w.c, amount, w.phone(as))
	p.At, p.NotifyURL, p.TimeLeft = w.clock.Now(), w.inbox.URL, 24*time.Hour
	return p
}

func (w *world) begin(as payer) *session { return w.beginPayment(w.payment(as)) }

func (w *world) beginPayment(p acquirer.Payment) *session {
	w.t.Helper()
	begun, err := w.account.Begin(w.t.Context(), p)
	if err != nil {
		w.t.Fatalf("Begin: %v", err)
	}
	return &session{p: p, begun: begun, ref: acquirertest.RefOf(p, memoOf(w.t, begun))}
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

// codeOf is what a payer types who was sent a code.
func codeOf(s *session, as payer) acquirer.Code {
	sent, _ := s.begun.(acquirer.CodeSent) // of six digits, where a method that sends none is asked all the same
	digit := "1"
	if as == mistypes {
		digit = "2"
	}
	return acquirer.Code(strings.Repeat(digit, cmp.Or(sent.Digits, 6)))
}

// act has the payer act, and returns what the adapter says then.
func (w *world) act(s *session, as payer) outcome {
	w.t.Helper()
	if w.c.Flow == acquirer.OTP && as != paysLate {
		return w.checked(s, w.confirm(s, as))
	}
	s.message = w.pay(s, as)
	return w.ask(s)
}

func (w *world) confirm(s *session, as payer) outcome {
	w.t.Helper()
	confirmed, err := w.account.Confirm(w.t.Context(), s.ref, codeOf(s, as))
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
	w.t.Fatalf("Confirm = %+v", confirmed)
	return outcome{}
}

// ask asks how the payment stands: by an inquiry, or else by a message that proves it.
func (w *world) ask(s *session) outcome {
	w.t.Helper()
	if w.c.Inquiry {
		report, err := w.account.Inquire(w.t.Context(), s.ref)
		return w.checked(s, outcomeOf(report, err))
	}
	notice, err := w.account.ParseNotification(w.messageOf(s))
	if err != nil || notice.Proof == nil {
		return w.checked(s, outcome{err: err})
	}
	return w.checked(s, outcomeOf(*notice.Proof, nil))
}

func outcomeOf(r acquirer.Report, err error) outcome {
	return outcome{r.State, r.Reason, r.Money, r.ProviderReference, r.Memo, r.More, err}
}

// messageOf is what came about the payment: from the payer's browser, or pushed.
func (w *world) messageOf(s *session) acquirer.Message {
	w.t.Helper()
	if s.message == nil {
		m := w.inbox.Next()
		s.message = &m
	}
	return *s.message
}

// checked holds what the adapter says to what the fake holds. Whatever row asks, money that
// was taken is not declined, and what is paid has the fake's own amount.
func (w *world) checked(s *session, o outcome) outcome {
	w.t.Helper()
	w.keepsSecrets(o.err)
	books := w.books(s.p)
	switch {
	case o.state == acquirer.StateDeclined && books.Taken > 0:
		w.t.Errorf("declined (%s), although the money was taken", o.reason)
	case o.state == acquirer.StatePaid && books.Taken == 0:
		w.t.Error("paid, although no money was taken")
	case o.state == acquirer.StatePaid && (o.money != lyd(books.Amount) || o.number == ""):
		w.t.Errorf("paid %v by %q, and the acquirer took %d", o.money, o.number, books.Amount)
	case o.state == acquirer.StateDeclined && o.reason == "":
		w.t.Error("declined without a reason")
	}
	return o
}

// paid begins and pays a payment.
func (w *world) paid() *session {
	w.t.Helper()
	s := w.begin(pays)
	o := w.act(s, pays)
	w.wantPaid(s, o)
	s.ref.ProviderReference = o.number
	if o.memo != "" {
		s.ref.Memo = o.memo
	}
	return s
}

// wantPaid checks that exactly what was asked for was paid, once.
func (w *world) wantPaid(s *session, o outcome) {
	w.t.Helper()
	if o.err != nil || o.state != acquirer.StatePaid || o.money != s.p.Money || len(o.more) > 0 {
		w.t.Fatalf("outcome %+v, want it paid", o)
	}
	w.wantTaken(s, 1)
}

// wantOpen checks that nobody has paid and nothing is decided.
func (w *world) wantOpen(s *session) {
	w.t.Helper()
	w.wantTaken(s, 0)
	if !w.c.Inquiry {
		return
	}
	if o := w.ask(s); o.err != nil || o.state != acquirer.StatePending && o.state != acquirer.StateNotFound {
		w.t.Errorf("outcome %+v, want it open", o)
	}
}

func (w *world) wantTaken(s *session, times int) {
	w.t.Helper()
	if got := w.books(s.p).Taken; got != times {
		w.t.Errorf("the money was taken %d times, want %d", got, times)
	}
}

// wantUnknown checks an error that says nothing about the money, and a request that was sent.
func (w *world) wantUnknown(err error) {
	w.t.Helper()
	if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrAccount) {
		w.t.Errorf("%v, want an unknown outcome", err)
	}
	w.keepsSecrets(err)
}

// wantNotSent checks that the adapter swears that nothing was sent, and is right.
func (w *world) wantNotSent(err error, before int) {
	w.t.Helper()
	if !errors.Is(err, acquirer.ErrNotSent) {
		w.t.Errorf("%v, want ErrNotSent", err)
	}
	if got := w.server.Requests(); got != before {
		w.t.Errorf("%d requests reached the acquirer", got-before)
	}
	w.keepsSecrets(err)
}

// keepsSecrets checks that an error, which is logged, has no credential in it and nothing of
// the payer.
func (w *world) keepsSecrets(err error) {
	w.t.Helper()
	if err == nil {
		return
	}
	for _, secret := range append(w.secrets(), ordinaryPhone) {
		if strings.Contains(err.Error(), secret) {
			w.t.Errorf("the error holds a secret: %v", err)
		}
	}
}

// wantForged checks that nothing can be taken from a message that is not genuine.
func (w *world) wantForged(a acquirer.Acquirer, m acquirer.Message) {
	w.t.Helper()
	notice, err := a.ParseNotification(m)
	if !errors.Is(err, acquirer.ErrForged) || !reflect.ValueOf(notice).IsZero() {
		w.t.Errorf("ParseNotification = %+v, %v, want ErrForged", notice, err)
	}
	w.keepsSecrets(err)
}

func lyd(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }

// methodsOf are all that an account has.
func methodsOf(a acquirer.Acquirer) []acquirer.Method {
	var all []acquirer.Method
	for _, c := range a.Capabilities() {
		all = append(all, c.Method)
	}
	return all
}
