package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/webhooks"
)

// checkURLLimit is how long a form waits for the name of a webhook URL to be
// found.
const checkURLLimit = 2 * time.Second

var applicationRoutes = []route{
	{method: http.MethodGet, path: of + "/applications", access: member, needs: accounts.SeeCredentials, handle: (*Dashboard).listApplications},
	{method: http.MethodPost, path: of + "/applications", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).createApplication},
	// Before the next: no application is called "new".
	{method: http.MethodGet, path: of + "/applications/new", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).newApplication},
	{method: http.MethodGet, path: of + "/applications/{application}", access: member, needs: accounts.SeeCredentials, handle: (*Dashboard).showApplication},
	{method: http.MethodPost, path: of + "/applications/{application}/rename", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).renameApplication},
	{method: http.MethodPost, path: of + "/applications/{application}/activate", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).activateApplication},
	{method: http.MethodPost, path: of + "/applications/{application}/deactivate", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).deactivateApplication},
	{method: http.MethodPost, path: of + "/applications/{application}/webhook-url", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).setWebhookURL},
	{method: http.MethodPost, path: of + "/applications/{application}/test-webhook", access: member, needs: accounts.SendWebhooks, handle: (*Dashboard).testWebhook},
	{method: http.MethodPost, path: of + "/applications/{application}/roll-key", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).rollKey},
	{method: http.MethodPost, path: of + "/applications/{application}/roll-webhook-secret", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).rollWebhookSecret},
}

var applicationNotices = map[string]notice{
	"application-renamed":     {"تغيّر الاسم، ويراه الزبائن في صفحة الدفع من الآن.", "The name was changed. Customers see it on the payment page from now on."},
	"application-activated":   {"التطبيق نشط، ومفتاحه يعمل الآن.", "The application is active and its key works now."},
	"application-deactivated": {"عُطّل التطبيق، ولا يُقبل مفتاحه بعد الآن.", "The application was deactivated. Its key is refused from now on."},
	"webhook-url-set":         {"حُفظ عنوان الإشعارات. جرّبه بإرسال إشعار تجريبي.", "The webhook URL was saved. Try it with a test delivery."},
	"webhook-url-unresolved": {
		"حُفظ عنوان الإشعارات، لكننا لم نجد اسم الخادم الآن. لن تصل الإشعارات إلى أن يُعثر عليه.",
		"The webhook URL was saved, but the name of its host is not found at the moment. Nothing arrives until it is.",
	},
	"webhook-url-cleared": {"لم يعد للتطبيق عنوان إشعارات، ولا يُرسل شيء.", "The application has no webhook URL any more, and nothing is sent."},
	"webhook-tested":      {"أُرسل إشعار تجريبي. نتيجته أدناه.", "A test webhook was sent. What came of it is below."},
	"webhook-disabled": {
		"الإرسال إلى هذا العنوان متوقف. فعّله من صفحة الإشعارات ثم أعد التجربة.",
		"Sending to this URL has stopped. Enable it on the webhooks page, then try again.",
	},
	"webhook-no-url": {"اضبط عنوان الإشعارات أولًا.", "Set a webhook URL first."},
	"key-rolled-already": {
		"استُبدل المفتاح من قبل، ولم يُستبدل مرة أخرى. إن لم تحفظ المفتاح الجديد فاستبدله من جديد.",
		"The key was replaced before, and was not replaced again. If you did not keep the new one, replace it once more.",
	},
	"secret-rolled-already": {
		"استُبدل السر من قبل، ولم يُستبدل مرة أخرى. إن لم تحفظ السر الجديد فاستبدله من جديد.",
		"The secret was replaced before, and was not replaced again. If you did not keep the new one, replace it once more.",
	},
}

// flaw is something in a form that has to be corrected.
type flaw struct {
	field string // id of the field
	text  func(*texts) string
}

// flaws are all of a form. The zero value is none.
type flaws []flaw

// Problems says them in a language.
func (f flaws) Problems(t *texts) []problem {
	all := make([]problem, len(f))
	for n, one := range f {
		all[n] = problem{one.field, one.text(t)}
	}
	return all
}

// applicationCard is an application in the list.
type applicationCard struct {
	accounts.Credentials
	Endpoint webhooks.Endpoint
}

// applicationList is the page of all applications.
type applicationList struct{ Cards []applicationCard }

