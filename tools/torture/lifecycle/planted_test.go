package lifecycle_test

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"daftar/domain"
	"daftar/tools/torture/lifecycle"
)

// inSequence gives operations times as if a single client had made them one after the other.
func inSequence(operations ...porcupine.Operation) []porcupine.Operation {
	for n := range operations {
		operations[n].Call, operations[n].Return = int64(10*n), int64(10*n+5)
	}
	return operations
}

func did(d lifecycle.Operation, s lifecycle.Observation) porcupine.Operation {
	return porcupine.Operation{Input: d, Output: s}
}

func saw(status domain.Status, version int, attempts string, paidBy int, late bool) porcupine.Operation {
	state := lifecycle.State{Status: status, Version: version, Attempts: attempts, PaidBy: paidBy, Late: late}
	return did(lifecycle.Operation{Do: "load"}, lifecycle.Observation{State: state})
}

func began(wallet rune, w lifecycle.When) porcupine.Operation {
	return did(lifecycle.Operation{Do: "begin", Wallet: wallet, When: w}, lifecycle.Observation{})
}

func typed(code string, w lifecycle.When) porcupine.Operation {
	return did(lifecycle.Operation{Do: "code", Code: code, When: w}, lifecycle.Observation{})
}

func settled(n int, w lifecycle.When) porcupine.Operation {
	return did(lifecycle.Operation{Do: "settle", N: n, Outcome: "paid", When: w}, lifecycle.Observation{})
}

func showed(state string, w lifecycle.When) porcupine.Operation {
	return did(lifecycle.Operation{Do: "page", When: w}, lifecycle.Observation{Page: state})
}

// The model rejects histories with a planted violation. Otherwise its acceptance would prove
// nothing.
func TestTheCheckerFindsPlantedViolations(t *testing.T) {
	t.Parallel()
	const (
		succeeded  = domain.StatusSucceeded
		canceled   = domain.StatusCanceled
		processing = domain.StatusProcessing
		waiting    = domain.StatusRequiresPaymentMethod
	)
	twice := func(last porcupine.Operation) []porcupine.Operation {
		return inSequence(
			began(lifecycle.Refuses, lifecycle.InTime), typed("111111", lifecycle.InTime),
			began(lifecycle.Pays, lifecycle.InTime), typed("111111", lifecycle.InTime),
			settled(0, lifecycle.InTime), last)
	}
	for name, tc := range map[string]struct {
		history []porcupine.Operation
		want    bool
	}{
		"a second payment is recorded as a duplicate":     {twice(saw(succeeded, 6, "rpyp", 2, false)), true},
		"a second success is not recorded as a duplicate": {twice(saw(succeeded, 5, "rpyp", 2, false)), false},
		"a second success takes the place of the first":   {twice(saw(succeeded, 6, "rpyp", 1, false)), false},
		"a second success is recorded twice":              {twice(saw(succeeded, 7, "rpyp", 2, false)), false},
		"money that was taken is not recorded":            {twice(saw(succeeded, 5, "rfyp", 2, false)), false},

		"one attempt is open": {
			inSequence(
				began(lifecycle.Pays, lifecycle.InTime), began(lifecycle.Pays, lifecycle.InTime),
				saw(processing, 2, "yo", 0, false)), true,
		},
		"two attempts are open": {
			inSequence(
				began(lifecycle.Pays, lifecycle.InTime), began(lifecycle.Pays, lifecycle.InTime),
				saw(processing, 3, "yoyo", 0, false)), false,
		},
		"a begin is lost": {
			inSequence(began(lifecycle.Pays, lifecycle.InTime), saw(waiting, 1, "", 0, false)), false,
		},
		"another wallet is used": {
			inSequence(began(lifecycle.Holds, lifecycle.InTime), saw(processing, 2, "yo", 0, false)), false,
		},
		"a wallet that is held pays by itself": {
			inSequence(
				began(lifecycle.Holds, lifecycle.InTime), typed("111111", lifecycle.InTime),
				saw(succeeded, 3, "hp", 1, false)), false,
		},

		"an attempt begins around the end": {
			inSequence(began(lifecycle.Pays, lifecycle.NearEnd), saw(processing, 2, "yo", 0, false)), true,
		},
		"none begins around the end": {
			inSequence(began(lifecycle.Pays, lifecycle.NearEnd), saw(waiting, 1, "", 0, false)), true,
		},
		"an attempt begins after the end": {
			inSequence(began(lifecycle.Pays, lifecycle.Overdue), saw(processing, 2, "yo", 0, false)), false,
		},
		"an expired intent is shown as due": {
			inSequence(showed("pay", lifecycle.Overdue)), false,
		},
		"a due intent is shown as expired": {
			inSequence(showed("expired", lifecycle.InTime)), false,
		},
		"paid on time after a cancellation": {
			inSequence(
				began(lifecycle.Refuses, lifecycle.InTime), typed("000000", lifecycle.Overdue),
				settled(0, lifecycle.Overdue), saw(succeeded, 5, "rp", 1, false)), false,
		},
		"paid late after a cancellation": {
			inSequence(
				began(lifecycle.Refuses, lifecycle.InTime), typed("000000", lifecycle.Overdue),
				settled(0, lifecycle.Overdue), saw(succeeded, 5, "rp", 1, true)), true,
		},
		"canceled after it was paid": {
			inSequence(
				began(lifecycle.Pays, lifecycle.InTime), typed("111111", lifecycle.InTime),
				saw(succeeded, 3, "yp", 1, false), saw(canceled, 4, "yp", 1, false)), false,
		},
		"a receipt, then the code page": {
			inSequence(
				began(lifecycle.Pays, lifecycle.InTime), typed("111111", lifecycle.InTime),
				showed("receipt", lifecycle.InTime), showed("otp", lifecycle.InTime)), false,
		},
		"a read that is behind": {
			inSequence(
				began(lifecycle.Pays, lifecycle.InTime), typed("000000", lifecycle.InTime),
				saw(waiting, 3, "yf", 0, false), saw(processing, 2, "yo", 0, false)), false,
		},
		"a payment that nobody made": {
			inSequence(began(lifecycle.Pays, lifecycle.InTime), saw(succeeded, 3, "yp", 1, false)), false,
		},
		"a hint that decides": {
			inSequence(
				began(lifecycle.Pays, lifecycle.InTime),
				did(lifecycle.Operation{Do: "notify"}, lifecycle.Observation{}),
				saw(succeeded, 3, "yp", 1, false)), false,
		},
	} {
		if got := porcupine.CheckOperations(lifecycle.Model(lifecycle.Created()), tc.history); got != tc.want {
			t.Errorf("%s: porcupine says %t", name, got)
		}
	}
}
