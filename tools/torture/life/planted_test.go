package life_test

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"daftar/domain"
	"daftar/tools/torture/life"
)

// told is one deed after the other, as a single client would have recorded them.
func told(deeds ...porcupine.Operation) []porcupine.Operation {
	for n := range deeds {
		deeds[n].Call, deeds[n].Return = int64(10*n), int64(10*n+5)
	}
	return deeds
}

func did(d life.Deed, s life.Sight) porcupine.Operation {
	return porcupine.Operation{Input: d, Output: s}
}

func saw(status domain.Status, version int, attempts string, paidBy int, late bool) porcupine.Operation {
	return did(life.Deed{Do: "load"}, life.Sight{Life: life.Life{Status: status, Version: version, Attempts: attempts, PaidBy: paidBy, Late: late}})
}

func began(wallet rune, w life.When) porcupine.Operation {
	return did(life.Deed{Do: "begin", Wallet: wallet, When: w}, life.Sight{})
}

func typed(code string, w life.When) porcupine.Operation {
	return did(life.Deed{Do: "code", Code: code, When: w}, life.Sight{})
}

func settled(n int, w life.When) porcupine.Operation {
	return did(life.Deed{Do: "settle", N: n, Outcome: "paid", When: w}, life.Sight{})
}

func showed(state string, w life.When) porcupine.Operation {
	return did(life.Deed{Do: "page", When: w}, life.Sight{Page: state})
}

// The checker finds what must not be, so that its silence means something. Each
// pair differs in what the last one saw.
func TestTheCheckerFindsPlantedViolations(t *testing.T) {
	t.Parallel()
	const succeeded, canceled, processing, waiting = domain.StatusSucceeded, domain.StatusCanceled, domain.StatusProcessing, domain.StatusRequiresPaymentMethod
	twice := func(last porcupine.Operation) []porcupine.Operation {
		return told(began(life.Refuses, life.InTime), typed("111111", life.InTime), began(life.Pays, life.InTime), typed("111111", life.InTime), settled(0, life.InTime), last)
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

		"one attempt is open":    {told(began(life.Pays, life.InTime), began(life.Pays, life.InTime), saw(processing, 2, "yo", 0, false)), true},
		"two attempts are open":  {told(began(life.Pays, life.InTime), began(life.Pays, life.InTime), saw(processing, 3, "yoyo", 0, false)), false},
		"a begin is lost":        {told(began(life.Pays, life.InTime), saw(waiting, 1, "", 0, false)), false},
		"another wallet is used": {told(began(life.Holds, life.InTime), saw(processing, 2, "yo", 0, false)), false},
		"a wallet that is held pays by itself": {
			told(began(life.Holds, life.InTime), typed("111111", life.InTime), saw(succeeded, 3, "hp", 1, false)), false},

		"an attempt begins around the end":  {told(began(life.Pays, life.NearEnd), saw(processing, 2, "yo", 0, false)), true},
		"none begins around the end":        {told(began(life.Pays, life.NearEnd), saw(waiting, 1, "", 0, false)), true},
		"an attempt begins after the end":   {told(began(life.Pays, life.Overdue), saw(processing, 2, "yo", 0, false)), false},
		"an expired intent is shown as due": {told(showed("pay", life.Overdue)), false},
		"a due intent is shown as expired":  {told(showed("expired", life.InTime)), false},
		"paid on time after a cancellation": {
			told(began(life.Refuses, life.InTime), typed("000000", life.Overdue), settled(0, life.Overdue), saw(succeeded, 5, "rp", 1, false)), false},
		"paid late after a cancellation": {
			told(began(life.Refuses, life.InTime), typed("000000", life.Overdue), settled(0, life.Overdue), saw(succeeded, 5, "rp", 1, true)), true},
		"canceled after it was paid": {
			told(began(life.Pays, life.InTime), typed("111111", life.InTime), saw(succeeded, 3, "yp", 1, false), saw(canceled, 4, "yp", 1, false)), false},
		"a receipt, then the code page": {
			told(began(life.Pays, life.InTime), typed("111111", life.InTime), showed("receipt", life.InTime), showed("otp", life.InTime)), false},
		"a read that is behind": {
			told(began(life.Pays, life.InTime), typed("000000", life.InTime), saw(waiting, 3, "yf", 0, false), saw(processing, 2, "yo", 0, false)), false},
		"a payment that nobody made": {told(began(life.Pays, life.InTime), saw(succeeded, 3, "yp", 1, false)), false},
		"a hint that decides": {
			told(began(life.Pays, life.InTime), did(life.Deed{Do: "notify"}, life.Sight{}), saw(succeeded, 3, "yp", 1, false)), false},
	} {
		if got := porcupine.CheckOperations(life.Model(life.Created()), tc.history); got != tc.want {
			t.Errorf("%s: the checker says %t", name, got)
		}
	}
}
