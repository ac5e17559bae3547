package dashboardstories

import (
	"strconv"
	"time"

	"daftar/dashboard/view"
	"daftar/webhooks"
)

func webhookStories() []Story {
	applications, rows := paymentRows()
	ok, broken := 204, 503
	since, arrived := now.Add(-6*24*time.Hour), now.Add(-7*time.Minute)
	fine := view.EndpointCard{Application: applications[0], Endpoint: webhooks.Endpoint{
		URL: applications[0].WebhookURL, Last: &webhooks.Try{Attempt: 1, At: arrived, Status: &ok},
		LastSuccess: &arrived,
	}}
	stopped := view.EndpointCard{Application: applications[1], Endpoint: webhooks.Endpoint{
		URL: applications[1].WebhookURL, Failures: 34, FailingSince: &since, DisabledAt: &now,
		Last: &webhooks.Try{Attempt: 10, At: now.Add(-time.Hour), Status: &broken, Error: "status"},
	}}
	list := func(change func(*view.WebhooksPage)) view.WebhooksPage {
		p := view.WebhooksPage{
			Applications: applications, Cards: []view.EndpointCard{fine, stopped},
			Rows: deliveries(rows[0]), Older: "webhooks?before=71",
		}
		change(&p)
		return p
	}
	test := deliveries(rows[0])[3]
	test.Event, test.Intent, test.Sequence = webhooks.TypeTest, nil, 0
	test.Reference, test.MerchantReference = "", ""
	test.Body = `{"type":"webhook.test","timestamp":"2026-11-20T20:41:00.000000Z",` +
		`"data":{"application_uuid":"` + applications[0].ID.String() + `"}}`
	shown := func(d view.DeliveryRow) view.DeliveryRow {
		d.Body = `{"type":"` + d.Event + `","timestamp":"2026-11-20T19:04:21.310422Z",` +
			`"data":{"uuid":"` + rows[0].ID.String() + `","reference":"` + string(d.Reference) +
			`","merchant_reference":"` + string(d.MerchantReference) +
			`","sequence":` + strconv.Itoa(d.Sequence) + `}}`
		return d
	}
	stoppedOwner := ownerIdentity
	stoppedOwner.Stopped = 1
	return []Story{
		{"webhooks", inside(view.SectionWebhooks, list(func(*view.WebhooksPage) {})).seenBy(stoppedOwner)},
		{"webhooks-filtered", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) {
			p.Form = view.WebhookForm{Event: webhooks.TypeSucceeded, From: "2026-11-20T10:00", To: "2026-11-19T10:00"}
			p.Rows, p.FormErrors = nil, view.FormError("to", func(t *view.Texts) string {
				return t.Webhooks.TimesCross
			})
		}))},
		{"webhooks-viewer", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) {
			p.Form.Before = 75
		})).seenBy(viewerIdentity)},
		{"webhooks-replayed", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) {
			p.Due = "1042"
		})).after("webhooks-replayed")},
		{"webhooks-wrong", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) {
			p.Cards[1].Since = "2027-01-01T10:00"
			p.FormErrors = view.FormError(p.Cards[1].Field(), func(t *view.Texts) string {
				return t.Webhooks.SinceAhead
			})
		}))},
		{"webhooks-partial", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) {
			p.Form.State, p.Rows, p.Partial = webhooks.StateFailed, nil, true
		}))},
		{"webhooks-none", inside(view.SectionWebhooks, view.WebhooksPage{})},
		{"webhook-delivery", inside(view.SectionWebhooks,
			view.DeliveryPage{Row: shown(deliveries(rows[0])[0])}).after("webhook-resent")},
		{"webhook-delivery-failed", inside(view.SectionWebhooks,
			view.DeliveryPage{Row: shown(deliveries(rows[0])[2])}).seenBy(viewerIdentity)},
		{"webhook-delivery-test", inside(view.SectionWebhooks, view.DeliveryPage{Row: test})},
	}
}

// deliveries are webhooks about a payment: one arrived after a failure, one never arrived, and one
// is held.
func deliveries(r view.PaymentRow) []view.DeliveryRow {
	ok, broken := 204, 503
	next := now.Add(30 * time.Minute)
	try := func(n int, status *int, kind, answer string) webhooks.Try {
		return webhooks.Try{
			Attempt: n, At: now.Add(-time.Hour + time.Duration(n)*time.Minute),
			Duration: time.Duration(80*n) * time.Millisecond,
			Status:   status, Error: kind, Answer: answer,
		}
	}
	row := func(n byte, event, state string, last *int, tries ...webhooks.Try) view.DeliveryRow {
		return view.DeliveryRow{Application: r.Application, Tries: tries, Delivery: webhooks.Delivery{
			ID: webhooks.DeliveryID(fixedUUID(n)), Event: event, Application: r.Intent.Application,
			State: state, Attempts: len(tries), LastStatus: last,
			Intent: &r.ID, Reference: r.Reference, MerchantReference: r.MerchantReference,
			Sequence: int(n - 70), OccurredAt: r.CreatedAt, Cursor: int64(n),
		}}
	}
	pending := row(73, webhooks.TypeProcessing, webhooks.StatePending, nil, try(1, nil, "timeout", ""))
	pending.NextAttemptAt = &next
	return []view.DeliveryRow{
		row(75, webhooks.TypeSucceeded, webhooks.StateDelivered, &ok,
			try(1, &broken, "status", "<html><h1>503 Service Unavailable</h1></html>"), try(2, &ok, "", "")),
		pending,
		row(74, webhooks.TypePaymentFailed, webhooks.StateFailed, &broken,
			try(10, &broken, "status", "upstream connect error")),
		row(71, webhooks.TypeCreated, webhooks.StateHeld, nil),
	}
}
