package acceptance_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"daftar/internal/postgres/pgtest"
)

// merchants call the API, with valid and with invalid requests.
func (w *bazaar) merchants() (id string) {
	t := w.t
	t.Helper()
	v := w.visitor("API")
	send := func(method, path, body, key, token string, extra ...string) (int, string) {
		header := http.Header{
			"X-Api-Key": {key}, "Authorization": {token}, "Accept": {"application/json"},
			"Content-Type": {"application/json"},
		}
		for n := 0; n < len(extra); n += 2 {
			header.Set(extra[n], extra[n+1])
		}
		request, err := http.NewRequestWithContext(t.Context(), method, w.served.base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = header
		response, err := v.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		w.addPlace("API", method+" "+path, fmt.Sprintf("%v\n%s", response.Header, text))
		return response.StatusCode, string(text)
	}
	key, bearer := w.who.key, "Bearer "+w.who.token
	status, body := send(http.MethodPost, "/payment-intents", order("o-1"), key, bearer)
	var made struct{ Data made }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != http.StatusCreated {
		t.Fatalf("create: %d %s", status, body)
	}
	link := made.Data.CheckoutURL
	token := link[strings.LastIndex(link, "/")+1:]
	w.addSecret("checkout token", token, "database", "API", "checkout", "command")
	w.served.base = strings.TrimSuffix(w.served.base, "/")
	for what, row := range map[string][]string{
		"retrieve": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "", key, bearer},
		"unknown":  {http.MethodGet, "/payment-intents/" + w.who.app, "", key, bearer},
		"key for a token": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "", w.who.token,
			"Bearer " + key},
		"wrong key": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "",
			key[:60] + "0000000", bearer},
		"token without Bearer": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "",
			key, w.who.token},
		"token for basic": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "", key,
			"Basic " + w.who.token},
		"key in the path": {http.MethodGet, "/payment-intents/" + key, "", key, bearer},
		"token in the query": {http.MethodGet,
			"/payment-intents?access_token=" + w.who.token + "&api_key=" + key, "", key, bearer},
		"nowhere":      {http.MethodGet, "/" + key + "/" + w.who.token, "", key, bearer},
		"wrong method": {http.MethodDelete, "/payment-intents/" + made.Data.UUID, "", key, bearer},
		"key in a bad body": {http.MethodPost, "/payment-intents",
			`{"` + key + `":` + w.who.token + `}`, key, bearer},
		"key as a field": {http.MethodPost, "/payment-intents",
			`{"merchant_reference":"x","amount":"` + key + `","currency":"` + key + `","description":"x"}`,
			key, bearer},
		"key as a type": {http.MethodPost, "/payment-intents", order("o-2"), key, bearer,
			"Content-Type", key},
		"token for the request's id": {http.MethodPost, "/payment-intents", order("o-3"), key, bearer,
			"X-Request-Id", w.who.token},
		"token in a trace of a caller": {http.MethodGet, "/payment-intents/x", "", key, bearer,
			"Traceparent", w.who.token, "Tracestate", "k=" + w.who.token, "Baggage", "k=" + w.who.token},
		"revoked": {http.MethodGet, "/payment-intents/x", "", key,
			"Bearer at_000000000000000000000000000000000000"},
	} {
		status, body := send(row[0], row[1], row[2], row[3], row[4], row[5:]...)
		if status >= http.StatusInternalServerError {
			t.Errorf("%s: %d %s", what, status, body)
		}
	}
	return link
}

// payers open the link, pay, mistype, and try invalid links.
func (w *bazaar) payers(link string) {
	t := w.t
	t.Helper()
	const phone = "0918273645"
	w.addSecret("payer's telephone", phone, "checkout")
	v := w.visitor("checkout")
	path := w.found(`(/pay/.*)`, link)
	base := strings.TrimSuffix(w.served.base, "/api/v1")
	v.must(http.StatusOK, http.MethodGet, base+path, nil)
	w.addSecret("card number", "4111111111111111", "checkout")
	v.ask(http.MethodPost, base+path+"/attempts",
		url.Values{"method": {"wallet"}, "phone": {"4111111111111111"}}, nil)
	v.must(http.StatusSeeOther, http.MethodPost, base+path+"/attempts",
		url.Values{"method": {"wallet"}, "phone": {phone}})
	pgtest.WaitFor(t, "the page that asks for the code", func() bool {
		body, _, _ := v.must(http.StatusOK, http.MethodGet, base+path, nil)
		return strings.Contains(body, `data-state="otp"`)
	})
	w.addSecret("code that a payer typed", "9246810357", "checkout")
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"9246810357"}}, nil)
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"4111111111111111"}}, nil)
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"9246810357"}},
		http.Header{"Sec-Fetch-Site": {"cross-site"}})
	v.ask(http.MethodGet, base+path+"x", nil, nil)
	v.ask(http.MethodGet, base+path+"/state?was="+w.who.key, nil, nil)
	v.ask(http.MethodPost, base+"/acquirers/sandbox/notifications", url.Values{"x": {"1"}},
		http.Header{"Authorization": {"Bearer " + w.who.token}})
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"111111"}}, nil)
	for _, page := range []string{
		"/transparency/checkpoint", "/transparency/" + w.who.token, "/pay/" + w.who.key + "/x",
		"/receipt/" + w.who.key + "/x", "/assets/" + w.who.key,
	} {
		v.ask(http.MethodGet, base+page, nil, nil)
	}
}

// made is an intent as the API answers it.
type made struct {
	UUID        string `json:"uuid"`
	Reference   string `json:"reference"`
	CheckoutURL string `json:"checkout_url"`
}
