package view

import (
	"daftar/accounts"
	"daftar/facts"
	"daftar/internal/locale"
	"daftar/webhooks"
)

func webhookNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"webhook-resent": say("سيُرسل الإشعار الآن.", "The webhook is being sent now."),
		"webhook-not-sent": say("لم يُرسل: لا يوجد عنوان إشعارات، أو الإرسال إليه متوقف. أعد تفعيله أولًا.",
			"Not sent: there is no webhook URL, or sending to it has stopped. Enable it first."),
		"webhooks-enabled": say("عاد الإرسال إلى العنوان. ما بقي محفوظًا لا يُرسل إلا بإعادة الإرسال منذ وقت.",
			"Webhooks are sent to the URL again. What was held is not sent until you replay it."),
		"webhooks-replayed": say("بدأ الإرسال من جديد.", "The webhooks are being sent again."),
		"webhooks-no-url": say("لم يُرسل شيء: لا يوجد عنوان إشعارات لهذا التطبيق.",
			"Nothing was sent: the application has no webhook URL."),
	}
}

// DeliveryRow is a delivery in a list.
type DeliveryRow struct {
	webhooks.Delivery
	Application string // its name
	Tries       []webhooks.Try
	Body        string // as it is signed and sent; only on the page of the delivery
}

// LastTimestamp is the webhook-timestamp of the latest try; 0: there was none.
func (r DeliveryRow) LastTimestamp() int64 {
	if len(r.Tries) == 0 {
		return 0
	}
	return r.Tries[len(r.Tries)-1].Timestamp()
}

// partRendering is the data of the template of a part of a page.
type partRendering struct {
	rendering
	D any
}

// With is the page with one of its parts.
func (r rendering) With(d any) partRendering { return partRendering{r, d} }

// EndpointCard is the webhook endpoint of an application.
type EndpointCard struct {
	accounts.Application
	Endpoint webhooks.Endpoint
	// Since is what was typed, if it has to be corrected.
	Since string
}

// Field is the id of the field for the time of a replay.
func (c EndpointCard) Field() string { return "since-" + c.ID.String() }

// WebhookForm is the filter of the deliveries.
type WebhookForm struct {
	Application, State, Event, From, To string
	Before                              int64
}

// Narrowed reports whether the filter leaves something out.
func (f WebhookForm) Narrowed() bool { return f.Query(0) != "" }

// Query is the filter as the query of an address, with the place in the list.
func (f WebhookForm) Query(before int64) string {
	return queryOf(map[string]string{
		"application": f.Application, "state": f.State, "event": f.Event, "from": f.From, "to": f.To,
		"before": place(before),
	})
}

// WebhooksPage lists the endpoints and their deliveries.
type WebhooksPage struct {
	FormErrors
	Form         WebhookForm
	Applications []accounts.Application
	Cards        []EndpointCard
	Rows         []DeliveryRow
	Older        string
	Partial      bool
	Due          string // the number of deliveries that a replay has just made due; empty: no replay
}

func (WebhooksPage) head(t *Texts) (template, title string) {
	return "webhooks", t.Sections[SectionWebhooks]
}

// States are the choices of the state filter.
func (r rendering) States() []choice {
	var all []choice
	for _, s := range []string{webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed,
		webhooks.StateHeld} {
		all = append(all, choice{s, r.T.Webhooks.StatePill(s).Text})
	}
	return all
}

// Events are the choices of the event filter.
func (r rendering) Events() (all []choice) {
	for _, k := range facts.Webhooks() {
		all = append(all, choice{k.Webhook, k.Name.In(r.Lang)})
	}
	return append(all, choice{webhooks.TypeTest, r.T.Webhooks.Test})
}

// EventName is the type of a webhook, in words.
func (r rendering) EventName(event string) string {
	if event == webhooks.TypeTest {
		return r.T.Webhooks.Test
	}
	if kind, known := facts.OfWebhook(event); known {
		return kind.Name.In(r.Lang)
	}
	return event
}

// DeliveryPage is one delivery with its tries.
type DeliveryPage struct{ Row DeliveryRow }

func (DeliveryPage) head(t *Texts) (template, title string) {
	return "delivery-page", t.Webhooks.Delivery
}
