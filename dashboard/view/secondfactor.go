package view

import (
	"fmt"
	"html/template"
	"image/color"
	"net/url"
	"slices"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// SecondFactorPage says whether there is one, and what can be done about it.
type SecondFactorPage struct {
	On    bool
	Codes int // recovery codes that are left
}

func (SecondFactorPage) head(t *Texts) (template, title string) {
	return "second-factor", t.Account.SecondFactor
}

// EnrolPage shows what the authenticator app has to know.
type EnrolPage struct {
	Refusal
	URI     string
	Replace bool // another phone takes the place of one
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

// quiet is the margin that a scanner needs, in modules.
const quiet = 4

// QR is the picture that the app scans. It is dark on white in every colour scheme:
// some scanners know no other.
func (e EnrolPage) QR(t *Texts) (template.HTML, error) {
	code, err := qr.Encode(e.URI, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	side := code.Bounds().Dx()
	var path strings.Builder
	for y := range side {
		for x := 0; x < side; {
			run := 0
			for x+run < side && code.At(x+run, y) == color.Black {
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
		side+2*quiet, template.HTMLEscapeString(t.Account.QR), path.String())), nil
}

// RecoveryCodesPage shows codes that cannot be read again.
type RecoveryCodesPage struct {
	Codes    []string
	Enrolled bool // just now; otherwise old codes were replaced
}

func (RecoveryCodesPage) head(t *Texts) (template, title string) {
	return "recovery-codes", t.Account.Codes
}
