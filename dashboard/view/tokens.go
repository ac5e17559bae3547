package view

import (
	"slices"

	"daftar/accounts"
	"daftar/internal/locale"
)

func tokenNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"token-created-already": say("أُنشئ هذا الرمز من قبل، ولم يُنشأ رمز آخر. إن لم تحفظ قيمته فألغِه وأنشئ "+
			"رمزًا جديدًا.",
			"This token was created before, and no other was created. If you did not keep its value, revoke it "+
				"and create a new one."),
		"token-revoked": say("أُلغي رمز الوصول، ولا يُقبل بعد الآن.",
			"The access token was revoked and is refused from now on."),
		"token-revoked-already": say("كان رمز الوصول ملغى من قبل.", "The access token was revoked before."),
	}
}

// TokenRow is an access token in the list.
type TokenRow struct {
	accounts.Token
	Expired bool
}

// InForce reports whether the token is accepted.
func (r TokenRow) InForce() bool { return r.RevokedAt == nil && !r.Expired }

// TokenList is the page of all access tokens.
type TokenList struct{ Tokens []TokenRow }

func (TokenList) head(t *Texts) (template, title string) { return "tokens", t.Sections[SectionTokens] }

// TokenForm creates an access token.
type TokenForm struct {
	FormErrors
	Number                    string // a form creates one token, however often it is sent
	Name, Networks, ExpiresAt string // as typed
	Scopes                    []accounts.Scope
}

// ScopeField is the field of a form that chooses a scope.
func ScopeField(s accounts.Scope) string { return "scope_" + string(s) }

// scopeChoice is a scope in the form.
type scopeChoice struct {
	scopeText
	Field  string
	Chosen bool
}

// ScopeChoices are the scopes that the form offers to the user.
func (r rendering) ScopeChoices(f TokenForm) (all []scopeChoice) {
	for _, s := range accounts.Scopes {
		if r.Page.SignedIn.Role.Allows(s.GrantedWith()) {
			all = append(all, scopeChoice{r.T.Tokens.Scopes[s], ScopeField(s), slices.Contains(f.Scopes, s)})
		}
	}
	return all
}

func (TokenForm) head(t *Texts) (template, title string) { return "token-new", t.Tokens.New }

// NewTokenValue is the answer that shows a token, once.
type NewTokenValue struct {
	accounts.Token
	Value string
}

func (NewTokenValue) head(t *Texts) (template, title string) { return "token-value", t.Tokens.Created }
