package life

import (
	"time"

	"daftar/domain"
)

// Life is what the specification knows of an intent, together with as much of
// its attempts as decides what can come next. The zero Life is that of an intent
// that nobody has created.
type Life struct {
	Status domain.Status
	// Attempts has two letters for each: its wallet's, then o (open), f (failed) or
	// p (paid).
	Attempts string
	PaidBy   int // counted from 1; 0: nobody
	Late     bool
	Version  int
	wrong    int // codes of the open attempt
}

// Created is the Life of an intent that was created and no more.
func Created() Life { return Life{Status: domain.StatusRequiresPaymentMethod, Version: 1} }

// The wallets, by what the bank does when the right code is typed.
const (
	Pays    = 'y'
	Holds   = 'h' // pending until control settles it
	Hangs   = 'g' // takes the money, and inquiry says so after a while
	Refuses = 'r'
	Unknown = '?' // of an attempt that is known from the log alone
)

// Deed is what a client did. Its time says whether the intent's time was over
// before it began, or not over yet when it had ended, or neither.
type Deed struct {
	Intent  domain.IntentID
	Do      string
	Wallet  rune             // of begin
	Code    string           // of code
	Attempt domain.AttemptID // of settle and bank
	N       int              // the attempt's place, counted from 0
	Outcome string           // of settle
	Event   string           // of recorded: its type
	Version int              // of recorded
	When    When
}

// When tells a deed's time.
type When int

// The times of deeds.
const (
	InTime  When = iota // the intent's time is not over
	NearEnd             // it ends meanwhile, or so close that clocks may differ
	Overdue             // it is over
)

// Timing compares a deed with the end of the intent's time.
func Timing(called, returned, expires time.Time) When {
	// The servers' reading of the database's clock may be off by half a round trip.
	const slack = 50 * time.Millisecond
	switch {
	case returned.Add(slack).Before(expires):
		return InTime
	case called.Add(-slack).After(expires):
		return Overdue
	}
	return NearEnd
}

// Sight is what a client saw. Each deed fills what it shows.
type Sight struct {
	Page    string // data-state
	Wrong   bool   // the code was wrong
	Refused string
	Life    Life
	// Answer is what a create was told: "new", "known", or "" where it is not known
	// what became of it.
	Answer string
}

// Is is the state of an attempt, as its letter; 0: there is none.
func (l Life) Is(n int) byte {
	if 2*n+1 >= len(l.Attempts) {
		return 0
	}
	return l.Attempts[2*n+1]
}

// set brings an attempt to its end.
func (l Life) set(n int, state byte) Life {
	all := []byte(l.Attempts)
	all[2*n+1] = state
	l.Attempts = string(all)
	l.Version++
	return l
}

func (l Life) open() (int, bool) {
	for n := range len(l.Attempts) / 2 {
		if l.Is(n) == 'o' {
			return n, true
		}
	}
	return 0, false
}

// begin starts an attempt where the specification lets one start.
func (l Life) begin(wallet rune, t When) []any {
	if l.Status != domain.StatusRequiresPaymentMethod || t == Overdue {
		return []any{l}
	}
	next := l
	next.Status, next.wrong = domain.StatusProcessing, 0
	next.Attempts += string(wallet) + "o"
	next.Version++
	if t == NearEnd {
		return []any{l, next}
	}
	return []any{next}
}

// pay is the news that an attempt has taken money.
func (l Life) pay(n int, t When) []any {
	switch l.Is(n) {
	case 0:
		return nil
	case 'p':
		return []any{l}
	}
	next := l.set(n, 'p')
	if l.Status == domain.StatusSucceeded {
		return []any{next} // a duplicate: nothing else changes
	}
	next.Status, next.PaidBy = domain.StatusSucceeded, n+1
	late := next
	late.Late = true
	if l.Status == domain.StatusCanceled {
		return []any{late}
	}
	late.Version++ // canceled first
	return l.byTime(t, next, late)
}

// fail is the news that an attempt has taken no money.
func (l Life) fail(n int, t When) []any {
	switch l.Is(n) {
	case 0:
		return nil
	case 'f', 'p':
		return []any{l}
	}
	if l.Status == domain.StatusSucceeded {
		return []any{l}
	}
	next := l.set(n, 'f')
	next.Status = domain.StatusRequiresPaymentMethod
	canceled := next
	canceled.Status = domain.StatusCanceled
	canceled.Version++
	return next.byTime(t, next, canceled)
}

// byTime chooses what happens by whether the intent waits for a payment whose
// time is over.
func (l Life) byTime(t When, intime, late Life) []any {
	switch {
	case l.Status != domain.StatusRequiresPaymentMethod || t == InTime:
		return []any{intime}
	case t == Overdue:
		return []any{late}
	}
	return []any{intime, late}
}

// expire is what anybody who asks for the current state causes.
func (l Life) expire(t When) []any {
	canceled := l
	canceled.Status = domain.StatusCanceled
	canceled.Version++
	return l.byTime(t, l, canceled)
}

// typed is what a code may do. It may also do nothing: another tab's code is
// being decided, or the code has not been sent yet.
func (l Life) typed(code string, wrong bool, t When) []any {
	n, open := l.open()
	if wrong {
		if !open || l.Status != domain.StatusProcessing || l.wrong > 3 {
			return nil
		}
		l.wrong++
		return []any{l}
	}
	if !open {
		return []any{l}
	}
	wallet := rune(l.Attempts[2*n])
	switch {
	case code == "111111" && wallet == Pays:
		return append(l.pay(n, t), l)
	case code == "111111" && wallet == Refuses, code == "000000", code == "222222" && l.wrong == 4:
		return append(l.fail(n, t), l)
	}
	return []any{l}
}

// shows says whether the page may look like this.
func (l Life) shows(page string, t When) bool {
	switch l.Status {
	case domain.StatusRequiresPaymentMethod:
		return page == "pay" && t != Overdue || page == "expired" && t != InTime
	case domain.StatusProcessing:
		return page == "otp" || page == "processing"
	case domain.StatusSucceeded:
		return page == "receipt"
	case domain.StatusCanceled:
		return page == "expired"
	}
	return false
}

// create is a request for a new intent. Of one whose outcome is unknown nothing
// may have come.
func (l Life) create(answer string) []any {
	exists := l.Status != ""
	switch {
	case answer == "new" && exists, answer == "known" && !exists:
		return nil
	case exists:
		return []any{l}
	case answer == "new":
		return []any{Created()}
	}
	return []any{l, Created()}
}

// recorded is an event of the log that comes next: the one life with its version.
func (l Life) recorded(d Deed) []any {
	if l.Version+1 != d.Version {
		return nil
	}
	var next []any
	switch d.Event {
	case domain.TypeAttemptStarted:
		next = l.begin(Unknown, InTime)
	case domain.TypeAttemptFailed:
		next = l.fail(d.N, InTime)
	case domain.TypeSucceeded, domain.TypeDuplicatePayment, domain.TypeLateSucceeded:
		next = l.pay(d.N, InTime)
	case domain.TypeExpired:
		next = l.expire(Overdue)
	}
	return keep(next, func(l Life) bool { return l.Version == d.Version })
}
