package view

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"daftar/internal/layout"
)

// SecondFactorPage shows whether the second factor is on, and changes it.
type SecondFactorPage struct {
	On      bool
	Codes   int  // recovery codes that are left
	Passkey bool // a passkey is asked for after the password
}

func (SecondFactorPage) head(t *Texts) (template, title string) {
	return "second-factor", t.Account.SecondFactor
}

// EnrolPage shows the secret for the authenticator app.
type EnrolPage struct {
	Refusal
	URI     string
	Replace bool // the new app replaces another
}

func (EnrolPage) head(t *Texts) (template, title string) { return "enrol", t.Account.Enrol }

// Secret is the key in groups of four, for people who cannot scan.
func (e EnrolPage) Secret() string {
	u, err := url.Parse(e.URI)
	if err != nil {
		return ""
	}
	var groups []string
	for group := range slices.Chunk([]byte(u.Query().Get("secret")), 4) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, " ")
}

// QR is the QR code for the app.
func (e EnrolPage) QR(t *Texts) (template.HTML, error) { return layout.QR(e.URI, t.Account.QR) }

// RecoveryCodesPage shows recovery codes, once.
type RecoveryCodesPage struct {
	Codes    []string
	Enrolled bool // just now; otherwise old codes were replaced
}

func (RecoveryCodesPage) head(t *Texts) (template, title string) {
	return "recovery-codes", t.Account.Codes
}
