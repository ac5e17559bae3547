package dashboard

import (
	"errors"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/facts"
	"daftar/internal/locale"
	"daftar/internal/plaintext"
	"daftar/webhooks"
)

var _ = declare(
	get("/webhooks", member(accounts.SeeWebhooks), loaded(view.SectionWebhooks, (*Dashboard).listWebhooks)),
	get("/webhooks/deliveries/{delivery}", member(accounts.SeeWebhooks),
		loaded(view.SectionWebhooks, (*Dashboard).delivery)),
	post("/webhooks/deliveries/{delivery}/resend", member(accounts.ResendWebhooks), (*Dashboard).resendDelivery),
	post("/webhooks/applications/{application}/enable", member(accounts.SendWebhooks),
		(*Dashboard).enableWebhooks),
	post("/webhooks/applications/{application}/replay", member(accounts.SendWebhooks),
		(*Dashboard).replayWebhooks),
)

const (
	deliveriesOnPage = 50
	// replayLimit is for scanning the log.
	replayLimit = time.Minute
	// maxReplay is how far back a replay reaches.
	maxReplay = 31 * 24 * time.Hour
)

// dueParameter has the number of deliveries that a replay made due.
const dueParameter = "due"

func (d *Dashboard) listWebhooks(req *request) (view.WebhooksPage, error) {
	p, err := d.webhooksPage(req)
	if _, unread := strconv.Atoi(req.r.URL.Query().Get(dueParameter)); unread == nil {
		p.Due = req.r.URL.Query().Get(dueParameter)
	}
	return p, err
}

func (d *Dashboard) webhooksPage(req *request) (view.WebhooksPage, error) {
	q := req.r.URL.Query()
	p := view.WebhooksPage{Form: view.WebhookForm{
		Application: q.Get("application"),
		State:       q.Get("state"),
		Event:       q.Get("event"),
		From:        q.Get("from"),
		To:          q.Get("to"),
	}}
	var err error
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.tenant()); err != nil {
		return view.WebhooksPage{}, err
	}
	endpoints, err := d.config.Deliveries.Endpoints(req.ctx, req.by, req.tenant())
	if err != nil {
		return view.WebhooksPage{}, err
	}
	for _, a := range p.Applications {
		p.Cards = append(p.Cards, view.EndpointCard{Application: a, Endpoint: endpoints[a.ID]})
	}
	f, wrong, err := readDeliveryFilter(&p.Form, q.Get("before"), p.Applications)
	if p.FormErrors = wrong; err != nil || len(wrong) > 0 {
		return p, err
	}
	page, err := d.config.Deliveries.Page(req.ctx, req.tenant(), f)
	if err != nil {
		return view.WebhooksPage{}, err
	}
	for _, one := range page.Deliveries {
		p.Rows = append(p.Rows, view.DeliveryRow{
			Delivery:    one,
			Application: nameOf(p.Applications, one.Application),
		})
	}
	if p.Partial = page.Partial; page.Older != 0 {
		p.Older = "webhooks?" + p.Form.Query(page.Older)
	}
	return p, nil
}

// readDeliveryFilter reads the filter. A value that none of our forms sends is errNoPage; a
// wrong time can be corrected.
func readDeliveryFilter(
	form *view.WebhookForm, before string, applications []accounts.Application,
) (f webhooks.Filter, wrong view.FormErrors, err error) {
	f = webhooks.Filter{
		Application: view.ApplicationByID(applications, form.Application),
		State:       form.State,
		Event:       form.Event,
		Limit:       deliveriesOnPage,
	}
	switch f.State {
	case "", webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld:
	default:
		return f, nil, errNoPage
	}
	_, known := facts.OfWebhook(f.Event)
	unknown := f.Event != "" && f.Event != webhooks.TypeTest && !known
	if form.Application != "" && f.Application == nil || unknown {
		return f, nil, errNoPage
	}
	if before != "" {
		if f.Before, err = strconv.ParseInt(before, 10, 64); err != nil || f.Before < 1 {
			return f, nil, errNoPage
		}
		form.Before = f.Before
	}
	for _, end := range []struct {
		field, typed string
		at           *time.Time
	}{{"from", form.From, &f.From}, {"to", form.To, &f.To}} {
		if known := end.typed == ""; !known {
			if *end.at, known = readMoment(end.typed); !known {
				wrong.Add(end.field, func(t *view.Texts) string { return t.Webhooks.SinceBad })
			}
		}
	}
	if !f.To.IsZero() {
		f.To = f.To.Add(time.Minute) // the typed minute is included
		if !f.From.IsZero() && !f.From.Before(f.To) {
			wrong.Add("to", func(t *view.Texts) string { return t.Webhooks.TimesCross })
		}
	}
	return f, wrong, nil
}

