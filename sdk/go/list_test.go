package daftar_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"testing"
	"time"

	daftar "daftar/sdk/go"
)

// page is a page of intents with these references.
func page(cursor string, references ...string) string {
	text := ""
	for n, reference := range references {
		if n > 0 {
			text += ","
		}
		text += fmt.Sprintf(`{"uuid":%q,"merchant_reference":%q}`, uuid, reference)
	}
	if cursor == "" {
		return `{"data":[` + text + `],"next_cursor":null}`
	}
	return fmt.Sprintf(`{"data":[%s],"next_cursor":%q}`, text, cursor)
}

func TestFilters(t *testing.T) {
	t.Parallel()
	tripoli := time.FixedZone("", 2*60*60)
	for _, of := range []struct {
		filter daftar.ListFilter
		want   url.Values
	}{
		{daftar.ListFilter{}, url.Values{}},
		{daftar.ListFilter{Limit: -1}, url.Values{"limit": {"-1"}}}, // the service says what is wrong
		{daftar.ListFilter{
			MerchantReference: "طلب 1&2", Status: daftar.StatusSucceeded, CustomerExternalID: "c+7",
			CreatedFrom: time.Date(2026, 11, 20, 0, 0, 0, 0, tripoli),
			CreatedTo:   time.Date(2026, 11, 20, 23, 59, 59, 999_999_000, tripoli), Limit: 100, Cursor: "a/b=",
		}, url.Values{
			"merchant_reference": {"طلب 1&2"}, "status": {"succeeded"}, "customer_external_id": {"c+7"},
			"created_from": {"2026-11-20T00:00:00+02:00"}, "created_to": {"2026-11-20T23:59:59.999999+02:00"},
			"limit": {"100"}, "cursor": {"a/b="},
		}},
	} {
		s := serve(t, says(200, page("next", "a", "b")))
		c, _ := client(t, s.config(), 1)
		got, err := c.ListPaymentIntents(context.Background(), of.filter)
		if err != nil || len(got.Data) != 2 || got.NextCursor != "next" {
			t.Errorf("%+v, %v", got, err)
		}
		r := s.requests()[0]
		if !reflect.DeepEqual(r.URL.Query(), of.want) || r.URL.Path != "/api/v1/payment-intents" {
			t.Errorf("asked for %v, want %v", r.URL, of.want)
		}
	}
}

// All intents come once, in order, also after a page without any; the filter stays as it was.
func TestPaymentIntents(t *testing.T) {
	t.Parallel()
	pages := []http.HandlerFunc{says(200, page("1", "a", "b")), says(200, page("2")), says(200, page("", "c"))}
	s := serve(t, append(pages, pages...)...)
	c, _ := client(t, s.config(), 1)
	all := c.PaymentIntents(context.Background(), daftar.ListFilter{Limit: 2})
	for range 2 {
		var got []string
		for one, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, one.MerchantReference)
		}
		if fmt.Sprint(got) != "[a b c]" {
			t.Errorf("yielded %v", got)
		}
	}
	var asked []string
	for _, r := range s.requests() {
		asked = append(asked, r.URL.RawQuery)
	}
	once := "limit=2 cursor=1&limit=2 cursor=2&limit=2"
	if fmt.Sprint(asked) != "["+once+" "+once+"]" {
		t.Errorf("asked for %v", asked)
	}
}

// A consumer that stops is asked no more, and no page is fetched for it.
func TestStoppedIteration(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, page("1", "a", "b")))
	c, _ := client(t, s.config(), 1)
	for one := range c.PaymentIntents(context.Background(), daftar.ListFilter{}) {
		if one.MerchantReference == "b" {
			break
		}
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// An error comes once, after what was found, and ends the iteration even of those who go on.
func TestErrorOfAnIteration(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, page("1", "a")), says(403, `{"message":"No."}`))
	c, _ := client(t, s.config(), 1)
	found, failed := 0, 0
	for one, err := range c.PaymentIntents(context.Background(), daftar.ListFilter{}) {
		switch {
		case err == nil:
			found++
		case errors.Is(err, daftar.ErrPermission) && one.UUID == "":
			failed++
		default:
			t.Errorf("%+v, %v", one, err)
		}
	}
	if found != 1 || failed != 1 {
		t.Errorf("%d intents and %d errors", found, failed)
	}
}

func TestListsOfAnIntent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := serve(t,
		says(200, `{"data":[
			{"sequence":1,"type":"payment_intent.created","at":"2026-11-21T10:00:00.000000Z","amount":5000},
			{"sequence":2,"type":"payment_intent.frozen","at":"2026-11-21T10:00:01Z","reason":"new","by":{}}]}`),
		says(200, `{"data":[{"uuid":"`+uuid+`","status":"failed","failure_reason":"not_sent"}]}`),
		says(200, `{"data":[]}`), says(404, `{"message":"Not found."}`))
	c, _ := client(t, s.config(), 1)
	events, err := c.ListPaymentIntentEvents(ctx, uuid)
	if err != nil || len(events) != 2 || events[0].Type != daftar.EventTypePaymentIntentCreated ||
		events[1].Type != "payment_intent.frozen" || events[1].Reason != "new" {
		t.Errorf("%+v, %v", events, err)
	}
	refunds, err := c.ListRefunds(ctx, uuid)
	if err != nil || len(refunds) != 1 || refunds[0].FailureReason != daftar.ReasonNotSent {
		t.Errorf("%+v, %v", refunds, err)
	}
	if refunds, err := c.ListRefunds(ctx, uuid); err != nil || len(refunds) != 0 {
		t.Errorf("%+v, %v", refunds, err)
	}
	if refunds, err := c.ListRefunds(ctx, uuid); !errors.Is(err, daftar.ErrNotFound) || refunds != nil {
		t.Errorf("%+v, %v", refunds, err)
	}
	for n, want := range []string{"/events", "/refunds"} {
		if got := s.requests()[n].URL.Path; got != "/api/v1/payment-intents/"+uuid+want {
			t.Errorf("asked for %s", got)
		}
	}
}
