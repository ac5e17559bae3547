package lifecycle

import (
	"time"

	"daftar/domain"
)

// State is the state of an intent in the specification, with the part of its attempts that
// decides what may follow. The zero State is that of an intent that does not exist yet.
type State struct {
	Status domain.Status
	// Attempts has two letters for each: its wallet's, then o (open), f (failed) or
	// p (paid).
	Attempts string
	PaidBy   int // the attempt, counted from 1; 0: none
	Late     bool
	Version  int
	wrong    int // codes of the open attempt
}

// Created is the State of an intent right after its creation.
func Created() State { return State{Status: domain.StatusRequiresPaymentMethod, Version: 1} }

// The wallets, by what the bank does when the right code is typed.
const (
	Pays    = 'y'
	Holds   = 'h' // pending until the control interface settles it
	Hangs   = 'g' // takes the money; the inquiry finds it after a while
	Refuses = 'r'
	Unknown = '?' // of an attempt that is known only from the log
)

// Operation is an operation of a client.
type Operation struct {
	Intent  domain.IntentID
	Do      string
	Wallet  rune             // of begin
	Code    string           // of code
	Attempt domain.AttemptID // of settle and bank
	N       int              // the attempt's index, from 0
	Outcome string           // of settle
	Event   string           // of recorded: its type
	Version int              // of recorded
	When    When
}

// When is the time of an operation relative to the end of the intent's time.
type When int

// The times of operations.
const (
	InTime  When = iota // the intent's time is not over
	NearEnd             // it ends during the operation, or so close that clocks may disagree
	Overdue             // it is over
)

// Slack is the largest error of a server's reading of the database's clock: half a round
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

// Observation is what a client saw. Each operation sets the fields that it shows.
type Observation struct {
	Page    string // data-state
	Wrong   bool   // the code was wrong
	Refused string
	State   State
	// Answer is the answer to a create: "new", "known", or "" if there was no definite answer.
	Answer string
}

// Is is the letter of the state of an attempt; 0: there is no such attempt.
func (s State) Is(n int) byte {
	if 2*n+1 >= len(s.Attempts) {
		return 0
	}
	return s.Attempts[2*n+1]
}

// set sets the final state of an attempt.
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

// begin starts an attempt if the specification allows it. No history lasts longer than the
// wait after many attempts.
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

// pay returns the states after the service learned that an attempt took money.
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
		// It was paid in time; or the inquiry after the end of the time still found it open, and so it
		// failed first.
		late.Version++
		return []any{next, late}
	}
	return s.byTime(t, next, late)
}

// fail returns the states after the service learned that an attempt took no money.
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

// byTime chooses between two states by whether the time of a waiting intent is over.
func (s State) byTime(t When, intime, late State) []any {
	switch {
	case s.Status != domain.StatusRequiresPaymentMethod || t == InTime:
		return []any{intime}
	case t == Overdue:
		return []any{late}
	}
	return []any{intime, late}
}

// expire returns the states after a reader of the current state, who cancels an overdue intent.
func (s State) expire(t When) []any {
	canceled := s
	canceled.Status = domain.StatusCanceled
	canceled.Version++
	return s.byTime(t, s, canceled)
}

// enterCode returns the states after a code. A code may also have no effect, because the code
// of another tab is being decided, or because no code has been sent yet.
func (s State) enterCode(code string, wrong bool, t When) []any {
	n, open := s.open()
	if t == Overdue { // codes are not accepted any more
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

// shows reports whether the page may have the given data-state.
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

// create returns the states after a create. One without an answer may have had no effect.
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

// recorded returns the state after the next event of the log: the one with its version.
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
