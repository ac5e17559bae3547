package view

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
)

// Content is the content of a page inside the frame: plain data, from which a template
// makes the same bytes every time. Each is a small struct that a handler fills.
type Content interface {
	// head is the name of the template, which is data-page on <main>, and the page's
	// title: it is in <title> and, unless the template writes its own, in <h1>.
	head(t *Texts) (template, title string)
}

// problem is an error in a form: the id of the field, and a sentence.
type problem struct{ Field, Text string }

// Form is a view with a form. Its template shows the problems above the form
// by the template "problems", and next to each field with {{.Wrong "field"}}.
type Form interface {
	Content
	Refused() Refusal
}

// Page is a view in its frame.
type Page struct {
	Lang     locale.Lang
	Address  string // the path and query of the page, without a language, for the language switch
	Sandbox  bool
	SignedIn Identity // zero: nobody
	Section  Section
	Notice   string // a name in the texts' Notices; empty: none
	Year     int    // of today: times in tables leave it out
	View     Content
}

// Identity is the signed-in user, as the frame of a page shows them.
type Identity struct {
	Email        string
	Organization Organization // zero outside of an organisation
	Role         accounts.Role
	Others       bool // the user belongs to other organisations too
	ToDecide     int  // late and duplicate payments that wait for a decision
	Stopped      int  // endpoints to which webhooks are not sent any more
}

// Organization is an organisation, and the mode of those of its applications that the page is about.
type Organization struct {
	ID   accounts.OrganizationID
	Name string
	Mode domain.Mode

	TestOnly bool // it cannot have live applications
}

// Path is the address of a path below the organisation.
func (o Organization) Path(path string) string { return Within(o.ID, o.Mode, path) }

// Section is an entry of the navigation: the path of its page, below the organisation.
type Section string

// The sections; SectionNone is outside of all, and SectionAccount outside of organisations.
const (
	SectionNone         Section = ""
	SectionOverview     Section = "overview"
	SectionPayments     Section = "payments"
	SectionCheck        Section = "check"
	SectionMoney        Section = "money"
	SectionDecisions    Section = "decisions"
	SectionApplications Section = "applications"
	SectionTokens       Section = "tokens"
	SectionWebhooks     Section = "webhooks"
	SectionDevelopers   Section = "developers"
	SectionPeople       Section = "people"
	SectionAudit        Section = "audit"
	SectionAccount      Section = "account"
)

// sections are the entries of the navigation in their order: the group of each, and the permission
// that it needs.
var sections = []struct {
	section Section
	group   group
	needs   accounts.Permission
}{
	{SectionOverview, groupMoney, accounts.SeePayments},
	{SectionPayments, groupMoney, accounts.SeePayments},
	{SectionCheck, groupMoney, accounts.SeePayments},
	{SectionMoney, groupMoney, accounts.SeeMoney},
	{SectionDecisions, groupMoney, accounts.SeePayments},
	{SectionApplications, groupIntegration, accounts.SeeCredentials},
	{SectionTokens, groupIntegration, accounts.SeeCredentials},
	{SectionWebhooks, groupIntegration, accounts.SeeWebhooks},
	{SectionDevelopers, groupIntegration, accounts.SeeDevelopers},
	{SectionPeople, groupOrganization, accounts.SeePeople},
	{SectionAudit, groupOrganization, accounts.SeeAudit},
}

//go:embed templates/*.html
var templateFiles embed.FS

var templates = layout.NewTemplates(templateFiles, "templates/*.html")

// rendering is the data of the templates.
type rendering struct {
	layout.Frame
	T    *Texts
	Page Page
	V    Content
}

// Template is the name of the page's template, and data-page on <main>.
func (p Page) Template() string { name, _ := p.View.head(textsIn(p.Lang)); return name }

// Title is the title of the page in its language, without the organisation.
func (p Page) Title() string { _, title := p.View.head(textsIn(p.Lang)); return title }

