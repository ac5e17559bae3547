package dashboard

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/plaintext"
)

// checkURLLimit is how long a form waits for the DNS lookup of a webhook URL.
const checkURLLimit = 2 * time.Second

var _ = declare(
	get("/applications", member(accounts.SeeCredentials),
		loaded(view.SectionApplications, (*Dashboard).applications)),
	post("/applications", member(accounts.ChangeCredentials), (*Dashboard).createApplication).fresh(),
	get("/applications/new", member(accounts.ChangeCredentials),
		loaded(view.SectionApplications, (*Dashboard).applicationForm)).fresh(),
	get("/applications/{application}", member(accounts.SeeCredentials),
		loaded(view.SectionApplications, (*Dashboard).showApplication)),
	post("/applications/{application}/rename", member(accounts.ChangeCredentials),
		(*Dashboard).renameApplication).fresh(),
	post("/applications/{application}/activate", member(accounts.ChangeCredentials),
		setActive(true, "application-activated")).fresh(),
	post("/applications/{application}/deactivate", member(accounts.ChangeCredentials),
		setActive(false, "application-deactivated")).fresh(),
	post("/applications/{application}/webhook-url", member(accounts.ChangeCredentials),
		(*Dashboard).setWebhookURL).fresh(),
	post("/applications/{application}/test-webhook", member(accounts.SendWebhooks), (*Dashboard).testWebhook),
	post("/applications/{application}/roll-key", member(accounts.ChangeCredentials),
		(*Dashboard).rollKey).fresh(),
	post("/applications/{application}/roll-webhook-secret", member(accounts.ChangeCredentials),
		(*Dashboard).rollWebhookSecret).fresh(),
)

func (d *Dashboard) applications(req *request) (list view.ApplicationList, err error) {
	list.Applications, err = d.config.Accounts.AllCredentials(req.ctx, req.by, req.tenant())
	if err != nil {
		return list, err
	}
	list.Endpoints, err = d.config.Deliveries.Endpoints(req.ctx, req.by, req.tenant())
	return list, err
}

// applicationForm is the form as it was sent, or a new one.
func (d *Dashboard) applicationForm(req *request) (view.ApplicationForm, error) {
	return view.ApplicationForm{
		Number: req.formNumber(),
		Name:   req.field("name"),
		URL:    req.field("webhook_url"),
		Mode:   domain.Mode(cmp.Or(req.field("mode"), string(req.organization.Mode))),
	}, nil
}

func (d *Dashboard) createApplication(req *request) error {
	form, _ := d.applicationForm(req)
	form.FormErrors = nameErrors(form.Name)
	wrong, err := d.checkWebhookURL(req, form.URL)
	if err != nil {
		return err
	}
	form.FormErrors = append(form.FormErrors, wrong...)
	if _, err := domain.ParseMode(string(form.Mode)); err != nil {
		form.Add("mode", func(t *view.Texts) string { return t.Applications.ModeBad })
	}
	if len(form.FormErrors) > 0 {
		return req.show(view.SectionApplications, form)
	}
	req.by.Form = form.Number
	app, err := d.config.Accounts.CreateApplication(req.ctx, req.by, req.organization.ID,
		accounts.Draft{Name: form.Name, Mode: form.Mode, WebhookURL: form.URL})
	switch {
	case errors.Is(err, accounts.ErrCreated):
		return req.done(req.in("applications"), "application-created-already")
	case errors.Is(err, accounts.ErrTestOnly):
		form.FormErrors = view.FormError("mode", func(t *view.Texts) string { return t.Applications.TestOnly })
		return req.show(view.SectionApplications, form)
	case errors.Is(err, accounts.ErrTooManyApplications):
		form.FormErrors = view.FormError("name", func(t *view.Texts) string {
			return t.Applications.TooManyApplications
		})
		return req.show(view.SectionApplications, form)
	}
	if err != nil {
		return err
	}
	req.organization.Mode = app.Mode // its page, and where the menu leads
	return req.show(view.SectionApplications, view.NewSecrets{
		Application: app.Application, Key: app.APIKey, Secret: app.WebhookSecret,
	})
}

// nameErrors checks a name by the rules of package accounts.
func nameErrors(name string) view.FormErrors {
	switch length := len([]rune(name)); {
	case length == 0:
		return view.FormError("name", func(t *view.Texts) string { return t.Applications.NameMissing })
	case length > maxName:
		return view.FormError("name", func(t *view.Texts) string { return t.Applications.NameLong })
	case !plaintext.OneLine(name):
		return view.FormError("name", func(t *view.Texts) string { return t.Applications.NameBad })
	}
	return nil
}

// maxName is the length of a name in code points, as in package accounts.
const maxName = 255

// checkWebhookURL returns an error of the form if webhooks cannot be sent to an address. The
// text is the same for every reason: otherwise the form would reveal names in our network.
func (d *Dashboard) checkWebhookURL(req *request, address string) (view.FormErrors, error) {
	if address == "" || d.takesWebhooks(req.ctx, address) {
		return nil, nil
	}
	bad := func(t *view.Texts) string { return t.Applications.URLBad }
	return view.FormError("webhook_url", bad), req.ctx.Err()
}

func (d *Dashboard) takesWebhooks(ctx context.Context, address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" ||
		u.User != nil || u.Fragment != "" ||
		len(address) > maxWebhookURL || !plaintext.OneLine(address) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, checkURLLimit)
	defer cancel()
	return d.config.Guard.CheckURL(ctx, address) == nil
}

// maxWebhookURL is the length of a webhook URL in bytes, as in package accounts.
const maxWebhookURL = 2048
