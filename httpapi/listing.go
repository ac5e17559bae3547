package httpapi

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/plaintext"
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

// listingParameters are the parameters of the query, in the order in which violations are named.
var listingParameters = []struct {
	name string
	read func(v *validator, l *listing, name, text string)
}{
	{"cursor", func(v *validator, l *listing, name, text string) {
		if !projections.IsNext(text) {
			v.add(name, "The cursor must be the next_cursor of an earlier answer.")
		}
		l.Cursor = text
	}},
	{"limit", func(v *validator, l *listing, name, text string) {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil || n < 1 || n > projections.MaxListed {
			v.add(name, fmt.Sprintf("The limit must be an integer from 1 to %d.", projections.MaxListed))
		}
		l.Limit = int(n)
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

// readListing reads a query. Unlike in a body, an unknown name is refused: a list without the
// intended filter would be a wrong answer.
func readListing(query string) (listing, error) {
	sent, err := url.ParseQuery(query)
	if err != nil {
		return listing{}, &MalformedError{"The query cannot be read: it has a broken escape or a semicolon."}
	}
	l := listing{Listing: projections.Listing{Limit: defaultListed}}
	var v validator
	for _, p := range listingParameters {
		switch values := sent[p.name]; {
		case len(values) > 1:
			v.add(p.name, "The "+p.name+" "+faultRepeated+".")
		case len(values) == 1 && !plaintext.Storable(values[0]):
			v.add(p.name, "The "+p.name+" must be UTF-8 without the NUL character.")
		case len(values) == 1:
			p.read(&v, &l, p.name, values[0])
		}
		delete(sent, p.name)
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		if !utf8.ValidString(name) {
			return listing{}, &MalformedError{"The query cannot be read: a name in it is not UTF-8."}
		}
		v.add(name, "There is no parameter "+name+".")
	}
	if len(v.violations) > 0 {
		return listing{}, &InvalidError{v.violations}
	}
	return l, nil
}

func (v *validator) bounded(name, text string, limit int) {
	v.within(name, node{text: text}, limit)
}

// lostPlus matches a date-time whose offset begins with a space: an unescaped + in a query is
// read as a space.
var lostPlus = regexp.MustCompile(`[Tt]\S+ \d{2}(:?\d{2})?(\[.*)?$`)

// queryInstant reads a date-time of a query.
func (v *validator) queryInstant(name, text string) (t time.Time) {
	if lostPlus.MatchString(text) {
		v.add(name, "The "+name+" has a space: in a query + is written %2B.")
		return t
	}
	return v.instant(name, text)
}
