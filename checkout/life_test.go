package checkout_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"daftar/domain"
)

// life is what the specification knows of an intent, together with as much of
// its attempts as decides what can come next.
type life struct {
	Status domain.Status
	// Attempts has two letters for each: its wallet's, then o (open), f (failed) or
	// p (paid).
	Attempts string
	PaidBy   int // counted from 1; 0: nobody
	Late     bool
	Version  int
	wrong    int // codes of the open attempt
}

// The wallets, by what the bank does when the right code is typed.
const (
	pays    = 'y'
	holds   = 'h' // pending until control settles it
	hangs   = 'g' // takes the money, and inquiry says so after a while
	refuses = 'r'
)

// phones are the wallets' numbers, and how the ledger masks them.
var phones = map[rune]struct{ number, masked string }{
	pays: {"0912345678", "091•••5678"}, holds: {"0920000003", "092•••0003"},
	hangs: {"0920000001", "092•••0001"}, refuses: {"0920000004", "092•••0004"},
}

// deed is what a client did. Its time says whether the intent's time was over
// before it began, or not over yet when it had ended, or neither.
type deed struct {
	intent  domain.IntentID
	do      string
	wallet  rune             // of begin
	code    string           // of code
	attempt domain.AttemptID // of settle and bank
	n       int              // the attempt's place, counted from 0
	outcome string           // of settle
	when    when
}

type when int

const (
	inTime  when = iota // the intent's time is not over
	nearEnd             // it ends meanwhile, or so close that clocks may differ
	overdue             // it is over
)

// timing compares a deed with the end of the intent's time.
func timing(called, returned, expires time.Time) when {
	// The servers' reading of the database's clock may be off by half a round trip.
	const slack = 50 * time.Millisecond
	switch {
	case returned.Add(slack).Before(expires):
		return inTime
	case called.Add(-slack).After(expires):
		return overdue
	}
	return nearEnd
}

// sight is what a client saw. Each deed fills what it shows.
type sight struct {
	page    string // data-state
	wrong   bool   // the code was wrong
	refused string
	life    life
}

// set brings an attempt to its end.
func (l life) set(n int, state byte) life {
	all := []byte(l.Attempts)
	all[2*n+1] = state
	l.Attempts = string(all)
	l.Version++
	return l
}

func (l life) is(n int) byte {
	if 2*n+1 >= len(l.Attempts) {
		return 0
	}
	return l.Attempts[2*n+1]
}

func (l life) open() (int, bool) {
	for n := range len(l.Attempts) / 2 {
		if l.is(n) == 'o' {
			return n, true
		}
	}
	return 0, false
}

// begin starts an attempt where the specification lets one start.
func (l life) begin(wallet rune, t when) []any {
	if l.Status != domain.StatusRequiresPaymentMethod || t == overdue {
		return []any{l}
	}
	next := l
	next.Status, next.wrong = domain.StatusProcessing, 0
	next.Attempts += string(wallet) + "o"
	next.Version++
	if t == nearEnd {
		return []any{l, next}
	}
	return []any{next}
}

// pay is the news that an attempt has taken money.
func (l life) pay(n int, t when) []any {
	switch l.is(n) {
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
func (l life) fail(n int, t when) []any {
	switch l.is(n) {
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
func (l life) byTime(t when, intime, late life) []any {
	switch {
	case l.Status != domain.StatusRequiresPaymentMethod || t == inTime:
		return []any{intime}
	case t == overdue:
		return []any{late}
	}
	return []any{intime, late}
}

// expire is what anybody who asks for the current state causes.
func (l life) expire(t when) []any {
	canceled := l
	canceled.Status = domain.StatusCanceled
	canceled.Version++
	return l.byTime(t, l, canceled)
}

// typed is what a code may do. It may also do nothing: another tab's code is
// being decided, or the code has not been sent yet.
func (l life) typed(code string, wrong bool, t when) []any {
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
	case code == "111111" && wallet == pays:
		return append(l.pay(n, t), l)
	case code == "111111" && wallet == refuses, code == "000000", code == "222222" && l.wrong == 4:
		return append(l.fail(n, t), l)
	}
	return []any{l}
}

// shows says whether the page may look like this.
func (l life) shows(page string, t when) bool {
	switch l.Status {
	case domain.StatusRequiresPaymentMethod:
		return page == "pay" && t != overdue || page == "expired" && t != inTime
	case domain.StatusProcessing:
		return page == "otp" || page == "processing"
	case domain.StatusSucceeded:
		return page == "receipt"
	case domain.StatusCanceled:
		return page == "expired"
	}
	return false
}

// stepLife is every life that may follow.
func stepLife(state, input, output any) []any {
	l, d, s := state.(life), input.(deed), output.(sight)
	switch d.do {
	case "begin":
		return l.begin(d.wallet, d.when)
	case "code":
		return l.typed(d.code, s.wrong, d.when)
	case "settle":
		if d.outcome == "paid" {
			return l.pay(d.n, d.when)
		}
		return append(l.fail(d.n, d.when), l)
	case "bank": // the money of a wallet that hangs
		if l.is(d.n) == 0 || rune(l.Attempts[2*d.n]) != hangs {
			return nil
		}
		return l.pay(d.n, d.when)
	case "notify": // a hint, and nothing more
		return []any{l}
	case "page":
		return keep([]any{l}, func(l life) bool { return l.shows(s.page, d.when) })
	case "load":
		return keep([]any{l}, func(l life) bool {
			l.wrong = 0
			return l == s.life
		})
	case "current":
		return keep(l.expire(d.when), s.sees)
	case "expire":
		switch s.refused {
		case string(domain.RefusedAttemptOpen):
			return keep([]any{l}, func(l life) bool { return l.Status == domain.StatusProcessing })
		case string(domain.RefusedNotDue):
			return keep([]any{l}, func(l life) bool { return l.Status == domain.StatusRequiresPaymentMethod && d.when != overdue })
		case "":
			return keep(l.expire(d.when), func(l life) bool { return l.Status != domain.StatusRequiresPaymentMethod && s.sees(l) })
		}
		return nil
	}
	panic("no such deed: " + d.do)
}

// sees compares what the read model tells.
func (s sight) sees(l life) bool { return l.Status == s.life.Status && l.Version == s.life.Version }

func keep(all []any, fits func(life) bool) []any {
	var kept []any
	for _, l := range all {
		if fits(l.(life)) {
			kept = append(kept, l)
		}
	}
	return kept
}

// lives is the specification's life of an intent, for the checker.
func lives() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			parts := map[domain.IntentID][]porcupine.Operation{}
			for _, o := range history {
				id := o.Input.(deed).intent
				parts[id] = append(parts[id], o)
			}
			all := make([][]porcupine.Operation, 0, len(parts))
			for _, part := range parts {
				all = append(all, part)
			}
			return all
		},
		Init: func() []any { return []any{life{Status: domain.StatusRequiresPaymentMethod, Version: 1}} },
		Step: stepLife,
		DescribeOperation: func(input, output any) string {
			d, s := input.(deed), output.(sight)
			return strings.TrimSpace(fmt.Sprintf("%s %s%s%s -> %+v", d.do, string(d.wallet), d.code, d.outcome, s))
		},
	}
	return m.ToModel()
}
