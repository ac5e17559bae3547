package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/webhooks"
)

var webhookRoutes = []route{
	{method: http.MethodGet, path: of + "/webhooks", access: member, needs: accounts.SeeWebhooks, handle: (*Dashboard).listWebhooks},
	{method: http.MethodGet, path: of + "/webhooks/deliveries/{delivery}", access: member, needs: accounts.SeeWebhooks, handle: (*Dashboard).showDelivery},
	{method: http.MethodPost, path: of + "/webhooks/deliveries/{delivery}/resend", access: member, needs: accounts.SendWebhooks, handle: (*Dashboard).resendDelivery},
	{method: http.MethodPost, path: of + "/webhooks/applications/{application}/enable", access: member, needs: accounts.SendWebhooks, handle: (*Dashboard).enableWebhooks},
	{method: http.MethodPost, path: of + "/webhooks/applications/{application}/replay", access: member, needs: accounts.SendWebhooks, handle: (*Dashboard).replayWebhooks},
}

var webhookNotices = map[string]notice{
	"webhook-resent":    {"سيُرسل الإشعار الآن.", "The webhook is being sent now."},
	"webhook-not-sent":  {"لم يُرسل: لا يوجد عنوان إشعارات، أو الإرسال إليه متوقف. أعد تفعيله أولًا.", "Not sent: there is no webhook URL, or sending to it has stopped. Enable it first."},
	"webhooks-enabled":  {"عاد الإرسال إلى العنوان. ما بقي محفوظًا لا يُرسل إلا بإعادة الإرسال منذ وقت.", "Webhooks are sent to the URL again. What was held is not sent until you replay it."},
	"webhooks-replayed": {"بدأ الإرسال من جديد.", "The webhooks are being sent again."},
	"webhooks-no-url":   {"لم يُرسل شيء: لا يوجد عنوان إشعارات لهذا التطبيق.", "Nothing was sent: the application has no webhook URL."},
}

const (
	deliveriesOnPage = 50
	// replayLimit is for looking through the log; what it does not reach is said.
	replayLimit = time.Minute
	// maxReplay is how far back a replay reaches.
	maxReplay = 31 * 24 * time.Hour
)

// dueParameter tells how many a replay made due.
const dueParameter = "due"

// deliveryRow is a delivery in a list.
type deliveryRow struct {
	webhooks.Delivery
	Application string // its name
	Tries       []webhooks.Try
}

// deliveryRendering is what the template of one delivery sees.
type deliveryRendering struct {
	rendering
	D deliveryRow
}

// With is the page with one of its deliveries.
func (r rendering) With(d deliveryRow) deliveryRendering { return deliveryRendering{r, d} }

// endpointCard is where an application's webhooks go.
type endpointCard struct {
	accounts.Application
	Endpoint    webhooks.Endpoint
	LastSuccess *time.Time
	// Since is what was typed, where it has to be corrected.
	Since string
}

// Field is the id of the field for the time of a replay.
func (c endpointCard) Field() string { return "since-" + c.ID.String() }

// webhookForm is the filter of the deliveries.
type webhookForm struct {
	Application, State string
	before             int64
}

func (f webhookForm) query(before int64) string {
	q := url.Values{}
	if f.Application != "" {
		q.Set("application", f.Application)
	}
	if f.State != "" {
		q.Set("state", f.State)
	}
	if before != 0 {
		q.Set("before", strconv.FormatInt(before, 10))
	}
	return q.Encode()
}

// webhooksPage is how webhooks fare.
type webhooksPage struct {
	flaws
	Form         webhookForm
	Applications []accounts.Application
	Cards        []endpointCard
	Rows         []deliveryRow
	Older        string
	Partial      bool
	Due          string // how many a replay has just made due; empty: none was made
}

func (webhooksPage) Template() string { return "webhooks" }

func (webhooksPage) title(t *texts) string { return t.Sections.Webhooks }

// Several says that there are applications to choose from.
func (p webhooksPage) Several() bool { return len(p.Applications) > 1 }

// Latest says that the list begins with the latest delivery.
func (p webhooksPage) Latest() bool { return p.Form.before == 0 }

// States are what deliveries can be filtered by.
func (r rendering) States() []choice {
	var all []choice
	for _, s := range []string{webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld} {
		all = append(all, choice{s, r.T.Webhooks.Stands(s).Text})
	}
	return all
}

func (d *Dashboard) listWebhooks(v *visit) error {
	p, err := d.webhooksPage(v)
	if err != nil {
		return err
	}
	if _, err := strconv.Atoi(v.r.URL.Query().Get(dueParameter)); err == nil {
		p.Due = v.r.URL.Query().Get(dueParameter)
	}
	return v.show(sectionWebhooks, p)
}

func (d *Dashboard) webhooksPage(v *visit) (webhooksPage, error) {
	q := v.r.URL.Query()
	p := webhooksPage{Form: webhookForm{Application: q.Get("application"), State: q.Get("state")}}
	var err error
	if p.Applications, err = d.accounts.Applications(v.ctx, v.by, v.organization.ID); err != nil {
		return webhooksPage{}, err
	}
	if p.Cards, err = d.endpointCards(v, p.Applications); err != nil {
		return webhooksPage{}, err
	}
	f := webhooks.Filter{Application: applicationCalled(p.Applications, p.Form.Application), State: p.Form.State, Limit: deliveriesOnPage}
	switch f.State {
	case "", webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld:
	default:
		return webhooksPage{}, errNoPage
	}
	if p.Form.Application != "" && f.Application == nil {
		return webhooksPage{}, errNoPage
	}
	if before := q.Get("before"); before != "" {
		if f.Before, err = strconv.ParseInt(before, 10, 64); err != nil || f.Before < 1 {
			return webhooksPage{}, errNoPage
		}
		p.Form.before = f.Before
	}
	page, err := d.deliveries.Page(v.ctx, v.organization.ID, f)
	if err != nil {
		return webhooksPage{}, err
	}
	for _, one := range page.Deliveries {
		p.Rows = append(p.Rows, deliveryRow{Delivery: one, Application: nameOf(p.Applications, one.Application)})
	}
	if p.Partial = page.Partial; page.Older != 0 {
		p.Older = "webhooks?" + p.Form.query(page.Older)
	}
	return p, nil
}

