package moamalat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	fakes "daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/moamalat"
)

// askAll makes every call that sends a request and returns their errors by name.
func askAll(ctx context.Context, a acquirer.Acquirer, ref acquirer.Ref) map[string]error {
	_, inquire := a.Inquire(ctx, ref)
	_, refund := a.Refund(ctx, ref, ref.Money)
	return map[string]error{"Inquire": inquire, "Refund": refund, "Check": a.Check(ctx, nil)}
}

func someRef() acquirer.Ref {
	ref := refOf(somePayment())
	ref.ProviderReference, ref.Memo = "1500001", "SystemReference"
	return ref
}

func TestAMalformedReferenceIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	malformed := someRef()
	malformed.Reference = "../control"
	if _, err := newWorld(t).account.Inquire(t.Context(), malformed); !errors.Is(err, acquirer.ErrNotSent) {
		t.Errorf("%v, want ErrNotSent", err)
	}
}

// Money may have been taken while the browser got no answer: only the list knows.
func TestFaultsOfTheFormAreFoundByInquiry(t *testing.T) {
	t.Parallel()
	for fault, want := range map[fakes.Fault]acquirer.State{
		fakes.DropBefore: acquirer.StateNotFound, fakes.DropAfter: acquirer.StatePaid,
	} {
		w := newWorld(t)
		p := w.payment()
		form := w.begin(p)
		w.control("faults", fmt.Sprintf(`{"call":"form","faults":[%q]}`, fault))
		w.press(form, "pay", ordinary, right)
		w.wantState(p, want)
	}
}

func TestNoErrorHoldsASecret(t *testing.T) {
	t.Parallel()
	const leak = "CARD-4111-LEAK"
	var errs []error
	offline := newAccount(t, moamalat.Config{URL: "https://gateway.example"})
	for _, body := range []string{
		leak,
		`{"Message":"` + leak + `","Success":false}`,
		`{"Message":"CUBEEX12:` + leak + `","Success":false}`,
		`{"Message":"Authentication failed","Card":"` + leak + `"}`,
		`{"Success":true,"TotalCountAllTransaction":"` + leak + `"}`,
		`{"Success":{"` + leak + `":"` + leak + `"}}`,
		list("1", row(`AmountTrxn:"`+leak+`"`)),
		list("1", row(`Status:"`+leak+`"`)),
		list("1", row(`Currency:"`+leak+`"`)),
	} {
		for _, err := range askAll(t.Context(), stub(t, 200, "application/json", body), someRef()) {
			errs = append(errs, err)
		}
		_, err := offline.ParseNotification(acquirer.Message{Body: []byte(body)})
		errs = append(errs, err)
	}
	nowhere := newAccount(t, moamalat.Config{URL: acquirertest.Nowhere})
	for _, err := range askAll(t.Context(), nowhere, someRef()) {
		errs = append(errs, err)
	}
	for _, err := range errs {
		if err == nil {
			continue
		}
		for _, secret := range []string{leak, merchantID, terminalID, secureKey, notificationKey, reference} {
			if strings.Contains(strings.ToLower(err.Error()), strings.ToLower(secret)) {
				t.Errorf("error holds %q: %v", secret, err)
			}
		}
	}
}
