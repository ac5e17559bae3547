package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"daftar/cmd/daftar/cli"
)

// player makes payments happen at the sandbox. It acts as the shop that creates intents over
// the API, as the payer who fills in the checkout's forms, and as the sandbox's control. So
// every webhook comes from the real flow.
type player struct {
	cli.Client

	sandbox string // base address of the sandbox acquirer, for its control
	intent  played
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
	numberOrdinary, numberDeclined = 0, 4
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

// settle has the sandbox find that it took the money of the attempt it had declined.
func (t *player) settle(ctx context.Context) error {
	var payments []struct {
		ID    string `json:"id"`
		State string `json:"state"`
	}
	err := t.control(ctx, http.MethodGet, "/control/payments?intent="+t.intent.UUID, "", &payments)
	if err != nil {
		return err
	}
	for _, one := range payments {
		if one.State == "declined" {
			return t.control(ctx, http.MethodPost, "/control/payments/"+one.ID+"/settle",
				`{"outcome":"paid"}`, nil)
		}
	}
	return fmt.Errorf("the sandbox at %s knows no declined payment of intent %s: "+
		"is it the one that the server uses?", t.sandbox, t.intent.UUID)
}

// control calls the sandbox's control, which answers programs on the same machine only.
func (t *player) control(ctx context.Context, method, path, body string, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, t.sandbox+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask the sandbox's control: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	code, answer, err := t.Send(request)
	switch {
	case err != nil:
		return fmt.Errorf("ask the sandbox's control: %w", err)
	case code != http.StatusOK:
		return fmt.Errorf("the sandbox's control answers %d: %s", code, cli.Sentence(answer))
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("read the answer of the sandbox's control: %w", err)
	}
	return nil
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
	return t.declineStopSettle(ctx)
}

func (t *player) declineStopSettle(ctx context.Context) error {
	if t.intent.Status != "requires_payment_method" {
		return fmt.Errorf("the intent is %s: only one that is open can be paid late", t.intent.Status)
	}
	if err := t.attempt(ctx, numberDeclined, codePays); err != nil {
		return err
	}
	if err := t.stop(ctx); err != nil {
		return err
	}
	return t.settle(ctx)
}

func (t *player) payTwice(ctx context.Context) error {
	if err := t.openAndAttempt(ctx, numberDeclined, codePays); err != nil {
		return err
	}
	if err := t.attempt(ctx, numberOrdinary, codePays); err != nil {
		return err
	}
	return t.settle(ctx)
}
