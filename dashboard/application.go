package dashboard

import (
	"errors"
	"net/url"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/webhooks"
)

// testParameter names the test webhook whose result is shown.
const testParameter = "test"

func (d *Dashboard) showApplication(v *visit) error {
	id, err := v.application()
	if err != nil {
		return err
	}
	p, err := d.applicationPage(v, id)
	if err != nil {
		return err
	}
	if test, err := webhooks.ParseDeliveryID(v.r.URL.Query().Get(testParameter)); err == nil {
		if p.Test, err = d.testResult(v, id, test); err != nil {
			return err
		}
	}
	return v.show(view.SectionApplications, p)
}

func (d *Dashboard) applicationPage(v *visit, id domain.ApplicationID) (view.ApplicationPage, error) {
	c, err := d.accounts.CredentialsOf(v.ctx, v.by, v.organization.ID, id)
	if err != nil {
		return view.ApplicationPage{}, err
	}
	endpoints, err := d.deliveries.Endpoints(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return view.ApplicationPage{}, err
	}
	p := view.ApplicationPage{
		Credentials: c, Endpoint: endpoints[id], NewName: c.Name,
		KeySince: c.KeyRolledAt.Format(time.RFC3339Nano), SecretSince: c.SecretRolledAt.Format(time.RFC3339Nano),
	}
	if c.WebhookURL != nil {
		p.NewURL = *c.WebhookURL
	}
	return p, nil
}

// testResult is nil where there is no such test of the application.
func (d *Dashboard) testResult(v *visit, id domain.ApplicationID, test webhooks.DeliveryID) (*view.TestResult, error) {
	latest, err := d.deliveries.List(v.ctx, webhooks.Filter{
		Tenant: webhooks.TenantOf(v.organization.ID), Application: &id, Limit: recentDeliveries,
	})
	if err != nil {
		return nil, err
	}
	for _, one := range latest {
		if one.ID != test || one.Event != webhooks.TypeTest {
			continue
		}
		tries, err := d.deliveries.Tries(v.ctx, webhooks.TenantOf(v.organization.ID), test)
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

// recentDeliveries is among how many a test is looked for that was sent just now.
const recentDeliveries = 100

func (d *Dashboard) renameApplication(v *visit) error {
	id, err := v.application()
	if err != nil {
		return err
	}
	name := v.field("name")
	if wrong := nameErrors(name); len(wrong) > 0 {
		p, err := d.applicationPage(v, id)
		if err != nil {
			return err
		}
		p.NewName, p.FormErrors = name, wrong
		return v.showInvalid(view.SectionApplications, p)
	}
	if err := d.accounts.Rename(v.ctx, v.by, v.organization.ID, id, name); err != nil {
		return err
	}
	v.done(applicationPath(v, id), "application-renamed")
	return nil
}

func (d *Dashboard) activateApplication(v *visit) error {
	return d.setActive(v, true, "application-activated")
}

func (d *Dashboard) deactivateApplication(v *visit) error {
	return d.setActive(v, false, "application-deactivated")
}

func (d *Dashboard) setActive(v *visit, active bool, notice string) error {
	id, err := v.application()
	if err != nil {
		return err
	}
	if err := d.accounts.SetActive(v.ctx, v.by, v.organization.ID, id, active); err != nil {
		return err
	}
	v.done(applicationPath(v, id), notice)
	return nil
}

func (d *Dashboard) setWebhookURL(v *visit) error {
	id, err := v.application()
	if err != nil {
		return err
	}
	address := v.field("webhook_url")
	wrong, unresolved, err := d.checkWebhookURL(v, address)
	if err != nil {
		return err
	}
	if len(wrong) > 0 {
		p, err := d.applicationPage(v, id)
		if err != nil {
			return err
		}
		p.NewURL, p.FormErrors = address, wrong
		return v.showInvalid(view.SectionApplications, p)
	}
	if err := d.accounts.SetWebhookURL(v.ctx, v.by, v.organization.ID, id, address); err != nil {
		return err
	}
	notice := "webhook-url-set"
	switch {
	case address == "":
		notice = "webhook-url-cleared"
	case unresolved:
		notice = "webhook-url-unresolved"
	}
	v.done(applicationPath(v, id), notice)
	return nil
}

// testWait is how long the form of a test waits for its first try, so that the
// next page can say what came of it.
const testWait = 2 * time.Second

func (d *Dashboard) testWebhook(v *visit) error {
	id, err := v.application()
	if err != nil {
		return err
	}
	c, err := d.accounts.CredentialsOf(v.ctx, v.by, v.organization.ID, id)
	if err != nil {
		return err
	}
	if c.WebhookURL == nil {
		v.done(applicationPath(v, id), "webhook-no-url")
		return nil
	}
	sent, err := d.deliveries.SendTest(v.ctx, v.by, webhooks.TenantOf(v.organization.ID), id)
	if errors.Is(err, webhooks.ErrDisabled) {
		v.done(applicationPath(v, id), "webhook-disabled")
		return nil
	}
	if err != nil {
		return err
	}
	for end := time.Now().Add(testWait); time.Now().Before(end); {
		r, err := d.testResult(v, id, sent.ID)
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
	v.done(applicationPath(v, id)+"?"+testParameter+"="+url.QueryEscape(sent.ID.String()), "webhook-tested")
	return nil
}

// sinceField carries what a form was opened on.
const sinceField = "since"

// outdated reports whether a form was opened on a credential that has been rolled
// since. A form without the field is taken: no page of ours sends it, so it is
// no reload.
func (v *visit) outdated(rolledAt time.Time) bool {
	since := v.field(sinceField)
	return since != "" && since != rolledAt.Format(time.RFC3339Nano)
}

func (d *Dashboard) rollKey(v *visit) error {
	c, err := d.visitCredentials(v)
	if err != nil {
		return err
	}
	if v.outdated(c.KeyRolledAt) {
		v.done(applicationPath(v, c.ID), "key-rolled-already")
		return nil
	}
	key, err := d.accounts.RollAPIKey(v.ctx, v.by, v.organization.ID, c.ID, c.KeyRolledAt)
	if errors.Is(err, accounts.ErrRolled) { // by a form sent at the same time
		v.done(applicationPath(v, c.ID), "key-rolled-already")
		return nil
	}
	if err != nil {
		return err
	}
	return v.show(view.SectionApplications, view.NewSecrets{Application: c.Application, Key: key, What: view.RolledKey})
}

func (d *Dashboard) rollWebhookSecret(v *visit) error {
	c, err := d.visitCredentials(v)
	if err != nil {
		return err
	}
	if v.outdated(c.SecretRolledAt) {
		v.done(applicationPath(v, c.ID), "secret-rolled-already")
		return nil
	}
	secret, err := d.accounts.RollWebhookSecret(v.ctx, v.by, v.organization.ID, c.ID, c.SecretRolledAt)
	if errors.Is(err, accounts.ErrRolled) {
		v.done(applicationPath(v, c.ID), "secret-rolled-already")
		return nil
	}
	if err != nil {
		return err
	}
	return v.show(view.SectionApplications, view.NewSecrets{Application: c.Application, Secret: secret, What: view.RolledSecret})
}

// visitCredentials are those of the application in the path.
func (d *Dashboard) visitCredentials(v *visit) (accounts.Credentials, error) {
	id, err := v.application()
	if err != nil {
		return accounts.Credentials{}, err
	}
	return d.accounts.CredentialsOf(v.ctx, v.by, v.organization.ID, id)
}
