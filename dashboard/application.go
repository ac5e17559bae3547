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
	// recentDeliveries is among how many a test is looked for that was sent just now.
	recentDeliveries = 100
	// testWait is how long the form of a test waits for its first try, so that the
	// next page can say what came of it.
	testWait = 2 * time.Second
	// sinceField is when the credential began that a form was opened on.
	sinceField = "since"
)

func (d *Dashboard) showApplication(v *visit) error {
	p, err := d.applicationPage(v)
	if err != nil {
		return err
	}
	if test, err := webhooks.ParseDeliveryID(v.r.URL.Query().Get(testParameter)); err == nil {
		if p.Test, err = d.testResult(v, test); err != nil {
			return err
		}
	}
	return v.show(view.SectionApplications, p)
}

func (d *Dashboard) applicationPage(v *visit) (view.ApplicationPage, error) {
	c, err := d.credentials(v)
	if err != nil {
		return view.ApplicationPage{}, err
	}
	endpoints, err := d.config.Deliveries.Endpoints(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return view.ApplicationPage{}, err
	}
	p := view.ApplicationPage{
		Credentials: c, Endpoint: endpoints[v.application], NewName: c.Name,
		KeySince: c.KeyRolledAt.Format(time.RFC3339Nano), SecretSince: c.SecretRolledAt.Format(time.RFC3339Nano),
	}
	if c.WebhookURL != nil {
		p.NewURL = *c.WebhookURL
	}
	return p, nil
}

// testResult is nil where there is no such test of the application.
func (d *Dashboard) testResult(v *visit, test webhooks.DeliveryID) (*view.TestResult, error) {
	latest, err := d.config.Deliveries.List(v.ctx, webhooks.Filter{
		Tenant: webhooks.TenantOf(v.organization.ID), Application: &v.application, Limit: recentDeliveries,
	})
	if err != nil {
		return nil, err
	}
	for _, one := range latest {
		if one.ID != test || one.Event != webhooks.TypeTest {
			continue
		}
		tries, err := d.config.Deliveries.Tries(v.ctx, webhooks.TenantOf(v.organization.ID), test)
		if err != nil {
			return nil, err
		}
		r := &view.TestResult{ID: test, State: one.State}
		if len(tries) > 0 {
			r.Last = &tries[len(tries)-1]
		}
		return r, nil
	}
	return nil, nil
}

func (d *Dashboard) renameApplication(v *visit) error {
	name := v.field("name")
	if wrong := nameErrors(name); len(wrong) > 0 {
		p, err := d.applicationPage(v)
		if err != nil {
			return err
		}
		p.NewName, p.FormErrors = name, wrong
		return v.showInvalid(view.SectionApplications, p)
	}
	if err := d.config.Accounts.Rename(v.ctx, v.by, v.organization.ID, v.application, name); err != nil {
		return err
	}
	return v.done(v.applicationPath(), "application-renamed")
}

// setActive is the handler that activates an application, or deactivates it.
func setActive(active bool, notice string) func(*Dashboard, *visit) error {
	return func(d *Dashboard, v *visit) error {
		if err := d.config.Accounts.SetActive(v.ctx, v.by, v.organization.ID, v.application, active); err != nil {
			return err
		}
		return v.done(v.applicationPath(), notice)
	}
}

func (d *Dashboard) setWebhookURL(v *visit) error {
	address := v.field("webhook_url")
	wrong, unresolved, err := d.checkWebhookURL(v, address)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		p, err := d.applicationPage(v)
		if err != nil {
			return err
		}
		p.NewURL, p.FormErrors = address, wrong
		return v.showInvalid(view.SectionApplications, p)
	}
	if err := d.config.Accounts.SetWebhookURL(v.ctx, v.by, v.organization.ID, v.application, address); err != nil {
		return err
	}
	notice := "webhook-url-set"
	switch {
	case address == "":
		notice = "webhook-url-cleared"
	case unresolved:
		notice = "webhook-url-unresolved"
	}
	return v.done(v.applicationPath(), notice)
}

func (d *Dashboard) testWebhook(v *visit) error {
	c, err := d.credentials(v)
	if err != nil {
		return err
	}
	if c.WebhookURL == nil {
		return v.done(v.applicationPath(), "webhook-no-url")
	}
	sent, err := d.config.Deliveries.SendTest(v.ctx, v.by, webhooks.TenantOf(v.organization.ID), v.application)
	if errors.Is(err, webhooks.ErrDisabled) {
		return v.done(v.applicationPath(), "webhook-disabled")
	}
	if err != nil {
		return err
	}
	for end := time.Now().Add(testWait); time.Now().Before(end); {
		r, err := d.testResult(v, sent.ID)
		if err != nil {
			return err
		}
		if r == nil || !r.Pending() {
			break
		}
		select {
		case <-v.ctx.Done():
			return v.ctx.Err()
		case <-time.After(testWait / 20):
		}
	}
	return v.done(v.applicationPath()+"?"+testParameter+"="+url.QueryEscape(sent.ID.String()), "webhook-tested")
}

func (d *Dashboard) rollKey(v *visit) error {
	app, key, err := d.roll(v, d.config.Accounts.RollAPIKey)
	if errors.Is(err, accounts.ErrRolled) {
		return v.done(v.applicationPath(), "key-rolled-already")
	}
	if err != nil {
		return err
	}
	return v.show(view.SectionApplications, view.NewSecrets{Application: app, Key: key, What: view.RolledKey})
}

func (d *Dashboard) rollWebhookSecret(v *visit) error {
	app, secret, err := d.roll(v, d.config.Accounts.RollWebhookSecret)
	if errors.Is(err, accounts.ErrRolled) {
		return v.done(v.applicationPath(), "secret-rolled-already")
	}
	if err != nil {
		return err
	}
	return v.show(view.SectionApplications, view.NewSecrets{Application: app, Secret: secret, What: view.RolledSecret})
}

// rolling replaces a credential, if it is still the one of that time.
type rolling func(context.Context, accounts.Actor, accounts.OrganizationID, domain.ApplicationID, time.Time) (string, error)

// roll replaces the credential that the form was opened on. The error is
// accounts.ErrRolled where it has been rolled since. A form without the time is
// taken: no page of ours sends it, so it is no reload.
func (d *Dashboard) roll(v *visit, replace rolling) (app accounts.Application, value string, err error) {
	var since time.Time
	if text := v.field(sinceField); text != "" {
		if since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return app, "", accounts.ErrRolled // no credential began at that time
		}
	}
	c, err := d.credentials(v)
	if err != nil {
		return app, "", err
	}
	value, err = replace(v.ctx, v.by, v.organization.ID, v.application, since)
	return c.Application, value, err
}

func (d *Dashboard) credentials(v *visit) (accounts.Credentials, error) {
	return d.config.Accounts.CredentialsOf(v.ctx, v.by, v.organization.ID, v.application)
}
