package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/gorilla/mux"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/refunds"
	"daftar/projections"
)

// createRefund is POST /payment-intents/{uuid}/refunds.
func (a *api) createRefund(w http.ResponseWriter, r *http.Request) (operation, error) {
	body, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	wanted, err := decodeRefund(body)
	if err != nil {
		return nil, err
	}
	return a.ofIntent(w, r, func(
		ctx context.Context, c accounts.Credential, i projections.Intent,
	) (answer, error) {
		wanted.Intent = i.ID
		refund, created, err := a.Refunds.RequestFor(ctx, c, wanted)
		if err != nil {
			return answer{}, refusalOfRefund(err)
		}
		if created {
			return showRefund(http.StatusCreated, refund, nil)
		}
		return showRefund(http.StatusOK, refund, replayedRefund(wanted, refund))
	})
}

// listRefunds is GET /payment-intents/{uuid}/refunds.
func (a *api) listRefunds(w http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofIntent(w, r, func(
		ctx context.Context, c accounts.Credential, i projections.Intent,
	) (answer, error) {
		all, err := a.Refunds.OfApplication(ctx, c.Application, i.ID)
		if err != nil {
			return answer{}, err
		}
		body := data[[]refund]{make([]refund, len(all))}
		for n, one := range all {
			body.Data[n] = refundOf(one)
		}
		return answerWith(http.StatusOK, nil, body)
	})
}

// retrieveRefund is GET /refunds/{uuid}.
func (a *api) retrieveRefund(_ http.ResponseWriter, r *http.Request) (operation, error) {
	id, err := domain.ParseRefundID(mux.Vars(r)["uuid"])
	if err != nil {
		return nil, refunds.ErrNoRefund
	}
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		if err := a.Accounts.Confirm(ctx, c); err != nil {
			return answer{}, err
		}
		found, err := a.Refunds.Find(ctx, id)
		if err != nil {
			return answer{}, err
		}
		if found.Application != c.Application {
			return answer{}, errRefundForbidden
		}
		return showRefund(http.StatusOK, found, nil)
	}, nil
}

// refund is a refund as the API shows it.
type refund struct {
	UUID          domain.RefundID         `json:"uuid"`
	Reference     *domain.RefundReference `json:"refund_reference"`
	PaymentIntent uuid.UUID               `json:"payment_intent"`
	Attempt       domain.AttemptID        `json:"attempt"`
	Amount        int64                   `json:"amount"`
	Currency      domain.Currency         `json:"currency"`
	Status        refunds.Status          `json:"status"`
	Reason        *string                 `json:"reason"`
	FailureReason *string                 `json:"failure_reason"`
	CreatedAt     locale.Instant          `json:"created_at"`
	UpdatedAt     locale.Instant          `json:"updated_at"`
}

func refundOf(r refunds.Refund) refund {
	shown := refund{
		UUID:          r.ID,
		Reference:     r.Reference,
		PaymentIntent: uuid.UUID(r.Intent),
		Attempt:       r.Attempt,
		Amount:        r.Amount.Minor,
		Currency:      r.Amount.Currency,
		Status:        r.Status(),
		Reason:        r.Reason,
		CreatedAt:     locale.Instant(r.RequestedAt),
		UpdatedAt:     locale.Instant(r.UpdatedAt),
	}
	if reason := r.FailureReason(); reason != "" {
		shown.FailureReason = &reason
	}
	return shown
}

func showRefund(status int, r refunds.Refund, header http.Header) (answer, error) {
	return answerWith(status, header, data[refund]{refundOf(r)})
}

// refundFields are the fields of a refund's request.
var refundFields = map[string]bool{"refund_reference": true, "amount": true, "reason": true, "attempt": true}

// decodeRefund reads the body of a request for a refund; the path has the intent. Its errors are those
// of DecodeCreate.
func decodeRefund(body []byte) (refunds.Wanted, error) {
	sent, err := readFields(body, refundFields)
	if err != nil {
		return refunds.Wanted{}, err
	}
	var v validator
	reference := v.required("refund_reference", sent.field("refund_reference"), domain.MaxRefundReference)
	wanted := refunds.Wanted{Reference: domain.RefundReference(reference)}
	if n := sent.field("amount"); v.notRepeated("amount", n) && !n.isNull() {
		wanted.Amount = &domain.Money{Minor: v.minorUnits(n, 1), Currency: domain.LYD}
	}
	wanted.Reason = v.optional("reason", sent.field("reason"), domain.MaxRefundReason)
	if attempt := v.optional("attempt", sent.field("attempt"), maxAttempt); attempt != nil {
		wanted.Attempt = domain.AttemptID(*attempt)
	}
	if len(v.violations) > 0 {
		return refunds.Wanted{}, &InvalidError{v.violations}
	}
	return wanted, nil
}

// maxAttempt bounds the name of an attempt, in characters. Ours are shorter.
const maxAttempt = 64

// replayedRefund makes the headers of an answer that is that of an earlier request, as replayed does.
// An amount or attempt that was left out is not compared: the service chose it.
func replayedRefund(w refunds.Wanted, r refunds.Refund) http.Header {
	h := http.Header{headerReplayed: {"true"}}
	var names []string
	for _, field := range []struct {
		name string
		same bool
	}{
		{"payment_intent", w.Intent == r.Intent},
		{"amount", w.Amount == nil || *w.Amount == r.Amount},
		{"reason", equal(w.Reason, r.Reason)},
		{"attempt", w.Attempt == "" || w.Attempt == r.Attempt},
	} {
		if !field.same {
			names = append(names, field.name)
		}
	}
	if len(names) > 0 {
		h.Set(headerDiffers, strings.Join(names, ", "))
	}
	return h
}

// refusalOfRefund turns an error of refunds.Operations that is about a field, or whose sentence depends
// on it, into one of this package.
func refusalOfRefund(err error) error {
	tooLarge, less := errors.AsType[*refunds.TooLargeError](err)
	noCall, cannot := errors.AsType[*refunds.NoCallError](err)
	switch {
	case less && tooLarge.Free.Minor > 0:
		return &InvalidError{[]Violation{{"amount", []string{fmt.Sprintf(
			"The amount is more than the %d (%s) that is left of this payment.",
			tooLarge.Free.Minor, tooLarge.Free)}}}}
	case less:
		return refunds.ErrNothingLeft
	case errors.Is(err, refunds.ErrNoAttempt):
		return &InvalidError{[]Violation{{"attempt",
			[]string{"The attempt is not one of this payment intent that was paid."}}}}
	case cannot:
		return &conflictError{noCall, "The provider of this payment (" + noCall.Acquirer +
			") cannot be asked for refunds: a person can give the money back and record it in the dashboard."}
	}
	return fmt.Errorf("request refund: %w", err)
}
