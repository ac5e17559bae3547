package dashboardstories

import (
	"daftar/dashboard/view"
	"daftar/webhooks"
	"time"
)

func webhookStories() []Story {
	applications, rows := payments()
	ok, broken := 204, 503
	since, arrived := now.Add(-6*24*time.Hour), now.Add(-7*time.Minute)
	fine := view.EndpointCard{Application: applications[0], Endpoint: webhooks.Endpoint{
		URL: applications[0].WebhookURL, Last: &webhooks.Try{Attempt: 1, At: arrived, Status: &ok}, LastSuccess: &arrived,
	}}
	stopped := view.EndpointCard{Application: applications[1], Endpoint: webhooks.Endpoint{
		URL: applications[1].WebhookURL, Failures: 34, FailingSince: &since, DisabledAt: &now,
		Last: &webhooks.Try{Attempt: 10, At: now.Add(-time.Hour), Status: &broken, Error: "status"},
	}}
	list := func(change func(*view.WebhooksPage)) view.WebhooksPage {
		p := view.WebhooksPage{Applications: applications, Cards: []view.EndpointCard{fine, stopped}, Rows: deliveries(rows[0]), Older: "webhooks?before=71"}
		change(&p)
		return p
	}
	test := deliveries(rows[0])[0]
	test.Event, test.Intent, test.Sequence = webhooks.TypeTest, nil, 0
	return []Story{
		{"webhooks", inside(view.SectionWebhooks, list(func(*view.WebhooksPage) {}))},
		{"webhooks-viewer", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) { p.Form.Before = 75 })).seenBy(viewerIdentity)},
		{"webhooks-replayed", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) { p.Due = "1042" })).after("webhooks-replayed")},
		{"webhooks-wrong", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) {
			p.Cards[1].Since = "2027-01-01T10:00"
			p.FormErrors = view.FormError(p.Cards[1].Field(), func(t *view.Texts) string { return t.Webhooks.SinceAhead })
		}))},
		{"webhooks-partial", inside(view.SectionWebhooks, list(func(p *view.WebhooksPage) { p.Form.State, p.Rows, p.Partial = webhooks.StateFailed, nil, true }))},
		{"webhooks-none", inside(view.SectionWebhooks, view.WebhooksPage{})},
		{"webhook-delivery", inside(view.SectionWebhooks, view.DeliveryPage{Row: deliveries(rows[0])[0]}).after("webhook-resent")},
		{"webhook-delivery-failed", inside(view.SectionWebhooks, view.DeliveryPage{Row: deliveries(rows[0])[2]}).seenBy(viewerIdentity)},
		{"webhook-delivery-test", inside(view.SectionWebhooks, view.DeliveryPage{Row: test})},
	}
}

// deliveries are webhooks about a payment: one that arrived after a failure,
// one that never did and one that is held.
func deliveries(r view.PaymentRow) []view.DeliveryRow {
	ok, broken := 204, 503
	next := now.Add(30 * time.Minute)
	try := func(n int, status *int, kind, answer string) webhooks.Try {
		return webhooks.Try{
			Attempt: n, At: now.Add(-time.Hour + time.Duration(n)*time.Minute), Duration: time.Duration(80*n) * time.Millisecond,
			Status: status, Error: kind, Answer: answer,
		}
	}
	row := func(n byte, event, state string, last *int, tries ...webhooks.Try) view.DeliveryRow {
		return view.DeliveryRow{Application: r.Application, Tries: tries, Delivery: webhooks.Delivery{
			ID: webhooks.DeliveryID(fixedUUID(n)), Event: event, Application: r.Intent.Application, State: state, Attempts: len(tries),
			LastStatus: last, Intent: &r.ID, Sequence: int(n - 70), OccurredAt: r.CreatedAt, Cursor: int64(n),
		}}
	}
	pending := row(73, webhooks.TypeProcessing, webhooks.StatePending, nil, try(1, nil, "timeout", ""))
	pending.NextAttemptAt = &next
	return []view.DeliveryRow{
		row(75, webhooks.TypeSucceeded, webhooks.StateDelivered, &ok, try(1, &broken, "status", "<html><h1>503 Service Unavailable</h1></html>"), try(2, &ok, "", "")),
		pending,
		row(74, webhooks.TypePaymentFailed, webhooks.StateFailed, &broken, try(10, &broken, "status", "upstream connect error")),
		row(71, webhooks.TypeCreated, webhooks.StateHeld, nil),
	}
}
