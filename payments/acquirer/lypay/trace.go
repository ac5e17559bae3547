package lypay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// maxPages bounds how far one day's list is read.
const maxPages = 20

// errNotInAnswer: there was an answer, but without this credit.
var errNotInAnswer = errors.New("no answer has this credit")

// trace asks for what the transfer lacks, until there is enough. After a request that fails the
// next one is tried: a bank may not offer all of them. The error joins those of all requests.
func (a *account) trace(
	ctx context.Context, r acquirer.Ref, t transfer, enough func(transfer) bool,
) (transfer, error) {
	type request func(context.Context, acquirer.Ref, transfer) (transfer, error)
	var failed []error
	for _, ask := range []request{a.askTransfer, a.askLists, a.askDetails} {
		if enough(t) {
			return t, nil
		}
		more, err := ask(ctx, r, t)
		switch {
		case errors.Is(err, acquirer.ErrAccount) || errors.Is(err, errManyRequests) || ctx.Err() != nil:
			return t, errors.Join(err, ctx.Err()) // the next would only fail as well
		case err != nil:
			failed = append(failed, err)
			continue
		}
		t, err = t.with(more)
		if err != nil {
			return transfer{}, err
		}
	}
	if enough(t) {
		return t, nil
	}
	return t, fmt.Errorf("no answer tells enough of the credit: %w", errors.Join(failed...))
}

func (a *account) askTransfer(ctx context.Context, _ acquirer.Ref, t transfer) (transfer, error) {
	if !t.isRefundable() {
		return transfer{}, errors.New("ask for transfer: it has no timestamp")
	}
	answer, err := a.get(ctx, "/api/v1/payments/funds-transfers/"+t.uuid, url.Values{
		"paymentReference": {t.reference}, "transactionTimestamp": {strconv.FormatInt(t.timestamp, 10)},
	})
	if err != nil {
		return transfer{}, fmt.Errorf("ask for transfer: %w", err)
	}
	return readOne(answer, t, "ask for transfer")
}

// askDetails asks by the number that card networks use.
func (a *account) askDetails(ctx context.Context, _ acquirer.Ref, t transfer) (transfer, error) {
	if t.rrn == "" {
		return transfer{}, errors.New("ask for details: there is no retrieval number")
	}
	answer, err := a.ask(ctx, exchange.Request{
		Method: http.MethodPost, Path: "/api/v1/payments/details",
		JSON: struct {
			RRN              string `json:"rrn"`
			PaymentReference string `json:"paymentReference,omitempty"`
		}{t.rrn, t.reference},
	})
	if err != nil {
		return transfer{}, fmt.Errorf("ask for details: %w", err)
	}
	return readOne(answer, t, "ask for details")
}

// readOne reads the one credit that an answer has, which must be t.
func readOne(answer exchange.Answer, t transfer, doing string) (transfer, error) {
	given, _, err := rows(answer)
	if err != nil {
		return transfer{}, fmt.Errorf("%s: %w", doing, err)
	}
	if len(given) != 1 {
		return transfer{}, fmt.Errorf("%s: %w", doing, errNotInAnswer)
	}
	found, err := given[0].transfer()
	switch {
	case err != nil:
		return transfer{}, fmt.Errorf("%s: %w", doing, err)
	case !found.isSame(t):
		return transfer{}, fmt.Errorf("%s: %w", doing, errNotInAnswer)
	}
	return found, nil
}

// askLists looks for the transfer in the lists of credits of the days around it.
func (a *account) askLists(ctx context.Context, r acquirer.Ref, t transfer) (transfer, error) {
	var failed []error
	for _, day := range a.days(r, t) {
		found, err := a.askList(ctx, day, t)
		switch {
		case err == nil:
			return found, nil
		case errors.Is(err, acquirer.ErrAccount) || errors.Is(err, errManyRequests) || ctx.Err() != nil:
			return transfer{}, err
		case !errors.Is(err, errNotInAnswer):
			failed = append(failed, err)
		}
	}
	if len(failed) > 0 {
		return transfer{}, fmt.Errorf("ask for credits: %w", errors.Join(failed...))
	}
	return transfer{}, fmt.Errorf("ask for credits: %w", errNotInAnswer)
}

// days returns the day of the transfer, if its time is known, or else the days of now and of the
// payment's beginning; and the days before and after each, because banks end a day at different
// times.
func (a *account) days(r acquirer.Ref, t transfer) []string {
	around := []time.Time{a.now(), r.BegunAt}
	if t.timestamp > 0 {
		around = []time.Time{time.Unix(t.timestamp, 0)}
	}
	var days []string
	for _, at := range around {
		if at.IsZero() {
			continue
		}
		for _, shift := range []int{0, -1, 1} {
			day := at.In(tripoli).AddDate(0, 0, shift).Format(time.DateOnly)
			if !slices.Contains(days, day) {
				days = append(days, day)
			}
		}
	}
	return days
}

// askList reads a day's list page by page. The page parameters are not documented: where the
// answer does not say how many pages there are, the list ends with a page without new rows.
func (a *account) askList(ctx context.Context, day string, t transfer) (transfer, error) {
	seen := map[string]bool{}
	for page := 1; page <= maxPages; page++ {
		query := url.Values{"filter[date]": {day}}
		if page > 1 {
			query.Set("page", strconv.Itoa(page))
		}
		answer, err := a.get(ctx, credits, query)
		if err != nil {
			return transfer{}, err
		}
		given, last, err := rows(answer)
		if err != nil {
			return transfer{}, err
		}
		anyNew := false
		for _, r := range given {
			// Only this credit's amount is read: an error in other rows does not matter.
			if id := (transfer{uuid: string(r.UUID), reference: string(r.PaymentReference)}); id.isSame(t) {
				return r.transfer()
			}
			key := string(r.UUID) + " " + string(r.PaymentReference)
			anyNew = anyNew || !seen[key]
			seen[key] = true
		}
		if !anyNew || string(last) == strconv.Itoa(page) {
			return transfer{}, errNotInAnswer
		}
	}
	return transfer{}, fmt.Errorf("list of a day has more than %d pages", maxPages)
}
