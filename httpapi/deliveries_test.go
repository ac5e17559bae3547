package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

func (s *service) deliveries(t *testing.T, m merchant, after string) (httpapi.Deliveries, reply) {
	t.Helper()
	query := ""
	if after != "" {
		query = "?after=" + url.QueryEscape(after)
	}
	r := s.do(t, m.request(t, http.MethodGet, s.server.URL+httpapi.Prefix+"/webhook-deliveries"+query, ""))
	var page httpapi.Deliveries
	if r.status == http.StatusOK {
		if err := json.Unmarshal([]byte(r.body), &page); err != nil {
			t.Fatalf("%s: %v", r.body, err)
		}
	}
	return page, r
}

// A developer without a public address can read the signed webhooks of an application, from the
// moment on at which they began to listen.
func TestDeliveriesForAForwarder(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	neighbour := s.newApplication(t, s.merchant.app.Organization)
	s.create(t, s.merchant, bodyWith("merchant_reference", `"before"`))
	began, _ := s.deliveries(t, s.merchant, "")
	if len(began.Data) != 0 || began.Next == "" {
		t.Fatalf("the beginning is %+v", began)
	}
	s.create(t, neighbour, bodyWith("merchant_reference", `"theirs"`))
	created := s.create(t, s.merchant, bodyWith("merchant_reference", `"ours"`))

	page, _ := s.deliveries(t, s.merchant, began.Next)
	if len(page.Data) != 1 || page.Data[0].Type != "payment_intent.created" ||
		!strings.Contains(page.Data[0].Body, created.field(t, "uuid").(string)) {
		t.Fatalf("webhooks %+v, want the one of ours", page.Data)
	}
	if strings.Contains(page.Data[0].Body, "status") {
		t.Errorf("the webhook carries a status: %s", page.Data[0].Body)
	}
	webhook, err := standardwebhooks.NewWebhook(s.merchant.app.WebhookSecret)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	for name, value := range page.Data[0].Headers {
		header.Set(name, value)
	}
	err = webhook.Verify([]byte(page.Data[0].Body), header)
	if err != nil || header.Get("Webhook-Id") != page.Data[0].ID {
		t.Errorf("signature: %v, id %s", err, page.Data[0].ID)
	}
	if rest, _ := s.deliveries(t, s.merchant, page.Next); len(rest.Data) != 0 {
		t.Errorf("the same again: %+v", rest.Data)
	}
}

// A bounded number of requests of one application wait at a time. Further ones are refused with
// Retry-After, and those that wait are served.
func TestListenersAreBounded(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	began, _ := s.deliveries(t, s.merchant, "")
	refused := make(chan reply, 1)
	var all sync.WaitGroup
	for range 5 { // four may wait
		all.Go(func() {
			for {
				page, r := s.deliveries(t, s.merchant, began.Next)
				if r.status == http.StatusTooManyRequests {
					refused <- r
					return
				}
				if r.status != http.StatusOK || len(page.Data) == 1 {
					return
				}
			}
		})
	}
	r := <-refused
	if r.header.Get("Retry-After") == "" || !strings.Contains(r.body, "waiting for webhooks") {
		t.Errorf("%v %s", r.header, r.body)
	}
	s.create(t, s.merchant, bodyWith("merchant_reference", `"for those who wait"`))
	all.Wait()
	if page, r := s.deliveries(t, s.merchant, began.Next); len(page.Data) != 1 {
		t.Errorf("after all have ended: %d %s", r.status, r.body)
	}
}

// rollKey replaces a merchant's API key without a period of grace.
func (s *service) rollKey(t *testing.T, m merchant) {
	t.Helper()
	_, err := s.accounts.RollAPIKey(t.Context(), operator, m.app.Organization, m.app.ID, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDeliveriesRefusals(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	if _, r := s.deliveries(t, s.merchant, "x"); r.status != http.StatusUnprocessableEntity {
		t.Errorf("an invalid cursor: %d %s", r.status, r.body)
	}
	began, _ := s.deliveries(t, s.merchant, "")
	s.rollKey(t, s.merchant)
	for _, after := range []string{"", began.Next, "x"} {
		if _, r := s.deliveries(t, s.merchant, after); r.status != http.StatusUnauthorized {
			t.Errorf("after %q with a rolled key: %d %s", after, r.status, r.body)
		}
	}
}
