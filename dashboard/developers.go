package dashboard

import (
	"slices"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

var _ = declare(
	get("/developers", member(accounts.SeeDevelopers), loaded(view.SectionDevelopers, (*Dashboard).developers)),
)

func (d *Dashboard) developers(req *request) (p view.DevelopersPage, err error) {
	all, err := d.config.Accounts.AllCredentials(req.ctx, req.by, req.tenant())
	if err != nil {
		return p, err
	}
	p = view.DevelopersPage{
		BaseURL: d.publicURL + d.config.APIPath, Applications: all, Languages: view.SnippetLanguages,
		Language: view.LanguageByKey(req.r.URL.Query().Get("code")),
	}
	chosen := req.r.URL.Query().Get("application")
	for n, a := range all {
		// Without a choice, the first active application.
		if a.ID.String() == chosen || chosen == "" && a.Active && p.At == nil {
			p.At = &all[n]
		}
	}
	if p.At == nil && len(all) > 0 {
		p.At = &all[0]
	}
	if p.Steps, err = d.steps(req, p.At); err != nil {
		return p, err
	}
	values := view.SnippetValues{BaseURL: p.BaseURL, Application: req.organization.Name}
	if p.At != nil {
		values.Application, values.KeyEnding = p.At.Name, p.At.KeyEnding
	}
	p.Code, err = view.SnippetsFor(p.Language, values)
	return p, err
}

// steps looks up which steps the organisation and the chosen application have done.
func (d *Dashboard) steps(req *request, at *accounts.Credentials) (view.Steps, error) {
	list, err := d.tokens(req)
	if err != nil {
		return nil, err
	}
	hasToken := slices.ContainsFunc(list.Tokens, view.TokenRow.InForce)
	steps := view.Steps{
		{Name: view.StepApplication, Done: at != nil && at.Active, Path: "applications/new"},
		{Name: view.StepToken, Done: hasToken, Path: "tokens/new"},
		{Name: view.StepIntent}, {Name: view.StepPaid},
		{Name: view.StepURL}, {Name: view.StepDelivered},
	}
	if at == nil {
		return steps, nil
	}
	page := "applications/" + at.ID.String()
	if !at.Active {
		steps[view.StepApplication].Path = page
	}
	steps[view.StepURL].Path, steps[view.StepDelivered].Path = page, page
	if steps[view.StepIntent].Done, err = d.hasPayment(req, at.ID, ""); err != nil {
		return nil, err
	}
	if steps[view.StepIntent].Done {
		if steps[view.StepPaid].Done, err = d.hasPayment(req, at.ID, domain.StatusSucceeded); err != nil {
			return nil, err
		}
	}
	steps[view.StepURL].Done = at.WebhookURL != nil
	endpoints, err := d.config.Deliveries.Endpoints(req.ctx, req.by, req.tenant())
	if err != nil {
		return nil, err
	}
	steps[view.StepDelivered].Done = endpoints[at.ID].LastSuccess != nil
	return steps, nil
}

// hasPayment reports whether the application has a payment with a status; empty: with any.
func (d *Dashboard) hasPayment(req *request, id domain.ApplicationID, status domain.Status) (bool, error) {
	found, err := d.config.Payments.List(req.ctx, req.tenant(),
		projections.Filter{Application: &id, Status: status}, projections.NewestFirst, "", 1)
	if err != nil {
		return false, err
	}
	return len(found.Payments) > 0, nil
}