// Render writes the page as HTML. It fails only if a template does not fit its
// view, which the tests of the storybook rule out.
func (p Page) Render() ([]byte, error) {
	t := textsIn(p.Lang)
	r := rendering{T: t, Page: p, V: p.View}
	title := p.Title()
	if len(r.Problems()) > 0 {
		title = t.Shell.ErrorPrefix + title
	}
	if name := p.SignedIn.Organization.Name; name != "" {
		title += " · " + locale.Isolate(name)
	}
	signedIn := p.SignedIn.Email != ""
	r.Frame = layout.Frame{
		Lang:     p.Lang,
		Title:    title,
		Brand:    p.SignedIn.Organization.Name,
		Address:  p.Address,
		Sandbox:  p.Sandbox,
		Script:   true,
		Wide:     signedIn,
		Passkeys: p.TakesPasskeys(),
		Till:     p.Section == SectionCheck,
		Sheet:    layout.DashboardStylesheetPath,
	}
	if signedIn {
		r.Skip = t.Shell.Skip
	}
	// Templates of views are looked up by name, which a template cannot do itself.
	var body strings.Builder
	if err := templates.ExecuteTemplate(&body, p.Template(), r); err != nil {
		return nil, fmt.Errorf("render dashboard page %s: %w", p.Template(), err)
	}
	var out bytes.Buffer
	shell := struct {
		rendering
		Body template.HTML
	}{r, template.HTML(body.String())} //nolint:gosec // made by html/template just now
	if err := templates.ExecuteTemplate(&out, "shell", shell); err != nil {
		return nil, fmt.Errorf("render dashboard page %s: %w", p.Template(), err)
	}
	return out.Bytes(), nil
}

// group is a part of the navigation with a heading.
type group uint8

const (
	groupMoney        group = iota // daily work: support and finance
	groupIntegration               // the shop's developers
	groupOrganization              // its owners
)

// entryGroup is the data of a group in the template.
type entryGroup struct {
	Name    string
	Entries []entry
}

// entry is the data of a link of the navigation in the template.
type entry struct {
	Name, Address string
	Current       bool
	Count         int
}

// Groups are the sections that the user may see, by their group.
func (r rendering) Groups() []entryGroup {
	user := r.Page.SignedIn
	if user.Organization == (Organization{}) {
		return nil
	}
	var groups []entryGroup
	for _, s := range sections {
		if !user.Role.Allows(s.needs) {
			continue
		}
		e := entry{
			Name:    r.T.Sections[s.section],
			Address: r.In(string(s.section)),
			Current: s.section == r.Page.Section,
		}
		switch s.section { // the others count nothing
		case SectionDecisions:
			e.Count = user.ToDecide
		case SectionWebhooks:
			e.Count = user.Stopped
		}
		if name := r.T.Groups[s.group]; len(groups) == 0 || groups[len(groups)-1].Name != name {
			groups = append(groups, entryGroup{Name: name})
		}
		g := &groups[len(groups)-1]
		g.Entries = append(g.Entries, e)
	}
	return groups
}

// Modes lead to the same section about live and about test applications.
func (r rendering) Modes() []entry {
	here := r.Page.SignedIn.Organization
	if here == (Organization{}) || here.TestOnly {
		return nil
	}
	section := r.Page.Section
	if section == SectionNone || section == SectionAccount {
		section = SectionOverview
	}
	modes := []entry{{Name: r.T.Shell.Live}, {Name: r.T.Shell.Test}}
	for n, mode := range []domain.Mode{domain.ModeLive, domain.ModeTest} {
		modes[n].Address = r.Localised(Within(here.ID, mode, string(section)))
		modes[n].Current = mode == here.Mode
	}
	return modes
}

// In is the address of a path below the organisation, in the page's language.
func (r rendering) In(path string) string {
	return r.Localised(r.Path(path))
}

// Localised is an address of the dashboard in the language of the page.
func (r rendering) Localised(address string) string { return locale.WithLang(address, r.Lang) }

// Title is the title of the page, which the template writes in <h1>.
func (r rendering) Title() string { return r.Page.Title() }

// Problems are the errors of the page's form.
func (r rendering) Problems() []problem {
	form, is := r.V.(Form)
	if !is {
		return nil
	}
	return form.Refused().problems(r.T)
}

// Wrong is the error of a field; empty: none.
func (r rendering) Wrong(field string) string {
	for _, p := range r.Problems() {
		if p.Field == field {
			return p.Text
		}
	}
	return ""
}

// Day is a day in Tripoli.
func (r rendering) Day(t time.Time) string { return locale.Date(r.Lang, t) }

// AtAccount reports whether the page is about the user's own account.
func (r rendering) AtAccount() bool { return r.Page.Section == SectionAccount }

// May reports whether the user may do something; templates leave out what they
// may not.
func (r rendering) May(permission string) bool {
	return r.Page.SignedIn.Role.Allows(accounts.Permission(permission))
}

// Within is the address of a path below an organisation, about its applications of a mode.
func Within(of accounts.OrganizationID, mode domain.Mode, path string) string {
	below := Root + "/" + of.String()
	if mode == domain.ModeTest {
		below += InTest
	}
	return below + "/" + path
}

// InTest comes after the organisation in the addresses of pages about its test applications.
const InTest = "/test"

// Root is the path of the dashboard.
const Root = "/dashboard"
