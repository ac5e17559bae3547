package checker_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/torture/history"
)

func body(reference string) []byte {
	return fmt.Appendf(nil, `{"merchant_reference":%q,"amount":5000,"currency":"LYD",`+
		`"description":"قهوة & شاي","customer":{"external_id":"c-1"},`+
		`"metadata":{"z":"<1>","a":"\u0627"}}`, reference)
}

// create creates an intent. Status 0 records the request as one without an answer.
func (w *world) create(s *shop, reference string, status int) (id string) {
	w.t.Helper()
	q := history.Request{Kind: history.Create, Reference: reference, Sent: body(reference)}
	q = w.ask(q, s, http.MethodPost, "/payment-intents", status)
	var created struct {
		Data struct {
			UUID string `json:"uuid"`
		} `json:"data"`
	}
	if err := json.Unmarshal(q.Answer, &created); err != nil {
		w.t.Fatal(err)
	}
	return created.Data.UUID
}

func (w *world) read(s *shop, id, reference string, status int) []byte {
	w.t.Helper()
	q := history.Request{Kind: history.Read, Reference: reference, Intent: id}
	return w.ask(q, s, http.MethodGet, "/payment-intents/"+id, status).Answer
}

// ask makes a request and records it.
func (w *world) ask(q history.Request, s *shop, method, path string, status int) history.Request {
	w.t.Helper()
	q.Client, q.Server, q.Application, q.Began = client, "A", s.UUID, w.recorder.Now()
	address := w.api.URL + httpapi.Prefix + path
	request, err := http.NewRequestWithContext(w.t.Context(), method, address, strings.NewReader(string(q.Sent)))
	if err != nil {
		w.t.Fatal(err)
	}
	request.Header = http.Header{
		"X-Api-Key":     {s.APIKey},
		"Authorization": {"Bearer " + s.AccessToken},
		"Content-Type":  {"application/json"},
		"Accept":        {"application/json"},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	q.Answer, err = io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	q.Status, q.Ended = response.StatusCode, w.recorder.Now()
	if status == 0 {
		lost := q
		lost.Status, lost.Answer = 0, nil
		w.recorder.Request(lost)
		return q
	}
	if q.Status != status {
		w.t.Fatalf("%s %s: status %d, want %d: %s", method, path, q.Status, status, q.Answer)
	}
	w.recorder.Request(q)
	return q
}

const quietSQL = `
SELECT (SELECT count(*) = 5 AND bool_and(position = (SELECT max(position) FROM events)) FROM consumer_offsets)
   AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE application_uuid = $1 AND state <> 'delivered')
   AND (SELECT max(size) = (SELECT max(position) FROM events) FROM transparency_checkpoints)`

// awaitQuiet waits until all groups are at the end of the log and every webhook of the first
// merchant is delivered. The endpoint of the second always fails.
func (w *world) awaitQuiet() {
	w.t.Helper()
	pgtest.WaitFor(w.t, "the service to be quiet", func() bool {
		var quiet bool
		if err := w.pool.QueryRow(w.t.Context(), quietSQL, [16]byte(w.shops[0].UUID)).Scan(&quiet); err != nil {
			w.t.Fatal(err)
		}
		return quiet
	})
}
