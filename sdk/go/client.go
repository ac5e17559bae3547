package daftar

import (
	"context"
	"net/http"
)

const (
	intents = "payment-intents"
	refunds = "refunds"
)

// CreatedPaymentIntent is the answer to a create.
type CreatedPaymentIntent struct {
	Intent PaymentIntent
	// Replayed says that the intent existed before: this MerchantReference was used already. After a
	// lost answer that is how a repeated create ends, and nothing is wrong.
	Replayed bool
	// Differs has the fields, by their names in the API, in which this request differs from the intent
	// that exists. They were ignored. If there are any, two different orders have the same reference.
	Differs []string
}

// CreatedRefund is the answer to a create of a refund.
type CreatedRefund struct {
	Refund Refund
	// Replayed says that the refund existed before: this RefundReference was used already. After a lost
	// answer that is how a repeated create ends, and nothing is wrong.
	Replayed bool
	// Differs has the fields, by their names in the API, in which this request differs from the refund
	// that exists. They were ignored. If there are any, two different refunds have the same reference;
	// with payment_intent among them the refund is that of another intent.
	Differs []string
}

// Amount returns a pointer to an amount in minor units, for [CreateRefund].
func Amount(minor int64) *int64 { return &minor }

// CreatePaymentIntent creates an intent, or finds the one that was created with the same
// MerchantReference. Keep the reference with the order before you call: with it the call can be
// repeated.
func (c *Client) CreatePaymentIntent(
	ctx context.Context, fields CreatePaymentIntent,
) (*CreatedPaymentIntent, error) {
	body, err := encode(fields)
	if err != nil {
		return nil, err
	}
	a, err := send[PaymentIntent](ctx, c, request{
		method: http.MethodPost, path: "/" + intents, body: body, retryConflict: true,
	})
	if err != nil {
		return nil, err
	}
	return &CreatedPaymentIntent{Intent: *a.Data, Replayed: a.replayed(), Differs: a.differs()}, nil
}

// RetrievePaymentIntent returns the intent as it stands now. An order is paid only when its Status is
// [StatusSucceeded].
func (c *Client) RetrievePaymentIntent(ctx context.Context, uuid string) (*PaymentIntent, error) {
	return one[PaymentIntent](ctx, c, http.MethodGet, intents, uuid, "")
}

// ExpirePaymentIntent cancels an intent that nobody has begun to pay. One that is canceled already stays
// so; [ErrConflict] says that it is being paid or is paid.
func (c *Client) ExpirePaymentIntent(ctx context.Context, uuid string) (*PaymentIntent, error) {
	return one[PaymentIntent](ctx, c, http.MethodPost, intents, uuid, "/expire")
}

// ListPaymentIntentEvents returns what happened to an intent, oldest first.
func (c *Client) ListPaymentIntentEvents(ctx context.Context, uuid string) ([]PaymentIntentEvent, error) {
	return all[PaymentIntentEvent](ctx, c, uuid, "/events")
}

// CreateRefund gives money of a paid intent back, or finds the refund that was created with the same
// RefundReference. Keep the reference with the order before you call: with it the call can be repeated.
// A new refund is [RefundStatusPending]: how it ended is in a webhook, and in what RetrieveRefund
// returns. It needs an access token with the scope refunds; [ErrConflict] says that this money cannot go
// back.
func (c *Client) CreateRefund(
	ctx context.Context, intent string, fields CreateRefund,
) (*CreatedRefund, error) {
	path, err := pathOf(intents, intent)
	if err != nil {
		return nil, err
	}
	body, err := encode(fields)
	if err != nil {
		return nil, err
	}
	a, err := send[Refund](ctx, c, request{method: http.MethodPost, path: path + "/" + refunds, body: body})
	if err != nil {
		return nil, err
	}
	return &CreatedRefund{Refund: *a.Data, Replayed: a.replayed(), Differs: a.differs()}, nil
}

// ListRefunds returns all refunds of an intent, oldest first, also those that people requested.
func (c *Client) ListRefunds(ctx context.Context, intent string) ([]Refund, error) {
	return all[Refund](ctx, c, intent, "/"+refunds)
}

// RetrieveRefund returns the refund as it stands now.
func (c *Client) RetrieveRefund(ctx context.Context, uuid string) (*Refund, error) {
	return one[Refund](ctx, c, http.MethodGet, refunds, uuid, "")
}

// one asks, without a body, for what has a uuid.
func one[T any](ctx context.Context, c *Client, method, kind, uuid, action string) (*T, error) {
	path, err := pathOf(kind, uuid)
	if err != nil {
		return nil, err
	}
	a, err := send[T](ctx, c, request{method: method, path: path + action})
	return a.Data, err
}

// all asks for a list that belongs to an intent.
func all[T any](ctx context.Context, c *Client, intent, of string) ([]T, error) {
	list, err := one[[]T](ctx, c, http.MethodGet, intents, intent, of)
	if err != nil {
		return nil, err
	}
	return *list, nil
}
