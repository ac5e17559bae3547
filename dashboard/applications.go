package dashboard

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/internal/plaintext"
)

// checkURLLimit is how long a form waits for the DNS lookup of a webhook URL.
const checkURLLimit = 2 * time.Second

var _ = declare(
	route{method: http.MethodGet, path: inOrganization + "/applications", access: member,
		needs: accounts.SeeCredentials, handle: loaded(view.SectionApplications, (*Dashboard).applications)},
	route{method: http.MethodPost, path: inOrganization + "/applications", access: member,
		needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).createApplication},
	// Before the next: no application is called "new".
	route{method: http.MethodGet, path: inOrganization + "/applications/new", access: member,
		needs: accounts.ChangeCredentials, fresh: true,
		handle: loaded(view.SectionApplications, (*Dashboard).applicationForm)},
	route{method: http.MethodGet, path: inOrganization + "/applications/{application}", access: member,
		needs: accounts.SeeCredentials, handle: (*Dashboard).showApplication},
	route{method: http.MethodPost, path: inOrganization + "/applications/{application}/rename",
		access: member, needs: accounts.ChangeCredentials, fresh: true,
		handle: (*Dashboard).renameApplication},
	route{method: http.MethodPost, path: inOrganization + "/applications/{application}/activate",
		access: member, needs: accounts.ChangeCredentials, fresh: true,
		handle: setActive(true, "application-activated")},
	route{method: http.MethodPost, path: inOrganization + "/applications/{application}/deactivate",
		access: member, needs: accounts.ChangeCredentials, fresh: true,
		handle: setActive(false, "application-deactivated")},
	route{method: http.MethodPost, path: inOrganization + "/applications/{application}/webhook-url",
		access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).setWebhookURL},
	route{method: http.MethodPost, path: inOrganization + "/applications/{application}/test-webhook",
		access: member, needs: accounts.SendWebhooks, handle: (*Dashboard).testWebhook},
	route{method: http.MethodPost, path: inOrganization + "/applications/{application}/roll-key",
		access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).rollKey},
	route{method: http.MethodPost, path: inOrganization + "/applications/{application}/roll-webhook-secret",
		access: member, needs: accounts.ChangeCredentials, fresh: true,
		handle: (*Dashboard).rollWebhookSecret},
)

func (d *Dashboard) applications(req *request) (list view.ApplicationList, err error) {
	list.Applications, err = d.config.Accounts.AllCredentials(req.ctx, req.by, req.organization.ID)
	if err != nil {
		return list, err
	}
	list.Endpoints, err = d.config.Deliveries.Endpoints(req.ctx, req.by, req.organization.ID)
	return list, err
}

// applicationForm is the form as it was sent, or a new one.
func (d *Dashboard) applicationForm(req *request) (view.ApplicationForm, error) {
	return view.ApplicationForm{
		Number: req.formNumber(),
		Name:   req.field("name"),
		URL:    req.field("webhook_url"),
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
	if len(form.FormErrors) > 0 {
		return req.showInvalid(view.SectionApplications, form)
	}
	req.by.Form = form.Number
	app, err := d.config.Accounts.CreateApplication(req.ctx, req.by, req.organization.ID, form.Name, form.URL)
	switch {
	case errors.Is(err, accounts.ErrCreated):
		return req.done(req.in("applications"), "application-created-already")
	case errors.Is(err, accounts.ErrTooManyApplications):
		form.FormErrors = view.FormError("name", func(t *view.Texts) string {
			return t.Applications.TooManyApplications
		})
		return req.showInvalid(view.SectionApplications, form)
	}
	if err != nil {
		return err
	}
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
