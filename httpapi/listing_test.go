package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
)

// page is an answer of the list, each intent as its bytes.
type page struct {
	Data []json.RawMessage `json:"data"`
	Next *string           `json:"next_cursor"`
}

func (s *service) listAs(t *testing.T, m merchant, query string) reply {
	t.Helper()
	return s.do(t, m.request(t, http.MethodGet, s.server.URL+httpapi.Prefix+"/payment-intents?"+query, ""))
}

func (s *service) list(t *testing.T, query string) page {
	t.Helper()
	r := s.listAs(t, s.merchant, query)
	var p page
	if err := json.Unmarshal([]byte(r.body), &p); err != nil || r.status != http.StatusOK || p.Data == nil {
		t.Fatalf("%s: %d %s, %v", query, r.status, r.body, err)
	}
	return p
}

// execute changes an intent as the checkout does.
func (s *service) execute(t *testing.T, intent string, commands ...domain.Command) {
	t.Helper()
	id, err := domain.ParseIntentID(intent)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		if _, err := s.ledger.Execute(t.Context(), id, c, ledger.Origin{Actor: "payer"}); err != nil {
			t.Fatalf("%T: %v", c, err)
		}
	}
}

// The list has the same resource as a retrieval, newest first, a page at a time, and only
// intents of the application. It is read right after the creates.
func TestListIsOfTheApplicationNewestFirst(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	if empty := s.listAs(t, s.merchant, ""); empty.body != `{"data":[],"next_cursor":null}` {
		t.Errorf("nothing is listed as %d %s", empty.status, empty.body)
	}
	sibling := s.newApplication(t, s.merchant.app.Organization)
	var want []string
	for n := range 5 {
		s.create(t, sibling, bodyWith("merchant_reference", fmt.Sprintf(`"theirs-%d"`, n)))
		body := bodyWith("merchant_reference", fmt.Sprintf(`"order-%d"`, n), "metadata", `{"z":"1","a":""}`)
		id := s.create(t, s.merchant, body).field(t, "uuid").(string)
		retrieved := s.retrieve(t, s.merchant, id).body
		want = slices.Insert(want, 0, strings.TrimSuffix(strings.TrimPrefix(retrieved, `{"data":`), "}"))
	}
	query := "limit=2"
	var got []string
	for pages := 1; ; pages++ {
		p := s.list(t, query)
		for _, intent := range p.Data {
			got = append(got, string(intent))
		}
		if p.Next == nil {
			if pages != 3 {
				t.Errorf("%d pages of two, want 3", pages)
			}
			break
		}
		query = "limit=2&cursor=" + url.QueryEscape(*p.Next)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-retrieved +listed):\n%s", diff)
	}
	if got := s.list(t, "").Data; len(got) != 5 {
		t.Errorf("%d without a limit, want all 5", len(got))
	}
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	create := func(reference, customer string) reply {
		t.Helper()
		return s.create(t, s.merchant, bodyWith(
			"merchant_reference", `"`+reference+`"`,
			"customer", `{"external_id":`+customer+`}`))
	}
	first, second, third := create("one + & é", `"c-1"`), create("two", `"c-2"`), create("three", `null`)
	s.execute(t, second.field(t, "uuid").(string), domain.StartAttempt{Attempt: "a"}, paid)
	at := func(r reply) string { return url.QueryEscape(r.field(t, "created_at").(string)) }
	for _, row := range []struct {
		query string
		want  []reply
	}{
		{"merchant_reference=" + url.QueryEscape("one + & é"), []reply{first}},
		{"merchant_reference=One", nil},
		{"merchant_reference=two&status=succeeded&customer_external_id=c-2" +
			"&created_from=" + at(second) + "&created_to=" + at(second), []reply{second}},
		{"merchant_reference=two&status=canceled", nil},
		{"merchant_reference=two&customer_external_id=c-1", nil},
		{"merchant_reference=two&created_from=" + at(third), nil},
		{"status=succeeded", []reply{second}},
		{"status=requires_payment_method", []reply{third, first}},
		{"status=processing", nil},
		{"status=canceled", nil},
		{"customer_external_id=c-1", []reply{first}},
		{"customer_external_id=c-1&status=succeeded", nil},
		{"customer_external_id=", nil},
		{"created_from=" + at(second), []reply{third, second}},
		{"created_to=" + at(second), []reply{second, first}},
		{"created_from=" + at(second) + "&created_to=" + at(second), []reply{second}},
		{"created_from=2001-01-01T00:00Z&created_to=2002-01-01T00:00%2B02:00", nil},
		{"created_from=20010101T000000Z&created_to=2002-W01-1T00:00:00,5%E2%88%9202:00", nil},
		{"created_to=2001-365T24:00Z", nil},
	} {
		p := s.list(t, row.query)
		var got, want []string
		for _, intent := range p.Data {
			got = append(got, reply{body: `{"data":` + string(intent) + `}`}.field(t, "merchant_reference").(string))
		}
		for _, r := range row.want {
			want = append(want, r.field(t, "merchant_reference").(string))
		}
		if diff := cmp.Diff(want, got); diff != "" || p.Next != nil {
			t.Errorf("%s, next %v (-want +listed):\n%s", row.query, p.Next, diff)
		}
	}
}

