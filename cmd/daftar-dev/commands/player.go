package commands

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"daftar/cmd/daftar/cli"
)

// player makes payments happen at the sandbox. It acts as the shop that creates intents over
// the API and as the payer who fills in the checkout's forms. So every webhook comes from the
// real flow, and the API's credentials are all that is needed.
type player struct {
	cli.Client

	intent played
}

// played is the intent, as the API shows it.
type played struct {
	UUID              string `json:"uuid"`
	Reference         string `json:"reference"`
	MerchantReference string `json:"merchant_reference"`
	Status            string `json:"status"`
	CheckoutURL       string `json:"checkout_url"`
}

// askIntent has the API answer with the intent.
func (t *player) askIntent(ctx context.Context, method, path string, body any) error {
	var found struct {
		Data played `json:"data"`
	}
	err := t.Ask(ctx, method, path, body, &found)
	t.intent = found.Data
	return err
}

func (t *player) open(ctx context.Context) error {
	return t.askIntent(ctx, http.MethodPost, "/payment-intents", map[string]any{
		"merchant_reference": "trigger-" + uuid.NewString(), "amount": 5000, "currency": "LYD",
		"description": "Two coffees",
	})
}

// What is typed at the sandbox, and the last digits of its numbers (see its documentation).
const (
	codePays, codeDeclines         = "111111", "000000"
	numberOrdinary, numberPaysLate = 0, 6
)

// attempt fills in the checkout's forms; without a code it leaves when it is asked for one.
func (t *player) attempt(ctx context.Context, number int, code string) error {
	// A checkout takes a number a few times an hour: there are a thousand of each.
	phone := fmt.Sprintf("096000%03d%d", rand.IntN(1000), number) //nolint:gosec // no secret
	err := t.submit(ctx, "/attempts", url.Values{"method": {"wallet"}, "phone": {phone}})
	if err != nil || code == "" {
		return err
	}
	return t.submit(ctx, "/code", url.Values{"otp": {code}})
}

// submit sends a form of the checkout. One that was taken is answered by a redirect.
func (t *player) submit(ctx context.Context, form string, fields url.Values) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.intent.CheckoutURL+form,
		strings.NewReader(fields.Encode()))
	if err != nil {
		return fmt.Errorf("pay: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	code, _, err := t.Send(request)
	if err == nil && code != http.StatusSeeOther {
		err = fmt.Errorf("the checkout answers %d: does the application offer the sandbox? See %s", code,
			t.intent.CheckoutURL)
	}
	if err != nil {
		return fmt.Errorf("pay: %w", err)
	}
	return nil
}

// stop ends the intent; one that has ended stays as it is.
func (t *player) stop(ctx context.Context) error {
	return t.askIntent(ctx, http.MethodPost, "/payment-intents/"+t.intent.UUID+"/expire", nil)
}

func (t *player) openAndAttempt(ctx context.Context, number int, code string) error {
	if err := t.open(ctx); err != nil {
		return err
	}
	return t.attempt(ctx, number, code)
}

func (t *player) beginToPay(ctx context.Context) error {
	return t.openAndAttempt(ctx, numberOrdinary, "")
}

func (t *player) payNow(ctx context.Context) error {
	return t.openAndAttempt(ctx, numberOrdinary, codePays)
}

func (t *player) fail(ctx context.Context) error {
	return t.openAndAttempt(ctx, numberOrdinary, codeDeclines)
}

func (t *player) expireNow(ctx context.Context) error {
	if err := t.open(ctx); err != nil {
		return err
	}
	return t.stop(ctx)
}

func (t *player) payLate(ctx context.Context) error {
	if err := t.open(ctx); err != nil {
		return err
	}
	return t.declineAndStop(ctx)
}

// declineAndStop has the payment declined and the intent end: the sandbox takes the money after that.
func (t *player) declineAndStop(ctx context.Context) error {
	if t.intent.Status != "requires_payment_method" {
		return fmt.Errorf("the intent is %s: only one that is open can be paid late", t.intent.Status)
	}
	if err := t.attempt(ctx, numberPaysLate, codePays); err != nil {
		return err
	}
	return t.stop(ctx)
}

func (t *player) payTwice(ctx context.Context) error {
	if err := t.openAndAttempt(ctx, numberPaysLate, codePays); err != nil {
		return err
	}
	return t.attempt(ctx, numberOrdinary, codePays)
}
