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
	"daftar/webhooks"
)

// checkURLLimit is how long a form waits for the name of a webhook URL to be
// found.
const checkURLLimit = 2 * time.Second

var applicationRoutes = []route{
	{method: http.MethodGet, path: inOrganization + "/applications", access: member, needs: accounts.SeeCredentials, handle: loaded(view.SectionApplications, (*Dashboard).applications)},
	{method: http.MethodPost, path: inOrganization + "/applications", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).createApplication},
	// Before the next: no application is called "new".
	{method: http.MethodGet, path: inOrganization + "/applications/new", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: loaded(view.SectionApplications, (*Dashboard).applicationForm)},
	{method: http.MethodGet, path: inOrganization + "/applications/{application}", access: member, needs: accounts.SeeCredentials, handle: (*Dashboard).showApplication},
	{method: http.MethodPost, path: inOrganization + "/applications/{application}/rename", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).renameApplication},
	{method: http.MethodPost, path: inOrganization + "/applications/{application}/activate", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: setActive(true, "application-activated")},
	{method: http.MethodPost, path: inOrganization + "/applications/{application}/deactivate", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: setActive(false, "application-deactivated")},
	{method: http.MethodPost, path: inOrganization + "/applications/{application}/webhook-url", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).setWebhookURL},
	{method: http.MethodPost, path: inOrganization + "/applications/{application}/test-webhook", access: member, needs: accounts.SendWebhooks, handle: (*Dashboard).testWebhook},
	{method: http.MethodPost, path: inOrganization + "/applications/{application}/roll-key", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).rollKey},
	{method: http.MethodPost, path: inOrganization + "/applications/{application}/roll-webhook-secret", access: member, needs: accounts.ChangeCredentials, fresh: true, handle: (*Dashboard).rollWebhookSecret},
}

func (d *Dashboard) applications(req *request) (list view.ApplicationList, err error) {
	if list.Applications, err = d.config.Accounts.AllCredentials(req.ctx, req.by, req.organization.ID); err != nil {
		return list, err
	}
	list.Endpoints, err = d.config.Deliveries.Endpoints(req.ctx, req.by, req.organization.ID)
	return list, err
}

// applicationForm is the form as it was sent, or a new one.
func (d *Dashboard) applicationForm(req *request) (view.ApplicationForm, error) {
	return view.ApplicationForm{Number: req.formNumber(), Name: req.field("name"), URL: req.field("webhook_url")}, nil
}

func (d *Dashboard) createApplication(req *request) error {
	form, _ := d.applicationForm(req)
	form.FormErrors = nameErrors(form.Name)
	wrong, _, err := d.checkWebhookURL(req, form.URL)
	if err != nil {
		return err
	}
	form.FormErrors = append(form.FormErrors, wrong...)
	if len(form.FormErrors) > 0 {
		return req.showInvalid(view.SectionApplications, form)
	}
	req.by.Form = form.Number
	app, err := d.config.Accounts.CreateApplication(req.ctx, req.by, req.organization.ID, form.Name, form.URL)
	if errors.Is(err, accounts.ErrCreated) {
		return req.done(req.in("applications"), "application-created-already")
	}
	if err != nil {
		return err
	}
	return req.show(view.SectionApplications, view.NewSecrets{
		Application: app.Application, Key: app.APIKey, Secret: app.WebhookSecret,
	})
}

// nameErrors says what is wrong with a name, in the rules of package accounts.
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

// checkWebhookURL says what is wrong with an address, and whether the name of its
// host was not found: that may pass, so it is not held against the address.
func (d *Dashboard) checkWebhookURL(req *request, address string) (wrong view.FormErrors, unresolved bool, err error) {
	if address == "" {
		return nil, false, nil
	}
	is := func(text func(t *view.ApplicationTexts) string) (view.FormErrors, bool, error) {
		return view.FormError("webhook_url", func(t *view.Texts) string { return text(&t.Applications) }), false, nil
	}
	u, bad := url.Parse(address)
	switch {
	case bad != nil, u.Hostname() == "", u.Scheme != "https" && u.Scheme != "http", len(address) > maxWebhookURL, !plaintext.OneLine(address):
		return is(func(t *view.ApplicationTexts) string { return t.URLBad })
	case u.User != nil, u.Fragment != "":
		return is(func(t *view.ApplicationTexts) string { return t.URLParts })
	}
	ctx, cancel := context.WithTimeout(req.ctx, checkURLLimit)
	defer cancel()
	switch err := d.config.Guard.CheckURL(ctx, address); {
	case err == nil:
		return nil, false, nil
	case errors.Is(err, webhooks.ErrNotHTTPS):
		return is(func(t *view.ApplicationTexts) string { return t.URLNotHTTPS })
	case errors.Is(err, webhooks.ErrPort):
		return is(func(t *view.ApplicationTexts) string { return t.URLPort })
	case errors.Is(err, webhooks.ErrPrivateAddress):
		return is(func(t *view.ApplicationTexts) string { return t.URLPrivate })
	case req.ctx.Err() != nil:
		return nil, false, err
	}
	return nil, true, nil
}

// maxWebhookURL is the length of a webhook URL in bytes, as in package accounts.
const maxWebhookURL = 2048
