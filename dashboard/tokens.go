package dashboard

import (
	"errors"
	"slices"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
)

var _ = declare(
	get("/tokens", member(accounts.SeeCredentials), loaded(view.SectionTokens, (*Dashboard).tokens)),
	post("/tokens", member(accounts.ChangeCredentials), (*Dashboard).createToken).fresh(),
	get("/tokens/new", member(accounts.ChangeCredentials),
		loaded(view.SectionTokens, (*Dashboard).tokenForm)).fresh(),
	post("/tokens/{token}/revoke", member(accounts.ChangeCredentials), (*Dashboard).revokeToken).fresh(),
)

func (d *Dashboard) tokens(req *request) (list view.TokenList, err error) {
	all, err := d.config.Accounts.Tokens(req.ctx, req.by, req.organization.ID)
	for _, t := range all {
		expired := t.ExpiresAt != nil && !t.ExpiresAt.After(d.config.Now())
		list.Tokens = append(list.Tokens, view.TokenRow{Token: t, Expired: expired})
	}
	return list, err
}

// tokenForm is the form as it was sent, or a new one.
func (d *Dashboard) tokenForm(req *request) (view.TokenForm, error) {
	form := view.TokenForm{
		Number:    req.formNumber(),
		Name:      req.field("name"),
		Networks:  req.field("networks"),
		ExpiresAt: req.field("expires_at"),
	}
	for _, s := range accounts.Scopes {
		if req.field(view.ScopeField(s)) != "" {
			form.Scopes = append(form.Scopes, s)
		}
	}
	// A form that a server of the previous release showed offers no scopes.
	if len(form.Scopes) == 0 && req.field("scopes") == "" {
		form.Scopes = []accounts.Scope{accounts.ScopePayments}
	}
	return form, nil
}

func (d *Dashboard) createToken(req *request) error {
	form, _ := d.tokenForm(req)
	draft, wrong := d.tokenDraft(form)
	if form.FormErrors = wrong; len(wrong) > 0 {
		return req.show(view.SectionTokens, form)
	}
	req.by.Form = form.Number
	t, value, err := d.config.Accounts.CreateToken(req.ctx, req.by, req.organization.ID, draft)
	if errors.Is(err, accounts.ErrCreated) {
		return req.done(req.in("tokens"), "token-created-already")
	}
	if err != nil {
		return err
	}
	return req.show(view.SectionTokens, view.NewTokenValue{Token: t, Value: value})
}

// tokenDraft reads what a form asks for, or what is wrong with it.
func (d *Dashboard) tokenDraft(form view.TokenForm) (accounts.TokenDraft, view.FormErrors) {
	draft := accounts.TokenDraft{Name: form.Name, Scopes: form.Scopes}
	wrong := nameErrors(form.Name)
	if len(form.Scopes) == 0 {
		wrong.Add(view.ScopeField(accounts.Scopes[0]), func(t *view.Texts) string { return t.Tokens.ScopesNone })
	}
	var err error
	if draft.Networks, err = accounts.ParseNetworks(form.Networks); err != nil {
		wrong.Add("networks", func(t *view.Texts) string { return t.Tokens.NetworksBad })
	}
	end, bad := d.expiry(form.ExpiresAt)
	draft.ExpiresAt = end
	return draft, append(wrong, bad...)
}

// expiry reads the end of a token in Tripoli's time; nil is never.
func (d *Dashboard) expiry(typed string) (*time.Time, view.FormErrors) {
	if typed == "" {
		return nil, nil
	}
	at, understood := readMoment(typed)
	if !understood {
		return nil, view.FormError("expires_at", func(t *view.Texts) string { return t.Tokens.ExpiryBad })
	}
	if !at.After(d.config.Now()) {
		return nil, view.FormError("expires_at", func(t *view.Texts) string { return t.Tokens.ExpiryPast })
	}
	return &at, nil
}

func (d *Dashboard) revokeToken(req *request) error {
	id, err := accounts.ParseTokenID(req.variable("token"))
	if err != nil {
		return errNoPage
	}
	all, err := d.config.Accounts.Tokens(req.ctx, req.by, req.organization.ID)
	if err != nil {
		return err
	}
	// A form that is sent twice leaves one entry in the audit trail.
	n := slices.IndexFunc(all, func(t accounts.Token) bool { return t.ID == id })
	if n >= 0 && all[n].RevokedAt != nil {
		return req.done(req.in("tokens"), "token-revoked-already")
	}
	err = d.config.Accounts.RevokeToken(req.ctx, req.by, req.organization.ID, id)
	return req.doneUnless(err, req.in("tokens"), "token-revoked")
}
