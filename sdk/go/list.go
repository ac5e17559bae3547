package daftar

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// ListFilter says which intents are listed, and how many at a time. What is zero does not filter.
type ListFilter struct {
	MerchantReference  string
	Status             Status
	CustomerExternalID string
	CreatedFrom        time.Time // at this moment or later
	CreatedTo          time.Time // at this moment or earlier
	Limit              int       // how many intents a page has at most, 1 to 100; zero: 25
	Cursor             string    // the NextCursor of an earlier page
}

func (f ListFilter) query() string {
	query := url.Values{}
	set := func(name, value string, is bool) {
		if is {
			query.Set(name, value)
		}
	}
	set("merchant_reference", f.MerchantReference, f.MerchantReference != "")
	set("status", string(f.Status), f.Status != "")
	set("customer_external_id", f.CustomerExternalID, f.CustomerExternalID != "")
	set("created_from", f.CreatedFrom.Format(time.RFC3339Nano), !f.CreatedFrom.IsZero())
	set("created_to", f.CreatedTo.Format(time.RFC3339Nano), !f.CreatedTo.IsZero())
	set("limit", strconv.Itoa(f.Limit), f.Limit != 0)
	set("cursor", f.Cursor, f.Cursor != "")
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// ListPaymentIntents returns one page of this application's intents, newest first.
func (c *Client) ListPaymentIntents(ctx context.Context, filter ListFilter) (*PaymentIntentPage, error) {
	r := request{method: http.MethodGet, path: "/" + intents + filter.query()}
	a, err := send[[]PaymentIntent](ctx, c, r)
	if err != nil {
		return nil, err
	}
	return &PaymentIntentPage{Data: *a.Data, NextCursor: a.NextCursor}, nil
}

// PaymentIntents yields all of this application's intents that match, newest first, page after page. An
// error is yielded once, and ends it.
func (c *Client) PaymentIntents(ctx context.Context, filter ListFilter) iter.Seq2[PaymentIntent, error] {
	return func(yield func(PaymentIntent, error) bool) {
		following := filter
		for {
			page, err := c.ListPaymentIntents(ctx, following)
			if err != nil {
				yield(PaymentIntent{}, err)
				return
			}
			for _, intent := range page.Data {
				if !yield(intent, nil) {
					return
				}
			}
			if page.NextCursor == "" {
				return
			}
			following.Cursor = page.NextCursor
		}
	}
}
