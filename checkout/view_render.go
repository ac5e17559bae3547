package checkout

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"time"

	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

// sendBackAfter is how long a receipt waits before it leads back to the shop.
const sendBackAfter = 8 * time.Second

//go:embed templates/*.html
var templateFiles embed.FS

var templates = layout.NewTemplates(templateFiles, "templates/*.html")

// rendering is the data of the templates.
type rendering struct {
	layout.Frame
	T        *texts
	State    State
	Name     string // of the template
	Detail   string // data-detail on main; empty for the plain case
	Order    Order
	Return   returnLink
	Problems []problem // what has to be corrected
	Watch    string
	Version  string
	// The server's time and the end of the time to pay, for the script; empty if the
	// page has none.
	NowStamp, DeadlineStamp string
	left                    time.Duration // until then
}

// Render returns the page as HTML. It fails only if a template does not match its
// data, which the tests of all states rule out.
func (p Page) Render() ([]byte, error) {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, "page", p.rendering()); err != nil {
		return nil, fmt.Errorf("render checkout page %T: %w", p.State, err)
	}
	return out.Bytes(), nil
}

func (p Page) rendering() rendering {
	t := textsIn(p.Lang)
	f := p.State.frame(t)
	f.order = f.order.in(p.Lang)
	r := rendering{
		T:             t,
		State:         p.State,
		Name:          f.template,
		Detail:        f.detail,
		Order:         f.order,
		Return:        newReturnLink(f.order.ReturnURL),
		Problems:      f.problems,
		Version:       p.Version,
		Watch:         p.Watch,
		NowStamp:      stamp(p.Now),
		DeadlineStamp: stamp(f.deadline),
		left:          f.deadline.Sub(p.Now),
	}
	title := f.title
	if len(f.problems) > 0 {
		title = t.ErrorPrefix + title
	}
	if f.order.Merchant != "" {
		title += " · " + locale.Isolate(f.order.Merchant)
	}
	r.Frame = layout.Frame{
		Lang:         p.Lang,
		Title:        title,
		Brand:        f.order.Merchant,
		Address:      p.Address,
		Sandbox:      p.Sandbox || f.order.Mode == domain.ModeTest,
		Script:       f.live && !p.Still,
		Refresh:      layout.Refresh{After: f.refresh},
		Sheet:        f.order.Brand.Sheet,
		Logo:         f.order.Brand.Logo,
		Icon:         f.order.Brand.Icon,
		OpenGraph:    f.order.openGraph(t.Shop.Pay),
		SecurityPage: locale.WithLang(SecurePath, p.Lang),
	}
	if _, is := p.State.(Proof); is {
		r.OpenGraph = f.order.openGraph(t.Shop.Proof)
	}
	if _, is := p.State.(Secure); is {
		r.SecurityPage = "" // it is that page
	}
	if s, paid := p.State.(Receipt); paid {
		r.Script = true // it prints
		if s.SendBack && r.Return.OK() {
			r.Refresh = layout.Refresh{After: sendBackAfter, To: r.Return.Address}
		}
	}
	return r
}

// Wrong is the text about the problem of a field; empty: it has none.
func (r rendering) Wrong(field string) string {
	for _, p := range r.Problems {
		if p.Field == field {
			return p.Text
		}
	}
	return ""
}

// Localised is an address of this service in the language of the page.
func (r rendering) Localised(address string) string { return locale.WithLang(address, r.Lang) }

// Self is the address of this page in its language.
func (r rendering) Self() string { return r.Localised(r.Address) }

// Stay is the address of the receipt without the automatic return to the shop.
func (r rendering) Stay() string { return r.Localised(r.Address + "?" + StayParameter + "=1") }

// SendsBack reports whether the page leads to the shop by itself.
func (r rendering) SendsBack() bool { return r.Refresh.To != "" }

// RefreshSeconds is after how many seconds the page loads itself again; 0: never.
func (r rendering) RefreshSeconds() int {
	if r.SendsBack() {
		return 0
	}
	return r.Refresh.Seconds()
}

// stamp is an instant as scripts read it, to the millisecond.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// MethodName is the name of the method for customers, or its stored name where no acquirer
// offers it any more.
func (r rendering) MethodName(m acquirer.Method) string {
	_, words, known := registry.OfMethod(m)
	if !known {
		return string(m)
	}
	return words.Label.In(r.Lang)
}

// Naming replaces {acquirer} in a text by the name of the method's acquirer.
func (r rendering) Naming(m acquirer.Method, text string) string {
	by, _, _ := registry.OfMethod(m)
	return strings.ReplaceAll(text, "{acquirer}", by.Label.In(r.Lang))
}

// Picture is the QR code.
func (r rendering) Picture(s QR) (template.HTML, error) {
	return layout.QR(s.Payload, r.Naming(s.Method, r.T.QR.Picture))
}

// CheckURL is where anyone can check the receipt, in the language of the page.
func (r rendering) CheckURL() string {
	s, paid := r.State.(Receipt)
	if !paid || s.CheckURL == "" {
		return ""
	}
	return locale.WithLang(s.CheckURL, r.Lang)
}

// CheckPicture is that address as a QR code.
func (r rendering) CheckPicture() (template.HTML, error) {
	return layout.QR(r.CheckURL(), r.T.Receipt.CheckPicture)
}

// Settings is a JSON object, escaped for a script element.
func (rendering) Settings(object string) (template.JS, error) {
	if !json.Valid([]byte(object)) {
		return "", errors.New("configuration of the acquirer's form is not JSON")
	}
	var safe bytes.Buffer
	json.HTMLEscape(&safe, []byte(object)) // < and > could end the element
	return template.JS(safe.String()), nil //nolint:gosec // JSON without < and >
}

// FailedText is why the previous attempt failed.
func (r rendering) FailedText(reason acquirer.Reason) string { return r.T.reason(reason).Why }

// NextText is what to do after it.
func (r rendering) NextText(reason acquirer.Reason) string { return r.T.reason(reason).Next }

// Masked is a phone number with most digits masked, with a text for screen readers.
func (r rendering) Masked(phone string) template.HTML {
	number, said := locale.MaskMobile(phone), ""
	if n := len(number) - 4; n > 0 && strings.Trim(number[n:], "0123456789") == "" {
		said = r.T.PhoneEnds + " " + number[n:]
	}
	return locale.MaskedHTML(number, said)
}
