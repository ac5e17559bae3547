package dashboard

import (
	"context"
	"errors"
	"net/url"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/webhooks"
)

const (
	// testParameter names the test webhook whose result is shown.
	testParameter = "test"
	// testWait is how long the form of a test waits for its first try, so that the
	// next page can show the result.
	testWait = 2 * time.Second
	// sinceField has the creation time of the credential that the form shows.
	sinceField = "since"
)

func (d *Dashboard) showApplication(req *request) (view.ApplicationPage, error) {
	p, err := d.applicationPage(req)
	if err != nil {
		return p, err
	}
	if test, unread := webhooks.ParseDeliveryID(req.r.URL.Query().Get(testParameter)); unread == nil {
		p.Test, err = d.testResult(req, test)
	}
	return p, err
}

func (d *Dashboard) applicationPage(req *request) (view.ApplicationPage, error) {
	c, err := d.credentials(req)
	if err != nil {
		return view.ApplicationPage{}, err
	}
	endpoints, err := d.config.Deliveries.Endpoints(req.ctx, req.by, req.tenant())
	if err != nil {
		return view.ApplicationPage{}, err
	}
	acquirers, err := d.config.Settings.AcquirerAccounts(req.ctx, c.ID)
	if err != nil {
		return view.ApplicationPage{}, err
	}
	p := view.ApplicationPage{
		Credentials: c,
		Endpoint:    endpoints[req.application],
		Acquirers:   acquirers,
		NewName:     c.Name,
		KeySince:    c.KeyRolledAt.Format(time.RFC3339Nano),
		SecretSince: c.SecretRolledAt.Format(time.RFC3339Nano),
	}
	if c.WebhookURL != nil {
		p.NewURL = *c.WebhookURL
	}
	return p, nil
}

// testResult is nil where there is no such test of the application.
func (d *Dashboard) testResult(req *request, test webhooks.DeliveryID) (*view.TestResult, error) {
	tenant := webhooks.TenantOf(req.organization.ID)
	one, err := d.config.Deliveries.Find(req.ctx, tenant, test)
	if errors.Is(err, webhooks.ErrNoDelivery) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if one.Application != req.application || one.Event != webhooks.TypeTest {
		return nil, nil
	}
	tries, err := d.config.Deliveries.Tries(req.ctx, tenant, test)
	if err != nil {
		return nil, err
	}
	r := &view.TestResult{ID: test}
	if len(tries) > 0 {
		r.Last = &tries[len(tries)-1]
	}
	return r, nil
}

func (d *Dashboard) renameApplication(req *request) error {
	name := req.field("name")
	if wrong := nameErrors(name); len(wrong) > 0 {
		p, err := d.applicationPage(req)
		if err != nil {
			return err
		}
		p.NewName, p.FormErrors = name, wrong
		return req.show(view.SectionApplications, p)
	}
	err := d.config.Accounts.Rename(req.ctx, req.by, req.organization.ID, req.application, name)
	return req.doneUnless(err, req.applicationPath(), "application-renamed")
}

// setActive is the handler that activates an application, or deactivates it and, where
// the form says so, stops its open checkouts.
func setActive(active bool, notice string) handler {
	return func(d *Dashboard, req *request) error {
		if !active && req.field("stop_checkouts") != "" {
			err := d.config.Accounts.StopCheckouts(req.ctx, req.by, req.organization.ID, req.application)
			return req.doneUnless(err, req.applicationPath(), "checkouts-stopped")
		}
		err := d.config.Accounts.SetActive(req.ctx, req.by, req.organization.ID, req.application, active)
		return req.doneUnless(err, req.applicationPath(), notice)
	}
}

func (d *Dashboard) setWebhookURL(req *request) error {
	address := req.field("webhook_url")
	wrong, err := d.checkWebhookURL(req, address)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		p, err := d.applicationPage(req)
		if err != nil {
			return err
		}
		p.NewURL, p.FormErrors = address, wrong
		return req.show(view.SectionApplications, p)
	}
	notice := "webhook-url-set"
	if address == "" {
		notice = "webhook-url-cleared"
	}
	err = d.config.Accounts.SetWebhookURL(req.ctx, req.by, req.organization.ID, req.application, address)
	return req.doneUnless(err, req.applicationPath(), notice)
}

func (d *Dashboard) testWebhook(req *request) error {
	c, err := d.credentials(req)
	if err != nil {
		return err
	}
	if c.WebhookURL == nil {
		return req.done(req.applicationPath(), "webhook-no-url")
	}
	tenant := webhooks.TenantOf(req.organization.ID)
	sent, err := d.config.Deliveries.SendTest(req.ctx, req.by, tenant, req.application)
	if errors.Is(err, webhooks.ErrDisabled) {
		return req.done(req.applicationPath(), "webhook-disabled")
	}
	if err != nil {
		return err
	}
	for end := time.Now().Add(testWait); time.Now().Before(end); {
		r, err := d.testResult(req, sent.ID)
		if err != nil {
			return err
		}
		if r == nil || r.Last != nil {
			break
		}
		select {
		case <-req.ctx.Done():
			return req.ctx.Err()
		case <-time.After(testWait / 20):
		}
	}
	test := "?" + testParameter + "=" + url.QueryEscape(sent.ID.String())
	return req.done(req.applicationPath()+test, "webhook-tested")
}

func (d *Dashboard) rollKey(req *request) error {
	s := view.NewSecrets{}
	return d.roll(req, d.config.Accounts.RollAPIKey, &s, &s.Key, "key-rolled-already")
}

func (d *Dashboard) rollWebhookSecret(req *request) error {
	s := view.NewSecrets{}
	return d.roll(req, d.config.Accounts.RollWebhookSecret, &s, &s.Secret, "secret-rolled-already")
}

// rolling replaces a credential, if it is still the one created at the time.
type rolling func(
	context.Context, accounts.Actor, accounts.OrganizationID, domain.ApplicationID, time.Time,
) (string, error)

// roll replaces the credential that the form shows, and answers with the page of its new
// value, or with the notice if it was rolled meanwhile. A form without the time is accepted:
// none of our pages sends it, so it cannot be a reload.
func (d *Dashboard) roll(
	req *request, replace rolling, page *view.NewSecrets, value *string, already string,
) error {
	var since time.Time
	if text := req.field(sinceField); text != "" {
		var err error
		if since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return req.done(req.applicationPath(), already) // no credential began at that time
		}
	}
	c, err := d.credentials(req)
	if err != nil {
		return err
	}
	page.Application = c.Application
	*value, err = replace(req.ctx, req.by, req.organization.ID, req.application, since)
	if errors.Is(err, accounts.ErrRolled) {
		return req.done(req.applicationPath(), already)
	}
	if err != nil {
		return err
	}
	return req.show(view.SectionApplications, *page)
}

// credentials are those of the application of the path. Its mode is that of the page.
func (d *Dashboard) credentials(req *request) (accounts.Credentials, error) {
	c, err := d.config.Accounts.CredentialsOf(req.ctx, req.by, req.organization.ID, req.application)
	if err == nil && c.Mode != req.organization.Mode {
		err = errNoPage
	}
	return c, err
}
