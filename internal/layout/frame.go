package layout

import (
	"embed"
	"html/template"
	"io/fs"
	"strconv"
	"time"

	"daftar/internal/locale"
)

// Frame is what a page needs around its content: the templates "web.head" and
// "web.foot" take it, or a struct that embeds it.
type Frame struct {
	Lang        locale.Lang
	Title       string // begins with the state, so that a screen reader says it first
	Description string // for search engines; empty: none
	Brand       string // whose page it is: the merchant, or empty for the service itself
	Address     string // of this page, without a language; the switch leads there
	Sandbox     bool   // shows that no real money moves
	Refresh     Refresh
	Wide        bool   // next to a navigation, which follows the head
	Skip        string // a link past the head and the navigation, to #content; empty: none
	Script      bool   // loads the script; Refresh is then for browsers without one

	Passkeys bool // loads the script for passkeys as well
	Till     bool // loads the script of the till as well

	Sheet        string       // address of another style sheet; empty: that of customers, without a theme
	Logo         bool         // that style sheet has a logo
	Icon         template.URL // of the browser's tab, as DataURL gives it; empty: Favicon
	OpenGraph    *OpenGraph   // nil: none
	Markdown     string       // address of the page as Markdown; empty: none
	SecurityPage string       // address of the page about secure payment, which the foot links; empty: none
}

// OpenGraph is what messengers show of a page whose link is sent. It has no amount: a chat
// shows it to others than the payer.
type OpenGraph struct {
	Title, Description string
	Picture            string // an absolute address; empty: none
}

// Refresh makes the browser load a page after a while, without a script. The
// zero value does nothing.
type Refresh struct {
	After time.Duration // whole seconds
	To    string        // empty: the same page; the caller must have checked it
}

// Content is the attribute of the meta element. The template itself would
// percent-encode some of an address.
func (r Refresh) Content() template.HTMLAttr {
	content := strconv.Itoa(r.Seconds())
	if r.To != "" {
		content += ";url=" + r.To
	}
	return template.HTMLAttr(`content="` + template.HTMLEscapeString(content) + `"`) //nolint:gosec // escaped
}

// Seconds is After as the meta element takes it.
func (r Refresh) Seconds() int { return int(r.After / time.Second) }

// Switch is the address of the same page in the other language.
func (f Frame) Switch() string { return locale.WithLang(f.Address, f.Lang.Other()) }

// Product is the service's name.
func (f Frame) Product() string { return f.Lang.Say("دفتر", "Daftar") }

// SecurePayment names the page that explains the service to customers.
func (f Frame) SecurePayment() string { return SecurePayment.In(f.Lang) }

// SecurePayment is the name of that page.
var SecurePayment = locale.Text{Arabic: "دفع آمن عبر دفتر", English: "Secure payment by Daftar"}

// Busy is shown while a form is sent.
func (f Frame) Busy() string { return f.Lang.Say("جارٍ الإرسال…", "Sending…") }

// TestMode says that no real money moves.
func (f Frame) TestMode() string {
	return f.Lang.Say("وضع التجربة: لا تُسحب أموال حقيقية", "Test mode: no real money moves")
}

// TestBadge is TestMode in two words, where a bar has no room for more.
func (f Frame) TestBadge() string { return f.Lang.Say("وضع التجربة", "Test mode") }

//go:embed frame.html
var frameFiles embed.FS

// NewTemplates parses the templates in files that match the patterns, together
// with the frame. Templates can use these functions:
//
//	amount LANG MONEY     the amount in one isolate
//	words LANG MONEY      the amount in words
//	moment LANG TIME      date with year, and time of day in Tripoli
//	deadline LANG TIME    named day, and time of day in Tripoli, on a 12-hour clock
//	countdown LANG SPAN   whole seconds, counted down by the script
//	written TEXT          a merchant's text in one isolate, in its language
//
// It panics on a broken template: the files are embedded, so no run can repair it.
func NewTemplates(files fs.FS, patterns ...string) *template.Template {
	t := template.New("").Option("missingkey=error").Funcs(template.FuncMap{
		"amount":     locale.AmountHTML,
		"words":      locale.AmountInWords,
		"moment":     locale.MomentHTML,
		"deadline":   locale.DeadlineHTML,
		"countdown":  locale.CountdownHTML,
		"written":    locale.MerchantTextHTML,
		"stylesheet": func() string { return StylesheetPath },
		"script":     func() string { return ScriptPath },
		"passkeys":   func() string { return PasskeyScriptPath },
		"till":       func() string { return TillScriptPath },
	})
	template.Must(t.ParseFS(frameFiles, "frame.html"))
	return template.Must(t.ParseFS(files, patterns...))
}