func (d *Dashboard) delivery(req *request) (p view.DeliveryPage, err error) {
	if p.Row.Delivery, err = d.pathDelivery(req); err != nil {
		return p, err
	}
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	if err != nil {
		return p, err
	}
	p.Row.Application = nameOf(applications, p.Row.Delivery.Application)
	tenant := webhooks.TenantOf(req.organization.ID)
	if p.Row.Tries, err = d.config.Deliveries.Tries(req.ctx, tenant, p.Row.ID); err != nil {
		return p, err
	}
	body, err := d.config.Deliveries.Payload(req.ctx, tenant, p.Row.ID)
	p.Row.Body = string(body)
	return p, err
}

func (d *Dashboard) pathDelivery(req *request) (webhooks.Delivery, error) {
	id, err := webhooks.ParseDeliveryID(req.variable("delivery"))
	if err != nil {
		return webhooks.Delivery{}, errNoPage
	}
	return d.config.Deliveries.Find(req.ctx, webhooks.TenantOf(req.organization.ID), id)
}

// backField has the page of the form, to which the user returns.
const (
	backField   = "back"
	backPayment = "payment"
)

func (d *Dashboard) resendDelivery(req *request) error {
	one, err := d.pathDelivery(req)
	if err != nil {
		return err
	}
	back := req.in("webhooks/deliveries/" + one.ID.String())
	if req.field(backField) == backPayment && one.Intent != nil {
		back = req.in("payments/" + one.Intent.String())
	}
	_, err = d.config.Deliveries.Resend(req.ctx, req.by, webhooks.TenantOf(req.organization.ID), one.ID)
	if errors.Is(err, webhooks.ErrNoURL) || errors.Is(err, webhooks.ErrDisabled) {
		return req.done(back, "webhook-not-sent")
	}
	return req.doneUnless(err, back, "webhook-resent")
}

func (d *Dashboard) enableWebhooks(req *request) error {
	err := d.config.Deliveries.Enable(req.ctx, req.by, webhooks.TenantOf(req.organization.ID), req.application)
	return req.doneUnless(err, req.in("webhooks"), "webhooks-enabled")
}

func (d *Dashboard) replayWebhooks(req *request) error {
	since, known := readMoment(req.field("since"))
	switch {
	case !known:
		return d.correctSince(req, func(t *view.Texts) string { return t.Webhooks.SinceBad })
	case since.After(d.config.Now()):
		return d.correctSince(req, func(t *view.Texts) string { return t.Webhooks.SinceAhead })
	case d.config.Now().Sub(since) > maxReplay:
		return d.correctSince(req, func(t *view.Texts) string { return t.Webhooks.SinceLong })
	}
	ctx, cancel := req.takeLonger(replayLimit)
	defer cancel()
	tenant := webhooks.TenantOf(req.organization.ID)
	due, err := d.config.Deliveries.Replay(ctx, req.by, tenant, req.application, since)
	if errors.Is(err, webhooks.ErrNoURL) {
		return req.done(req.in("webhooks"), "webhooks-no-url")
	}
	return req.doneUnless(err, req.in("webhooks")+"?"+dueParameter+"="+strconv.Itoa(due), "webhooks-replayed")
}

// correctSince shows the page again with the error of the field.
func (d *Dashboard) correctSince(req *request, text func(t *view.Texts) string) error {
	p, err := d.webhooksPage(req)
	if err != nil {
		return err
	}
	for n := range p.Cards {
		if c := &p.Cards[n]; c.ID == req.application {
			c.Since = req.field("since")
			p.FormErrors = view.FormError(c.Field(), text)
			return req.show(view.SectionWebhooks, p)
		}
	}
	return errNoPage
}

// momentLayouts are the layouts in which browsers send a local time.
var momentLayouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}

// readMoment reads a local time as browsers send it, which is Tripoli's.
func readMoment(typed string) (time.Time, bool) {
	tripoli := locale.Tripoli(time.Time{}).Location()
	for _, layout := range momentLayouts {
		if at, err := time.ParseInLocation(layout, plaintext.LatinFigures(typed), tripoli); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
