package lifecycle_test

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"daftar/domain"
	"daftar/tools/torture/lifecycle"
)

func ordered(answer string, status domain.Status) porcupine.Operation {
	seen := lifecycle.Observation{Answer: answer, State: lifecycle.State{Status: status}}
	return did(lifecycle.Operation{Do: "create"}, seen)
}

func retrieved(status domain.Status, version int) porcupine.Operation {
	seen := lifecycle.Observation{State: lifecycle.State{Status: status, Version: version}}
	return did(lifecycle.Operation{Do: "see"}, seen)
}

func logged(event string, version int) porcupine.Operation {
	return did(lifecycle.Operation{Do: "recorded", Event: event, Version: version}, lifecycle.Observation{})
}

// until returns the operation with a time so long that it may take effect at any time after
// its start.
func until(o porcupine.Operation, call int64) porcupine.Operation {
	o.Call, o.Return = call, 1000
	return o
}

// The model accepts and rejects what merchants see together with what the log has.
func TestTheCheckerFindsWhatMerchantsMustNotSee(t *testing.T) {
	t.Parallel()
	const (
		succeeded  = domain.StatusSucceeded
		canceled   = domain.StatusCanceled
		processing = domain.StatusProcessing
		waiting    = domain.StatusRequiresPaymentMethod
	)
	paid := []porcupine.Operation{
		ordered("new", waiting), until(logged(domain.TypeAttemptStarted, 2), 0),
		until(logged(domain.TypeSucceeded, 3), 0),
	}
	for name, tc := range map[string]struct {
		history []porcupine.Operation
		want    bool
	}{
		"created, then known": {
			inSequence(ordered("new", waiting), ordered("known", waiting)), true,
		},
		"created twice": {
			inSequence(ordered("new", waiting), ordered("new", waiting)), false,
		},
		"known before it was created": {
			inSequence(ordered("known", waiting), ordered("new", waiting)), false,
		},
		"known without a create": {
			inSequence(ordered("known", waiting)), false,
		},
		"known by a create without answer": {
			append(inSequence(until(ordered("", ""), 0), ordered("known", waiting))[1:],
				until(ordered("", ""), 0)), true,
		},
		"a create without answer came later": {
			append(inSequence(ordered("known", waiting)), until(ordered("", ""), 6)), false,
		},
		"seen before it was created": {
			inSequence(retrieved(waiting, 1), ordered("new", waiting)), false,
		},
		"seen as it became": {
			append(inSequence(paid[0], retrieved(processing, 2), retrieved(succeeded, 3)), paid[1:]...), true,
		},
		"seen as it was before": {
			append(inSequence(paid[0], retrieved(succeeded, 3), retrieved(processing, 2)), paid[1:]...), false,
		},
		"paid though the log lacks it": {
			inSequence(paid[0], retrieved(succeeded, 3)), false,
		},
		"seen with a status of no version": {
			append(inSequence(paid[0], retrieved(canceled, 0)), paid[1:]...), false,
		},
		"the log has a gap": {
			[]porcupine.Operation{paid[0], until(logged(domain.TypeExpired, 3), 0)}, false,
		},
		"paid late after it was canceled": {
			append(inSequence(paid[0]),
				until(logged(domain.TypeAttemptStarted, 2), 0),
				until(logged(domain.TypeAttemptFailed, 3), 0),
				until(logged(domain.TypeExpired, 4), 0),
				until(logged(domain.TypeLateSucceeded, 5), 0)), true,
		},
	} {
		if got := porcupine.CheckOperations(lifecycle.Model(lifecycle.State{}), tc.history); got != tc.want {
			t.Errorf("%s: porcupine says %t", name, got)
		}
	}
}
