package lifecycle

import (
	"fmt"
	"strings"

	"github.com/anishathalye/porcupine"

	"daftar/domain"
)

// Step returns every state that may follow an operation with its observation. The operations
// are:
//
//	begin, code, page    of a payer
//	settle, bank, notify of the acquirer
//	over                 the end of the intent's time
//	load, current        of a reader of the ledger, or of the API
//	expire               of the worker
//	create, see          of a merchant; see observes the status, and perhaps the version
//	recorded             an event of the log
func Step(state, input, output any) []any {
	s, op, seen := as[State](state), as[Operation](input), as[Observation](output)
	if s.Status == "" && op.Do != "create" {
		return nil // nothing can be done or seen before the create
	}
	switch op.Do {
	case "create":
		return keep(s.create(seen.Answer), seen.matchesAnswer)
	case "see":
		return keep([]any{s}, seen.matchesAnswer)
	case "recorded":
		return s.recorded(op)
	case "begin":
		return s.begin(op.Wallet, op.When)
	case "code":
		return s.enterCode(op.Code, seen.Wrong, op.When)
	case "settle":
		if op.Outcome == "paid" {
			return s.pay(op.N, op.When)
		}
		return append(s.fail(op.N, op.When), s)
	case "bank": // the money of a wallet that hangs
		if s.Is(op.N) == 0 || rune(s.Attempts[2*op.N]) != Hangs {
			return nil
		}
		return s.pay(op.N, op.When)
	case "over": // the end of the intent's time, at which the acquirer may decline an open attempt
		if n, open := s.open(); open {
			return append(s.fail(n, op.When), s)
		}
		return []any{s}
	case "notify": // a hint, which changes nothing by itself
		return []any{s}
	case "page":
		return keep([]any{s}, func(s State) bool { return s.shows(seen.Page, op.When) })
	case "load":
		return keep([]any{s}, func(s State) bool {
			s.wrong = 0
			return s == seen.State
		})
	case "current":
		return keep(s.expire(op.When), seen.matches)
	case "expire":
		return s.expired(op, seen)
	}
	panic("no such operation: " + op.Do)
}

// expired returns the states that may follow the command to expire.
func (s State) expired(op Operation, seen Observation) []any {
	switch seen.Refused {
	case string(domain.RefusedAttemptOpen):
		return keep([]any{s}, func(s State) bool { return s.Status == domain.StatusProcessing })
	case string(domain.RefusedNotDue):
		return keep([]any{s}, func(s State) bool {
			return s.Status == domain.StatusRequiresPaymentMethod && op.When != Overdue
		})
	case "":
		return keep(s.expire(op.When), func(s State) bool {
			return s.Status != domain.StatusRequiresPaymentMethod && seen.matches(s)
		})
	}
	return nil
}

// matches compares with the status and version of the read model.
func (seen Observation) matches(s State) bool {
	return s.Status == seen.State.Status && s.Version == seen.State.Version
}

// matchesAnswer compares with an answer of the API, which may lack the status or the version.
func (seen Observation) matchesAnswer(s State) bool {
	return (seen.State.Status == "" || s.Status == seen.State.Status) &&
		(seen.State.Version == 0 || s.Version == seen.State.Version)
}

func keep(all []any, fits func(State) bool) []any {
	var kept []any
	for _, s := range all {
		if fits(as[State](s)) {
			kept = append(kept, s)
		}
	}
	return kept
}

// as converts a value that porcupine keeps as any.
func as[T any](v any) T {
	t, ours := v.(T)
	if !ours {
		panic(fmt.Sprintf("lifecycle: %T in a history of another model", v))
	}
	return t
}

// Model is the specification for porcupine. Each intent is checked separately, from the given
// state on.
func Model(from State) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			parts := map[domain.IntentID][]porcupine.Operation{}
			for _, o := range history {
				id := as[Operation](o.Input).Intent
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
			op, seen := as[Operation](input), as[Observation](output)
			return strings.TrimSpace(fmt.Sprintf("%s %s%s%s%s -> %+v",
				op.Do, string(op.Wallet), op.Code, op.Outcome, op.Event, seen))
		},
	}
	return m.ToModel()
}
