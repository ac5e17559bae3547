package lypay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-json-experiment/json"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

const credits = "/api/v1/payments/credited-funds-transfers"

// errOtherPayee: money that went to another account does not pay.
var errOtherPayee = errors.New("the credit went to another account than the merchant's")

// Inquire implements acquirer.Acquirer.
func (a *account) Inquire(ctx context.Context, r acquirer.Ref) (acquirer.Report, error) {
	found, err := a.byReference(ctx, r.Reference)
	if err != nil {
		return acquirer.Report{}, fmt.Errorf("inquire payment: %w", err)
	}
	if len(found) == 0 {
		return acquirer.Report{State: acquirer.StateNotFound, Reference: r.Reference}, nil
	}
	paid, err := a.provePaid(ctx, r, found)
	if err != nil {
		return acquirer.Report{}, fmt.Errorf("inquire payment: %w", err)
	}
	if len(paid) == 0 {
		// Nothing was credited: there is no other amount than the one that was asked for.
		return acquirer.Report{State: acquirer.StatePending, Reference: r.Reference, Money: r.Money}, nil
	}
	return report(r, withKnown(r, paid))
}

// withKnown returns the credits, after the one that the memo has as the payment: a bank that
// reports one credit for a reference may report a second one later.
func withKnown(r acquirer.Ref, paid []transfer) []transfer {
	var m memo
	if r.Memo == "" || json.Unmarshal([]byte(r.Memo), &m) != nil || m.UUID == "" {
		return paid
	}
	known := transfer{uuid: m.UUID, reference: m.PaymentReference, timestamp: m.Timestamp, money: r.Money}
	if slices.ContainsFunc(paid, known.isSame) {
		return paid
	}
	return append([]transfer{known}, paid...)
}

// report reports one credit as the payment, the first of the exact amount or else the first, and
// the others as More.
func report(r acquirer.Ref, paid []transfer) (acquirer.Report, error) {
	chosen := max(slices.IndexFunc(paid, func(t transfer) bool { return t.amount() == r.Money }), 0)
	payment := paid[chosen]
	memo, err := json.Marshal(memo{payment.uuid, payment.reference, payment.timestamp})
	if err != nil {
		return acquirer.Report{}, fmt.Errorf("write memo: %w", err)
	}
	result := acquirer.Report{
		State: acquirer.StatePaid, Reference: r.Reference, Money: payment.amount(),
		ProviderReference: payment.reference, Memo: string(memo),
	}
	for n, t := range paid {
		if n != chosen {
			result.More = append(result.More, acquirer.Paid{Money: t.amount(), ProviderReference: t.reference})
		}
	}
	return result, nil
}

// memo is what Refund needs of a payment.
type memo struct {
	UUID             string `json:"uuid"`
	PaymentReference string `json:"payment_reference"`
	Timestamp        int64  `json:"timestamp"`
}

// byReference returns the credits under the reference, each once; none where the API says so.
func (a *account) byReference(ctx context.Context, reference string) ([]transfer, error) {
	if !isReference(reference) {
		return nil, fmt.Errorf("%w: reference is malformed", acquirer.ErrNotSent)
	}
	query := url.Values{"internal_merchant_reference": {reference}}
	answer, err := a.get(ctx, credits+"/by-internal-merchant-reference", query)
	if err != nil {
		return nil, err
	}
	if answer.Status == http.StatusNotFound && isRefusal(answer) {
		return nil, nil
	}
	given, _, err := rows(answer)
	if err != nil {
		return nil, err
	}
	var found []transfer
	for _, r := range given {
		t, err := r.transfer()
		switch {
		case err != nil:
			return nil, err
		case !r.hasReference(reference):
			return nil, errors.New("answer is about another payment")
		case t.state == "" || t.reference == "":
			return nil, errors.New("answer has no state or no payment reference")
		case !slices.ContainsFunc(found, t.isSame):
			found = append(found, t)
		}
	}
	return found, nil
}

func (a *account) get(ctx context.Context, path string, query url.Values) (exchange.Answer, error) {
	return a.ask(ctx, exchange.Request{Method: http.MethodGet, Path: path + "?" + query.Encode()})
}

// provePaid returns the credits that are paid, with their amounts. A stranger can make a code with
// our reference and another payee: such credits are skipped, and an error where there is nothing
// else.
func (a *account) provePaid(ctx context.Context, r acquirer.Ref, found []transfer) ([]transfer, error) {
	var paid []transfer
	others := 0
	for _, t := range found {
		if !t.isPaid() {
			continue
		}
		t, err := a.prove(ctx, r, t)
		switch {
		case errors.Is(err, errOtherPayee):
			others++
		case err != nil:
			return nil, err
		case t.isPaid():
			paid = append(paid, t)
		}
	}
	if others > 0 && others == len(found) {
		return nil, errOtherPayee
	}
	return paid, nil
}

// prove finds out how much was credited, and that the merchant got it.
func (a *account) prove(ctx context.Context, r acquirer.Ref, t transfer) (transfer, error) {
	t, err := a.trace(ctx, r, t, func(t transfer) bool {
		return t.isProven() || t.payee != "" && t.payee != a.settings.IBAN
	})
	switch {
	case t.payee != "" && t.payee != a.settings.IBAN:
		return transfer{}, errOtherPayee
	case err != nil:
		return transfer{}, err
	case t.amount().Currency != domain.LYD || t.amount().Minor <= 0:
		return transfer{}, errors.New("no answer proves the amount")
	}
	return t, nil
}
