package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"daftar/accounts"
	"daftar/domain"
	"daftar/projections"
)

// defaultListed is how many intents a page of the list has where the request has no limit.
const defaultListed = 25

// list is GET /payment-intents.
func (a *api) list(_ http.ResponseWriter, r *http.Request) (operation, error) {
	asked, err := readListing(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		if err := a.Accounts.Confirm(ctx, c); err != nil {
			return answer{}, err
		}
		asked.Application = c.Application
		if asked.reference != "" {
			asked.ID = new(c.Namespace.IntentID(asked.reference))
		}
		page, err := a.Ledger.List(ctx, asked.Listing)
		if err != nil {
			return answer{}, fmt.Errorf("list intents: %w", err)
		}
		return a.showPage(page)
	}, nil
}

func (a *api) showPage(page projections.Listed) (answer, error) {
	body := resources{Data: make([]resource, len(page.Intents))}
	for n, i := range page.Intents {
		body.Data[n] = resourceOf(i, a.PublicURL)
	}
	if page.Next != "" {
		body.NextCursor = &page.Next
	}
	return answerWith(http.StatusOK, nil, body)
}

// resources is a page of the list.
type resources struct {
	Data       []resource `json:"data"`
	NextCursor *string    `json:"next_cursor"`
}

// listing is the query of a request.
type listing struct {
	projections.Listing

	reference domain.MerchantReference // empty: any
}

var listingParameters = []parameter[listing]{
	{"cursor", func(v *validator, l *listing, name, text string) {
		if !projections.IsNext(text) {
			v.add(name, "The cursor must be the next_cursor of an earlier answer.")
		}
		l.Cursor = text
	}},
	{"limit", func(v *validator, l *listing, name, text string) {
		l.Limit = v.limit(name, text, projections.MaxListed)
	}},
	{"merchant_reference", func(v *validator, l *listing, name, text string) {
		if text == "" {
			v.add(name, "The merchant_reference must not be empty.")
		}
		v.bounded(name, text, domain.MaxMerchantReference)
		l.reference = domain.MerchantReference(text)
	}},
	{"status", func(v *validator, l *listing, name, text string) {
		l.Status = domain.Status(text)
		if !slices.Contains(domain.Statuses(), l.Status) {
			v.add(name, "The status must be requires_payment_method, processing, succeeded or canceled.")
		}
	}},
	{"created_from", func(v *validator, l *listing, name, text string) { l.From = v.queryInstant(name, text) }},
	{"created_to", func(v *validator, l *listing, name, text string) { l.To = v.queryInstant(name, text) }},
	{"customer_external_id", func(v *validator, l *listing, name, text string) {
		v.bounded(name, text, domain.MaxCustomerExternalID)
		l.Customer = &text
	}},
}

func readListing(query string) (listing, error) {
	l := listing{Listing: projections.Listing{Limit: defaultListed}}
	err := readQuery(query, &l, listingParameters)
	return l, err
}
