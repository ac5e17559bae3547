package dashboardstories

import (
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/requestlog"
)

// requestStories are the API requests of an application.
func requestStories() []Story {
	applications, _ := paymentRows()
	const intents, one = "/payment-intents", "/payment-intents/{uuid}"
	var rows []view.RequestRow
	add := func(method, route string, status int, took time.Duration, change func(*view.RequestRow)) {
		n := byte(len(rows))
		r := view.RequestRow(requestlog.Request{
			Application: applications[0].ID, Ordinal: int64(1000 - int(n)),
			At: now.Add(-time.Duration(n) * 7 * time.Second), Took: took,
			ID: fixedUUID(100 + n).String(), Method: method, Route: route, Status: status,
		})
		if change != nil {
			change(&r)
		}
		rows = append(rows, r)
	}
	of := func(n byte) func(*view.RequestRow) {
		return func(r *view.RequestRow) { r.Intent = domain.IntentID(fixedUUID(n)) }
	}
	add("POST", intents, 201, 8_400*time.Microsecond, of(21))
	add("POST", intents, 200, 4_100*time.Microsecond, func(r *view.RequestRow) { of(21)(r); r.Replayed = true })
	add("GET", one, 200, 900*time.Microsecond, of(21))
	add("POST", intents, 422, 1_300*time.Microsecond, func(r *view.RequestRow) {
		const sentence = "The amount must be an integer in minor units, without quotes: 5.000 LYD is 5000."
		r.Error = `{"message":"` + sentence + `","errors":{"amount":["` + sentence + `"]}}`
	})
	add("GET", intents, 200, 23*time.Millisecond, func(r *view.RequestRow) {
		r.Query = "limit=100&merchant_reference=…&status=succeeded"
		r.Skipped = 4312
	})
	add("GET", one, 404, 800*time.Microsecond, func(r *view.RequestRow) { r.Error = `{"message":"Not found."}` })
	add("POST", one+"/expire", 409, 2*time.Millisecond, func(r *view.RequestRow) {
		of(22)(r)
		r.Error = `{"message":"This payment intent is paid."}`
	})
	add("GET", intents, 401, 3*time.Millisecond, func(r *view.RequestRow) {
		r.Error = `{"message":"Unauthenticated."}`
	})
	add("POST", intents, 503, 5*time.Second, func(r *view.RequestRow) {
		r.Error = `{"message":"The service is not available at the moment. Please send the same request again."}`
	})
	kinds := []string{"GET " + intents, "GET " + one, "POST " + intents, "POST " + one + "/expire"}
	list := func(form view.RequestsForm, rows []view.RequestRow, found int) view.RequestsPage {
		p := view.RequestsPage{Application: applications[0], Form: form, Kinds: kinds, Rows: rows, Found: found}
		if found > len(rows) {
			p.Older = "992"
		}
		return p
	}
	return []Story{
		{"requests", inside(view.SectionApplications,
			list(view.RequestsForm{}, rows, 1000)).seenBy(developerIdentity)},
		{"requests-refused", inside(view.SectionApplications,
			list(view.RequestsForm{Class: "4", After: "999"}, rows[3:4], 1))},
		{"requests-not-found", inside(view.SectionApplications,
			list(view.RequestsForm{ID: "a-request-of-long-ago"}, nil, 0))},
		{"requests-none", inside(view.SectionApplications, view.RequestsPage{Application: applications[0]})},
	}
}
