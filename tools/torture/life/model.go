package life

import (
	"fmt"
	"strings"

	"github.com/anishathalye/porcupine"

	"daftar/domain"
)

// Step is every life that may follow.
//
//	begin, code, page    of a payer
//	settle, bank, notify of the acquirer
//	load, current        of whoever reads the ledger, or the API
//	expire               of the worker
//	create, see          of a merchant; see knows the status, and the version if any
//	recorded             what the log has, by whomever it was caused
func Step(state, input, output any) []any {
	l, d, s := as[Life](state), as[Deed](input), as[Sight](output)
	if l.Status == "" && d.Do != "create" {
		return nil // nobody does or sees anything before
	}
	switch d.Do {
	case "create":
		return keep(l.create(s.Answer), s.shows)
	case "see":
		return keep([]any{l}, s.shows)
	case "recorded":
		return l.recorded(d)
	case "begin":
		return l.begin(d.Wallet, d.When)
	case "code":
		return l.typed(d.Code, s.Wrong, d.When)
	case "settle":
		if d.Outcome == "paid" {
			return l.pay(d.N, d.When)
		}
		return append(l.fail(d.N, d.When), l)
	case "bank": // the money of a wallet that hangs
		if l.Is(d.N) == 0 || rune(l.Attempts[2*d.N]) != Hangs {
			return nil
		}
		return l.pay(d.N, d.When)
	case "notify": // a hint, and nothing more
		return []any{l}
	case "page":
		return keep([]any{l}, func(l Life) bool { return l.shows(s.Page, d.When) })
	case "load":
		return keep([]any{l}, func(l Life) bool {
			l.wrong = 0
			return l == s.Life
		})
	case "current":
		return keep(l.expire(d.When), s.sees)
	case "expire":
		return l.expired(d, s)
	}
	panic("no such deed: " + d.Do)
}

// expired is what the command may have come to.
func (l Life) expired(d Deed, s Sight) []any {
	switch s.Refused {
	case string(domain.RefusedAttemptOpen):
		return keep([]any{l}, func(l Life) bool { return l.Status == domain.StatusProcessing })
	case string(domain.RefusedNotDue):
		return keep([]any{l}, func(l Life) bool { return l.Status == domain.StatusRequiresPaymentMethod && d.When != Overdue })
	case "":
		return keep(l.expire(d.When), func(l Life) bool { return l.Status != domain.StatusRequiresPaymentMethod && s.sees(l) })
	}
	return nil
}

// sees compares what the read model tells.
func (s Sight) sees(l Life) bool { return l.Status == s.Life.Status && l.Version == s.Life.Version }

// shows compares what an answer of the API tells, as far as it does.
func (s Sight) shows(l Life) bool {
	return (s.Life.Status == "" || l.Status == s.Life.Status) && (s.Life.Version == 0 || l.Version == s.Life.Version)
}

func keep(all []any, fits func(Life) bool) []any {
	var kept []any
	for _, l := range all {
		if fits(as[Life](l)) {
			kept = append(kept, l)
		}
	}
	return kept
}

// as is a value that the checker keeps for us.
func as[T any](v any) T {
	t, ours := v.(T)
	if !ours {
		panic(fmt.Sprintf("life: %T in a history of lives", v))
	}
	return t
}

// Model is the specification for the checker. Each intent is checked by itself,
// from the given state on.
func Model(from Life) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			parts := map[domain.IntentID][]porcupine.Operation{}
			for _, o := range history {
				id := as[Deed](o.Input).Intent
				parts[id] = append(parts[id], o)
			}
			all := make([][]porcupine.Operation, 0, len(parts))
			for _, part := range parts {
				all = append(all, part)
			}
			return all
		},
		Init: func() []any { return []any{from} },
		Step: Step,
		DescribeOperation: func(input, output any) string {
			d, s := as[Deed](input), as[Sight](output)
			return strings.TrimSpace(fmt.Sprintf("%s %s%s%s%s -> %+v", d.Do, string(d.Wallet), d.Code, d.Outcome, d.Event, s))
		},
	}
	return m.ToModel()
}