func TestListRefuses(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	const noTime = " must be an ISO 8601 date-time with an offset, such as 2026-11-21T10:00:00Z."
	const blank = " contains a blank: ISO 8601 has a T between date and time, and no blank anywhere."
	long := strings.Repeat("%D8%AF", 256)
	for _, row := range []struct{ query, field, sentence string }{
		{"cursor=x", "cursor", "The cursor must be the next_cursor of an earlier answer."},
		{"cursor=x&merchant_reference=none", "cursor", "The cursor must be the next_cursor of an earlier answer."},
		{"limit=0", "limit", "The limit must be an integer from 1 to 100."},
		{"limit=101", "limit", "The limit must be an integer from 1 to 100."},
		{"limit=", "limit", "The limit must be an integer from 1 to 100."},
		{"limit=ten", "limit", "The limit must be an integer from 1 to 100."},
		{"limit=5&limit=5", "limit", "The limit is given more than once."},
		{"merchant_reference=", "merchant_reference", "The merchant_reference must not be empty."},
		{"merchant_reference=" + long, "merchant_reference",
			"The merchant_reference must be at most 255 characters."},
		{"merchant_reference=a%00b", "merchant_reference",
			"The merchant_reference must be UTF-8 without the NUL character."},
		{"customer_external_id=" + long, "customer_external_id",
			"The customer_external_id must be at most 255 characters."},
		{"customer_external_id=%FF", "customer_external_id",
			"The customer_external_id must be UTF-8 without the NUL character."},
		{"status=paid", "status", "The status must be requires_payment_method, processing, succeeded or canceled."},
		{"status=", "status", "The status must be requires_payment_method, processing, succeeded or canceled."},
		{"created_from=yesterday", "created_from", "The created_from" + noTime},
		{"created_to=2026-11-21", "created_to",
			"The created_to has no time of day: add it with its offset, such as T10:00:00Z."},
		{"created_to=2026-11-21+10:00:00Z", "created_to", "The created_to" + blank},
		{"created_to=2026-11-21%2010:00", "created_to", "The created_to" + blank},
		{"created_to=2026-11-21T10:00:00%2B02:00%5BAfrica/Tripoli%5D", "created_to",
			"The created_to ends with a name in brackets, which ISO 8601 does not have: send it without."},
		{"created_from=2026-11-21T10:00:00", "created_from",
			"The created_from must end with an offset from UTC: Z, or for example +02:00."},
		{"created_from=2026-11-21T10:00:00+02:00", "created_from",
			"The created_from has a space: in a query + is written %2B."},
		{"created_from=20261121T100000+0200", "created_from",
			"The created_from has a space: in a query + is written %2B."},
		{"created_to=2026-02-30T10:00:00Z", "created_to", "The created_to is a date or time that does not exist."},
		{"merchantreference=order-1", "merchantreference", "There is no parameter merchantreference."},
	} {
		got := s.listAs(t, s.merchant, row.query)
		want := fmt.Sprintf(`{"message":%q,"errors":{%q:[%q]}}`, row.sentence, row.field, row.sentence)
		if got.status != 422 || got.body != want {
			t.Errorf("%.80s: got %d %s\nwant 422 %s", row.query, got.status, got.body, want)
		}
	}
	two := s.listAs(t, s.merchant, "limit=0&status=x")
	if two.status != 422 || !strings.Contains(two.body, "(and 1 more error)") {
		t.Errorf("two at once: %d %s", two.status, two.body)
	}
	for _, query := range []string{"limit=%zz", "a;b", "%FF=1"} {
		got := s.listAs(t, s.merchant, query)
		if got.status != http.StatusBadRequest || !strings.Contains(got.body, "The query cannot be read") {
			t.Errorf("%s: %d %s, want 400", query, got.status, got.body)
		}
	}
}

// A changed credential stops working at once for the list, events and expire, also where the
// request is wrong in other ways.
func TestExtensionsNeedACurrentCredential(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	paths := map[string]string{
		"/payment-intents":                   http.MethodGet,
		"/payment-intents?limit=0":           http.MethodGet,
		"/payment-intents/" + id + "/events": http.MethodGet,
		"/payment-intents/" + id + "/expire": http.MethodPost,
	}
	send := func(m merchant, path string) reply {
		return s.do(t, m.request(t, paths[path], s.server.URL+httpapi.Prefix+path, ""))
	}
	for path := range paths {
		send(s.merchant, path)
	}
	s.rollKey(t, s.merchant)
	for path := range paths {
		if got := send(s.merchant, path); got.status != http.StatusUnauthorized {
			t.Errorf("%s with a rolled key: %d %s", path, got.status, got.body)
		}
	}
}