func (applicationList) Template() string { return "applications" }

func (applicationList) title(t *texts) string { return t.Sections.Applications }

func (d *Dashboard) listApplications(v *visit) error {
	all, err := d.accounts.AllCredentials(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	endpoints, err := d.deliveries.Endpoints(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	list := applicationList{Cards: make([]applicationCard, len(all))}
	for n, a := range all {
		list.Cards[n] = applicationCard{a, endpoints[a.ID]}
	}
	return v.show(sectionApplications, list)
}

// applicationForm creates an application.
type applicationForm struct {
	flaws
	Name, URL string
}

func (applicationForm) Template() string { return "application-new" }

func (applicationForm) title(t *texts) string { return t.Applications.New }

func (d *Dashboard) newApplication(v *visit) error {
	return v.show(sectionApplications, applicationForm{})
}

func (d *Dashboard) createApplication(v *visit) error {
	form := applicationForm{Name: v.field("name"), URL: v.field("webhook_url")}
	form.flaws = nameFlaws(form.Name)
	wrong, _, err := d.checkWebhookURL(v, form.URL)
	if err != nil {
		return err
	}
	form.flaws = append(form.flaws, wrong...)
	if len(form.flaws) > 0 {
		return v.correct(sectionApplications, form)
	}
	app, err := d.accounts.CreateApplication(v.ctx, v.by, v.organization.ID, form.Name, form.URL)
	if err != nil {
		return err
	}
	return v.show(sectionApplications, newSecrets{
		Application: app.Application, Key: app.APIKey, Secret: app.WebhookSecret, what: createdApplication,
	})
}

// nameFlaws says what is wrong with a name, in the rules of package accounts.
func nameFlaws(name string) flaws {
	switch length := len([]rune(name)); {
	case length == 0:
		return flaws{{"name", func(t *texts) string { return t.Applications.NameMissing }}}
	case length > maxName:
		return flaws{{"name", func(t *texts) string { return t.Applications.NameLong }}}
	case !plaintext.OneLine(name):
		return flaws{{"name", func(t *texts) string { return t.Applications.NameBad }}}
	}
	return nil
}

// maxName is the length of a name in code points, as in package accounts.
const maxName = 255

// checkWebhookURL says what is wrong with an address, and whether the name of its
// host was not found: that may pass, so it is not held against the address.
func (d *Dashboard) checkWebhookURL(v *visit, address string) (wrong flaws, unresolved bool, err error) {
	if address == "" {
		return nil, false, nil
	}
	is := func(text func(t *applicationTexts) string) (flaws, bool, error) {
		return flaws{{"webhook_url", func(t *texts) string { return text(&t.Applications) }}}, false, nil
	}
	u, bad := url.Parse(address)
	switch {
	case bad != nil, u.Hostname() == "", u.Scheme != "https" && u.Scheme != "http", len(address) > maxWebhookURL, !plaintext.OneLine(address):
		return is(func(t *applicationTexts) string { return t.URLBad })
	case u.User != nil, u.Fragment != "":
		return is(func(t *applicationTexts) string { return t.URLParts })
	}
	ctx, cancel := context.WithTimeout(v.ctx, checkURLLimit)
	defer cancel()
	switch err := d.guard.CheckURL(ctx, address); {
	case err == nil:
		return nil, false, nil
	case errors.Is(err, webhooks.ErrNotHTTPS):
		return is(func(t *applicationTexts) string { return t.URLNotHTTPS })
	case errors.Is(err, webhooks.ErrPort):
		return is(func(t *applicationTexts) string { return t.URLPort })
	case errors.Is(err, webhooks.ErrPrivateAddress):
		return is(func(t *applicationTexts) string { return t.URLPrivate })
	case v.ctx.Err() != nil:
		return nil, false, err
	}
	return nil, true, nil
}

// maxWebhookURL is the length of a webhook URL in bytes, as in package accounts.
const maxWebhookURL = 2048

// application is the one in the path; of another organisation there is none.
func (v *visit) application() (domain.ApplicationID, error) {
	id, err := accounts.ParseApplicationID(v.variable("application"))
	if err != nil {
		return id, errNoPage
	}
	return id, nil
}

// applicationPath is the page of one application.
func applicationPath(v *visit, id domain.ApplicationID) string {
	return v.in("applications/" + id.String())
}
