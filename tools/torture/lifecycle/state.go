package lifecycle

import (
	"time"

	"daftar/domain"
)

// State is what the specification knows of an intent, together with as much of
// its attempts as decides what can come next. The zero State is that of an intent
// that nobody has created.
type State struct {
	Status domain.Status
	// Attempts has two letters for each: its wallet's, then o (open), f (failed) or
	// p (paid).
	Attempts string
	PaidBy   int // counted from 1; 0: nobody
	Late     bool
	Version  int
	wrong    int // codes of the open attempt
}

// Created is the State of an intent that was created and no more.
func Created() State { return State{Status: domain.StatusRequiresPaymentMethod, Version: 1} }

// The wallets, by what the bank does when the right code is typed.
const (
	Pays    = 'y'
	Holds   = 'h' // pending until control settles it
	Hangs   = 'g' // takes the money, and inquiry says so after a while
	Refuses = 'r'
	Unknown = '?' // of an attempt that is known from the log alone
)

// Operation is what a client did. Its time says whether the intent's time was over
// before it began, or not over yet when it had ended, or neither.
type Operation struct {
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

// When is an operation's time beside the intent's.
type When int

// The times of operations.
const (
	InTime  When = iota // the intent's time is not over
	NearEnd             // it ends meanwhile, or so close that clocks may differ
	Overdue             // it is over
)

// Slack is how much servers' readings of the database's clock may be off: half a round
// trip.
const Slack = 50 * time.Millisecond

// Timing compares an operation with the end of the intent's time.
func Timing(called, returned, expires time.Time) When {
	switch {
	case returned.Add(Slack).Before(expires):
		return InTime
	case called.Add(-Slack).After(expires):
		return Overdue
	}
	return NearEnd
}

// Observation is what a client saw. Each operation fills what it shows.
type Observation struct {
	Page    string // data-state
	Wrong   bool   // the code was wrong
	Refused string
	State   State
	// Answer is the answer to a create: "new", "known", or "" where it is not known
	// what became of it.
	Answer string
}

// Is is the state of an attempt, as its letter; 0: there is none.
func (s State) Is(n int) byte {
	if 2*n+1 >= len(s.Attempts) {
		return 0
	}
	return s.Attempts[2*n+1]
}

// set brings an attempt to its end.
func (s State) set(n int, state byte) State {
	all := []byte(s.Attempts)
	all[2*n+1] = state
	s.Attempts = string(all)
	s.Version++
	return s
}

func (s State) open() (int, bool) {
	for n := range len(s.Attempts) / 2 {
		if s.Is(n) == 'o' {
			return n, true
		}
	}
	return 0, false
}

// begin starts an attempt where the specification lets one start. No history lasts until
// the wait after many attempts is over.
func (s State) begin(wallet rune, t When) []any {
	if s.Status != domain.StatusRequiresPaymentMethod || t == Overdue ||
		len(s.Attempts)/2 >= domain.FreeAttempts {
		return []any{s}
	}
	next := s
	next.Status, next.wrong = domain.StatusProcessing, 0
	next.Attempts += string(wallet) + "o"
	next.Version++
	if t == NearEnd {
		return []any{s, next}
	}
	return []any{next}
}

// pay is the news that an attempt has taken money.
func (s State) pay(n int, t When) []any {
	switch s.Is(n) {
	case 0:
		return nil
	case 'p':
		return []any{s}
	}
	next := s.set(n, 'p')
	if s.Status == domain.StatusSucceeded {
		return []any{next} // a duplicate: nothing else changes
	}
	next.Status, next.PaidBy = domain.StatusSucceeded, n+1
	late := next
	late.Late = true
	if s.Status == domain.StatusCanceled {
		return []any{late}
	}
	late.Version++ // canceled first
	if s.Is(n) == 'o' && s.Status == domain.StatusProcessing && t != InTime {
		// It has paid in time, or was open when the acquirer was asked after the time: then it failed first.
		late.Version++
		return []any{next, late}
	}
	return s.byTime(t, next, late)
}

// fail is the news that an attempt has taken no money.
func (s State) fail(n int, t When) []any {
	switch s.Is(n) {
	case 0:
		return nil
	case 'f', 'p':
		return []any{s}
	}
	if s.Status == domain.StatusSucceeded {
		return []any{s}
	}
	next := s.set(n, 'f')
	next.Status = domain.StatusRequiresPaymentMethod
	canceled := next
	canceled.Status = domain.StatusCanceled
	canceled.Version++
	return next.byTime(t, next, canceled)
}

// byTime chooses what happens by whether the intent waits for a payment whose
// time is over.
func (s State) byTime(t When, intime, late State) []any {
	switch {
	case s.Status != domain.StatusRequiresPaymentMethod || t == InTime:
		return []any{intime}
	case t == Overdue:
		return []any{late}
	}
	return []any{intime, late}
}

// expire is what a reader of the current state causes.
func (s State) expire(t When) []any {
	canceled := s
	canceled.Status = domain.StatusCanceled
	canceled.Version++
	return s.byTime(t, s, canceled)
}

// enterCode is what a code may do. It may also do nothing: another tab's code is
// being decided, or the code has not been sent yet.
func (s State) enterCode(code string, wrong bool, t When) []any {
	n, open := s.open()
	if t == Overdue { // no code is taken any more
		if wrong {
			return nil
		}
		return []any{s}
	}
	if wrong {
		if !open || s.Status != domain.StatusProcessing || s.wrong > 3 {
			return nil
		}
		s.wrong++
		return []any{s}
	}
	if !open {
		return []any{s}
	}
	wallet := rune(s.Attempts[2*n])
	switch {
	case code == "111111" && wallet == Pays:
		return append(s.pay(n, t), s)
	case code == "111111" && wallet == Refuses, code == "000000", code == "222222" && s.wrong == 4:
		return append(s.fail(n, t), s)
	}
	return []any{s}
}

// shows says whether the page may look like this.
func (s State) shows(page string, t When) bool {
	switch s.Status {
	case domain.StatusRequiresPaymentMethod:
		return page == "pay" && t != Overdue || page == "expired" && t != InTime
	case domain.StatusProcessing:
		return page == "otp" && t != Overdue || page == "processing"
	case domain.StatusSucceeded:
		return page == "receipt"
	case domain.StatusCanceled:
		return page == "expired"
	}
	return false
}

// create is a request for a new intent. Of one whose outcome is unknown nothing
// may have come.
func (s State) create(answer string) []any {
	exists := s.Status != ""
	switch {
	case answer == "new" && exists, answer == "known" && !exists:
		return nil
	case exists:
		return []any{s}
	case answer == "new":
		return []any{Created()}
	}
	return []any{s, Created()}
}

// recorded is an event of the log that comes next: the one state with its version.
func (s State) recorded(op Operation) []any {
	if s.Version+1 != op.Version {
		return nil
	}
	var next []any
	switch op.Event {
	case domain.TypeAttemptStarted:
		next = s.begin(Unknown, InTime)
	case domain.TypeAttemptFailed:
		next = s.fail(op.N, InTime)
	case domain.TypeSucceeded, domain.TypeDuplicatePayment, domain.TypeLateSucceeded:
		next = s.pay(op.N, InTime)
	case domain.TypeExpired:
		next = s.expire(Overdue)
	}
	return keep(next, func(s State) bool { return s.Version == op.Version })
}
