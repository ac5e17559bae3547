package dashboard

import (
	"net/http"
	"slices"
	"time"

	"daftar/accounts"
	"daftar/internal/web"
)

var tokenRoutes = []route{
	{method: http.MethodGet, path: of + "/tokens", access: member, needs: accounts.SeeCredentials, handle: (*Dashboard).listTokens},
	{method: http.MethodPost, path: of + "/tokens", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).createToken},
	{method: http.MethodGet, path: of + "/tokens/new", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).newToken},
	{method: http.MethodPost, path: of + "/tokens/{token}/revoke", access: member, needs: accounts.ChangeCredentials, handle: (*Dashboard).revokeToken},
}

var tokenNotices = map[string]notice{
	"token-revoked":         {"أُلغي رمز الوصول، ولا يُقبل بعد الآن.", "The access token was revoked and is refused from now on."},
	"token-revoked-already": {"كان رمز الوصول ملغى من قبل.", "The access token was revoked before."},
}

// tokenRow is an access token in the list.
type tokenRow struct {
	accounts.Token
	Expired bool
}

// InForce says whether the token is let in.
func (r tokenRow) InForce() bool { return r.RevokedAt == nil && !r.Expired }

// tokenList is the page of all access tokens.
type tokenList struct{ Tokens []tokenRow }

func (tokenList) Template() string { return "tokens" }

func (tokenList) title(t *texts) string { return t.Sections.Tokens }

func (d *Dashboard) listTokens(v *visit) error {
	rows, err := d.tokenRows(v)
	if err != nil {
		return err
	}
	return v.show(sectionTokens, tokenList{Tokens: rows})
}

func (d *Dashboard) tokenRows(v *visit) ([]tokenRow, error) {
	all, err := d.accounts.Tokens(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return nil, err
	}
	now, rows := d.now(), make([]tokenRow, len(all))
	for n, t := range all {
		rows[n] = tokenRow{Token: t, Expired: t.ExpiresAt != nil && !t.ExpiresAt.After(now)}
	}
	return rows, nil
}

// tokenForm creates an access token.
type tokenForm struct {
	flaws
	Name, ExpiresAt string // as typed
}

func (tokenForm) Template() string { return "token-new" }

func (tokenForm) title(t *texts) string { return t.Tokens.New }

func (d *Dashboard) newToken(v *visit) error { return v.show(sectionTokens, tokenForm{}) }

func (d *Dashboard) createToken(v *visit) error {
	form := tokenForm{Name: v.field("name"), ExpiresAt: v.field("expires_at")}
	form.flaws = nameFlaws(form.Name)
	end, wrong := d.expiry(form.ExpiresAt)
	if form.flaws = append(form.flaws, wrong...); len(form.flaws) > 0 {
		return v.correct(sectionTokens, form)
	}
	t, value, err := d.accounts.CreateToken(v.ctx, v.by, v.organization.ID, form.Name, end)
	if err != nil {
		return err
	}
	return v.show(sectionTokens, newTokenValue{Token: t, Value: value})
}

// expiryLayouts are how browsers send a local time.
var expiryLayouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}

// expiry reads when a token is to end, in Tripoli's time; nil is never.
func (d *Dashboard) expiry(typed string) (*time.Time, flaws) {
	if typed == "" {
		return nil, nil
	}
	for _, layout := range expiryLayouts {
		at, err := time.ParseInLocation(layout, typed, web.Tripoli(time.Time{}).Location())
		if err != nil {
			continue
		}
		if !at.After(d.now()) {
			return nil, flaws{{"expires_at", func(t *texts) string { return t.Tokens.ExpiryPast }}}
		}
		return &at, nil
	}
	return nil, flaws{{"expires_at", func(t *texts) string { return t.Tokens.ExpiryBad }}}
}

// newTokenValue is the answer that shows a token, once.
type newTokenValue struct {
	accounts.Token
	Value string
}

func (newTokenValue) Template() string { return "token-value" }

func (newTokenValue) title(t *texts) string { return t.Tokens.Created }

func (d *Dashboard) revokeToken(v *visit) error {
	id, err := accounts.ParseTokenID(v.variable("token"))
	if err != nil {
		return errNoPage
	}
	all, err := d.accounts.Tokens(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	// A form that is sent twice leaves one entry in the audit trail.
	if n := slices.IndexFunc(all, func(t accounts.Token) bool { return t.ID == id }); n >= 0 && all[n].RevokedAt != nil {
		v.done(v.in("tokens"), "token-revoked-already")
		return nil
	}
	if err := d.accounts.RevokeToken(v.ctx, v.by, v.organization.ID, id); err != nil {
		return err
	}
	v.done(v.in("tokens"), "token-revoked")
	return nil
}
