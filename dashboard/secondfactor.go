package dashboard

import (
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"net/url"
	"slices"
	"strings"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"

	"daftar/accounts"
)

// secondFactorView says whether there is one, and what can be done about it.
type secondFactorView struct {
	On    bool
	Codes int // recovery codes that are left
}

func (secondFactorView) Template() string { return "second-factor" }

func (secondFactorView) title(t *texts) string { return t.Account.SecondFactor }

func (d *Dashboard) secondFactorPage(v *visit) error {
	v.beside()
	return v.show(sectionAccount, secondFactorView{On: v.user.SecondFactor, Codes: v.user.RecoveryCodes})
}

// enrolView shows what the authenticator app has to know.
type enrolView struct {
	URI     string
	Replace bool // another phone takes the place of one
	Refused refused
}

func (enrolView) Template() string { return "enrol" }

func (enrolView) title(t *texts) string { return t.Account.Enrol }

// Problems implements correctable.
func (e enrolView) Problems(t *texts) []problem { return refusalProblems(t, e.Refused, "code") }

// Secret is the key in groups of four, for who cannot scan.
func (e enrolView) Secret() string {
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

// QR is the picture that the app scans.
func (e enrolView) QR(t *texts) (template.HTML, error) { return qrCode(e.URI, t.Account.QR) }

// quiet is the margin that a scanner needs, in modules.
const quiet = 4

// qrCode is dark on white in every colour scheme: some scanners know no other.
func qrCode(content, label string) (template.HTML, error) {
	code, err := qr.Encode(content, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	side := code.Bounds().Dx()
	var path strings.Builder
	for y := range side {
		for x := 0; x < side; {
			run := 0
			for x+run < side && dark(code, x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, run, run)
			}
			x += run + 1
		}
	}
	//nolint:gosec // figures, and a text of ours that is escaped
	return template.HTML(fmt.Sprintf(
		`<svg class="qr" viewBox="0 0 %[1]d %[1]d" role="img" aria-label="%[2]s" shape-rendering="crispEdges">`+
			`<rect width="%[1]d" height="%[1]d" fill="#fff"/><path fill="#000" d="%[3]s"/></svg>`,
		side+2*quiet, template.HTMLEscapeString(label), path.String())), nil
}

func dark(code barcode.Barcode, x, y int) bool { return code.At(x, y) == color.Black }

func (d *Dashboard) beginSecondFactor(v *visit) error {
	v.beside()
	e, err := d.accounts.BeginSecondFactor(v.ctx, v.by)
	if err != nil {
		return err
	}
	return v.show(sectionAccount, enrolView{URI: e.URI, Replace: v.user.SecondFactor})
}

// The form carries what the app has scanned, so that the page can show it again
// after a wrong code. It is only shown: what counts is what the database has.
func (d *Dashboard) confirmSecondFactor(v *visit) error {
	v.beside()
	codes, err := d.accounts.ConfirmSecondFactor(v.ctx, v.by, typedCode(v))
	switch uri := v.field("uri"); {
	case errors.Is(err, accounts.ErrNoSecondFactor): // sent twice, or begun anew in another tab
		v.see(secondFactorPath)
		return nil
	case errors.Is(err, accounts.ErrBadCode) && (!strings.HasPrefix(uri, "otpauth://totp/") || len(uri) > maxURI):
		v.see(secondFactorPath)
		return nil
	case errors.Is(err, accounts.ErrBadCode):
		return v.correct(sectionAccount, enrolView{URI: uri, Replace: v.user.SecondFactor, Refused: refusedCode})
	case err != nil:
		return err
	}
	return v.show(sectionAccount, recoveryCodesView{Codes: codes, Enrolled: true})
}

// maxURI is longer than any of ours, and fits a QR code.
const maxURI = 600

// recoveryCodesView shows codes that cannot be read again.
type recoveryCodesView struct {
	Codes    []string
	Enrolled bool // just now; otherwise old codes were replaced
}

func (recoveryCodesView) Template() string { return "recovery-codes" }

func (recoveryCodesView) title(t *texts) string { return t.Account.Codes }

func (d *Dashboard) newRecoveryCodes(v *visit) error {
	v.beside()
	codes, err := d.accounts.NewRecoveryCodes(v.ctx, v.by)
	if errors.Is(err, accounts.ErrNoSecondFactor) {
		v.see(secondFactorPath)
		return nil
	}
	if err != nil {
		return err
	}
	return v.show(sectionAccount, recoveryCodesView{Codes: codes})
}

func (d *Dashboard) disableSecondFactor(v *visit) error {
	err := d.accounts.DisableSecondFactor(v.ctx, v.by)
	if err != nil && !errors.Is(err, accounts.ErrNoSecondFactor) {
		return err
	}
	v.done(accountPath, "second-factor-off")
	return nil
}
