package checkout_test

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"daftar/domain"
)

// told is one deed after the other, as a single client would have recorded them.
func told(deeds ...porcupine.Operation) []porcupine.Operation {
	for n := range deeds {
		deeds[n].Call, deeds[n].Return = int64(10*n), int64(10*n+5)
	}
	return deeds
}

func did(d deed, s sight) porcupine.Operation { return porcupine.Operation{Input: d, Output: s} }

func saw(status domain.Status, version int, attempts string, paidBy int, late bool) porcupine.Operation {
	return did(deed{do: "load"}, sight{life: life{Status: status, Version: version, Attempts: attempts, PaidBy: paidBy, Late: late}})
}

func began(wallet rune, w when) porcupine.Operation {
	return did(deed{do: "begin", wallet: wallet, when: w}, sight{})
}

func typed(code string, w when) porcupine.Operation {
	return did(deed{do: "code", code: code, when: w}, sight{})
}

func settled(n int, w when) porcupine.Operation {
	return did(deed{do: "settle", n: n, outcome: "paid", when: w}, sight{})
}

func showed(state string, w when) porcupine.Operation {
	return did(deed{do: "page", when: w}, sight{page: state})
}

// The checker finds what must not be, so that its silence means something. Each
// pair differs in what the last one saw.
func TestTheCheckerFindsPlantedViolations(t *testing.T) {
	t.Parallel()
	const succeeded, canceled, processing, waiting = domain.StatusSucceeded, domain.StatusCanceled, domain.StatusProcessing, domain.StatusRequiresPaymentMethod
	twice := func(last porcupine.Operation) []porcupine.Operation {
		return told(began(refuses, inTime), typed("111111", inTime), began(pays, inTime), typed("111111", inTime), settled(0, inTime), last)
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

		"one attempt is open":    {told(began(pays, inTime), began(pays, inTime), saw(processing, 2, "yo", 0, false)), true},
		"two attempts are open":  {told(began(pays, inTime), began(pays, inTime), saw(processing, 3, "yoyo", 0, false)), false},
		"a begin is lost":        {told(began(pays, inTime), saw(waiting, 1, "", 0, false)), false},
		"another wallet is used": {told(began(holds, inTime), saw(processing, 2, "yo", 0, false)), false},
		"a wallet that is held pays by itself": {
			told(began(holds, inTime), typed("111111", inTime), saw(succeeded, 3, "hp", 1, false)), false},

		"an attempt begins around the end":  {told(began(pays, nearEnd), saw(processing, 2, "yo", 0, false)), true},
		"none begins around the end":        {told(began(pays, nearEnd), saw(waiting, 1, "", 0, false)), true},
		"an attempt begins after the end":   {told(began(pays, overdue), saw(processing, 2, "yo", 0, false)), false},
		"an expired intent is shown as due": {told(showed("pay", overdue)), false},
		"a due intent is shown as expired":  {told(showed("expired", inTime)), false},
		"paid on time after a cancellation": {
			told(began(refuses, inTime), typed("000000", overdue), settled(0, overdue), saw(succeeded, 5, "rp", 1, false)), false},
		"paid late after a cancellation": {
			told(began(refuses, inTime), typed("000000", overdue), settled(0, overdue), saw(succeeded, 5, "rp", 1, true)), true},
		"canceled after it was paid": {
			told(began(pays, inTime), typed("111111", inTime), saw(succeeded, 3, "yp", 1, false), saw(canceled, 4, "yp", 1, false)), false},
		"a receipt, then the code page": {
			told(began(pays, inTime), typed("111111", inTime), showed("receipt", inTime), showed("otp", inTime)), false},
		"a read that is behind": {
			told(began(pays, inTime), typed("000000", inTime), saw(waiting, 3, "yf", 0, false), saw(processing, 2, "yo", 0, false)), false},
		"a payment that nobody made": {told(began(pays, inTime), saw(succeeded, 3, "yp", 1, false)), false},
		"a hint that decides": {
			told(began(pays, inTime), did(deed{do: "notify"}, sight{}), saw(succeeded, 3, "yp", 1, false)), false},
	} {
		if got := porcupine.CheckOperations(lives(), tc.history); got != tc.want {
			t.Errorf("%s: the checker says %t", name, got)
		}
	}
}