func (d *Dashboard) endpointCards(v *visit, applications []accounts.Application) ([]endpointCard, error) {
	endpoints, err := d.deliveries.Endpoints(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return nil, err
	}
	last, err := d.deliveries.LastSuccess(v.ctx, v.organization.ID)
	if err != nil {
		return nil, err
	}
	cards := make([]endpointCard, len(applications))
	for n, a := range applications {
		cards[n] = endpointCard{Application: a, Endpoint: endpoints[a.ID]}
		if at, known := last[a.ID]; known {
			cards[n].LastSuccess = &at
		}
	}
	return cards, nil
}

// deliveryPage is one delivery with its tries.
type deliveryPage struct{ Row deliveryRow }

func (deliveryPage) Template() string { return "delivery-page" }

func (deliveryPage) title(t *texts) string { return t.Webhooks.Delivery }

func (d *Dashboard) showDelivery(v *visit) error {
	one, err := d.visitDelivery(v)
	if err != nil {
		return err
	}
	applications, err := d.accounts.Applications(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	tries, err := d.deliveries.Tries(v.ctx, webhooks.TenantOf(v.organization.ID), one.ID)
	if err != nil {
		return err
	}
	return v.show(sectionWebhooks, deliveryPage{deliveryRow{Delivery: one, Application: nameOf(applications, one.Application), Tries: tries}})
}

func (d *Dashboard) visitDelivery(v *visit) (webhooks.Delivery, error) {
	id, err := webhooks.ParseDeliveryID(v.variable("delivery"))
	if err != nil {
		return webhooks.Delivery{}, errNoPage
	}
	return d.deliveries.Find(v.ctx, webhooks.TenantOf(v.organization.ID), id)
}

// backField says on which page the form was, where the person goes on.
const (
	backField   = "back"
	backPayment = "payment"
)

func (d *Dashboard) resendDelivery(v *visit) error {
	one, err := d.visitDelivery(v)
	if err != nil {
		return err
	}
	back := v.in("webhooks/deliveries/" + one.ID.String())
	if v.field(backField) == backPayment && one.Intent != nil {
		back = v.in("payments/" + one.Intent.String())
	}
	_, err = d.deliveries.Resend(v.ctx, v.by, webhooks.TenantOf(v.organization.ID), one.ID)
	switch {
	case errors.Is(err, webhooks.ErrNoURL), errors.Is(err, webhooks.ErrDisabled):
		v.done(back, "webhook-not-sent")
		return nil
	case err != nil:
		return err
	}
	v.done(back, "webhook-resent")
	return nil
}

func (d *Dashboard) enableWebhooks(v *visit) error {
	id, err := v.application()
	if err != nil {
		return err
	}
	if err := d.deliveries.Enable(v.ctx, v.by, webhooks.TenantOf(v.organization.ID), id); err != nil {
		return err
	}
	v.done(v.in("webhooks"), "webhooks-enabled")
	return nil
}

func (d *Dashboard) replayWebhooks(v *visit) error {
	id, err := v.application()
	if err != nil {
		return err
	}
	since, known := readMoment(v.field("since"))
	switch {
	case !known:
		return d.correctSince(v, id, func(t *webhookTexts) string { return t.SinceBad })
	case since.After(d.now()):
		return d.correctSince(v, id, func(t *webhookTexts) string { return t.SinceAhead })
	case d.now().Sub(since) > maxReplay:
		return d.correctSince(v, id, func(t *webhookTexts) string { return t.SinceLong })
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), replayLimit)
	defer cancel()
	// The server's limit is for a page. One that cannot be set is no limit.
	_ = http.NewResponseController(v.w).SetWriteDeadline(time.Now().Add(replayLimit + stallLimit))
	due, err := d.deliveries.Replay(ctx, v.by, webhooks.TenantOf(v.organization.ID), id, since)
	switch {
	case errors.Is(err, webhooks.ErrNoURL):
		v.done(v.in("webhooks"), "webhooks-no-url")
		return nil
	case err != nil:
		return err
	}
	v.done(v.in("webhooks")+"?"+dueParameter+"="+strconv.Itoa(due), "webhooks-replayed")
	return nil
}

// correctSince shows the page again with what was typed.
func (d *Dashboard) correctSince(v *visit, id domain.ApplicationID, text func(t *webhookTexts) string) error {
	p, err := d.webhooksPage(v)
	if err != nil {
		return err
	}
	for n := range p.Cards {
		if c := &p.Cards[n]; c.ID == id {
			c.Since = v.field("since")
			p.flaws = flaws{{c.Field(), func(t *texts) string { return text(&t.Webhooks) }}}
			return v.correct(sectionWebhooks, p)
		}
	}
	return errNoPage
}

// readMoment reads a local time as browsers send it, which is Tripoli's.
func readMoment(typed string) (time.Time, bool) {
	for _, layout := range expiryLayouts {
		if at, err := time.ParseInLocation(layout, latinFigures(typed), tripoli()); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

func tripoli() *time.Location { return web.Tripoli(time.Time{}).Location() }
