package dashboard

import (
	"net/http"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/projections"
)

var developerRoutes = []route{
	{method: http.MethodGet, path: of + "/developers", access: member, needs: accounts.SeeDevelopers, handle: (*Dashboard).developers},
	{method: http.MethodGet, path: of + "/developers/reference", access: member, needs: accounts.SeeDevelopers, handle: (*Dashboard).showReference},
	{method: http.MethodGet, path: of + "/developers/webhooks", access: member, needs: accounts.SeeDevelopers, handle: (*Dashboard).webhookGuide},
	{method: http.MethodGet, path: of + "/developers/sandbox", access: member, needs: accounts.SeeDevelopers, handle: (*Dashboard).sandboxNumbers},
}

// developersPage is the developers' corner.
type developersPage struct {
	BaseURL      string
	Steps        []step
	Applications []accounts.Credentials
	At           *accounts.Credentials // the one that the code is for; nil: there is none yet
	Languages    []snippetLanguage
	Language     snippetLanguage
	Code         snippets
}

func (developersPage) Template() string { return "developers" }

func (developersPage) title(t *texts) string { return t.Sections.Developers }

// Chosen says which application the code is for.
func (p developersPage) Chosen(a accounts.Credentials) bool { return p.At != nil && p.At.ID == a.ID }

// Done is how many steps are behind the developer.
func (p developersPage) Done() int {
	done := 0
	for _, s := range p.Steps {
		if s.Done {
			done++
		}
	}
	return done
}

// stepName is a step towards the first payment.
type stepName uint8

const (
	stepApplication stepName = iota
	stepToken
	stepIntent
	stepPaid
	stepURL
	stepDelivered
)

// step is one of the checklist; facts tick it, never the reader.
type step struct {
	Name stepName
	Done bool
	Path string // where it is done, below the organisation; empty: not in the dashboard
}

func (d *Dashboard) developers(v *visit) error {
	all, err := d.accounts.AllCredentials(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	p := developersPage{
		BaseURL: d.apiURL, Applications: all, Languages: snippetLanguages,
		Language: languageCalled(v.r.URL.Query().Get("code")),
	}
	chosen := v.r.URL.Query().Get("application")
	for n, a := range all {
		// Without a choice, the first that works.
		if a.ID.String() == chosen || chosen == "" && a.Active && p.At == nil {
			p.At = &all[n]
		}
	}
	if p.At == nil && len(all) > 0 {
		p.At = &all[0]
	}
	if p.Steps, err = d.steps(v, p.At); err != nil {
		return err
	}
	values := snippetValues{BaseURL: p.BaseURL, Application: v.organization.Name}
	if p.At != nil {
		values.Application, values.KeyEnding = p.At.Name, p.At.KeyEnding
	}
	if p.Code, err = snippetsFor(p.Language, values); err != nil {
		return err
	}
	return v.show(sectionDevelopers, p)
}

// steps looks up what the organisation, and the application at hand, have done.
func (d *Dashboard) steps(v *visit, at *accounts.Credentials) ([]step, error) {
	tokens, err := d.tokenRows(v)
	if err != nil {
		return nil, err
	}
	hasToken := false
	for _, t := range tokens {
		hasToken = hasToken || t.InForce()
	}
	steps := []step{
		{Name: stepApplication, Done: at != nil && at.Active, Path: "applications/new"},
		{Name: stepToken, Done: hasToken, Path: "tokens/new"},
		{Name: stepIntent}, {Name: stepPaid},
		{Name: stepURL}, {Name: stepDelivered},
	}
	if at == nil {
		return steps, nil
	}
	page := "applications/" + at.ID.String()
	if !at.Active {
		steps[stepApplication].Path = page
	}
	steps[stepURL].Path, steps[stepDelivered].Path = page, page
	if steps[stepIntent].Done, err = d.hasPayment(v, at.ID, ""); err != nil {
		return nil, err
	}
	if steps[stepIntent].Done {
		if steps[stepPaid].Done, err = d.hasPayment(v, at.ID, domain.StatusSucceeded); err != nil {
			return nil, err
		}
	}
	steps[stepURL].Done = at.WebhookURL != nil
	endpoints, err := d.deliveries.Endpoints(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return nil, err
	}
	steps[stepDelivered].Done = endpoints[at.ID].Delivered
	return steps, nil
}

// hasPayment says whether the application has a payment, in a status or in any.
func (d *Dashboard) hasPayment(v *visit, id domain.ApplicationID, status domain.Status) (bool, error) {
	found, err := d.payments.List(v.ctx, uuid.UUID(v.organization.ID), projections.Filter{Application: &id, Status: status}, "", 1)
	if err != nil {
		return false, err
	}
	return len(found.Payments) > 0, nil
}

func (d *Dashboard) showReference(v *visit) error {
	return v.show(sectionDevelopers, referencePage{BaseURL: d.apiURL})
}

func (d *Dashboard) webhookGuide(v *visit) error { return v.show(sectionDevelopers, guidePage{}) }

func (d *Dashboard) sandboxNumbers(v *visit) error {
	return v.show(sectionDevelopers, sandboxPage{On: d.sandbox})
}

// sandboxPage says what the sandbox does with which number and code.
type sandboxPage struct {
	On bool // payments of this installation go to the sandbox
}

func (sandboxPage) Template() string { return "sandbox" }

func (sandboxPage) title(t *texts) string { return t.Developers.Sandbox }

// sandboxRow is a number, a code or a button, and what it does.
type sandboxRow struct{ What, Does string }
