package view

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/internal/layout"
	"daftar/internal/locale"
)

// Content is what a page shows inside the frame: plain data, from which a template
// makes the same bytes every time. Each is a small struct that a handler fills.
type Content interface {
	// head is the name of the template, which is data-page on <main>, and the page's
	// title: it stands in <title> and, where the template does not write its own, in <h1>.
	head(t *Texts) (template, title string)
}

// problem is what has to be corrected in a form: the id of the field, and a
// sentence.
type problem struct{ Field, Text string }

// correctable is a view with a form. Its template shows the problems above the form
// by the template "problems", and beside each field with {{.Wrong "field"}}.
type correctable interface {
	Problems(t *Texts) []problem
}

// Page is a view in its frame.
type Page struct {
	Lang     locale.Lang
	Address  string // the path and query of the page, without a language; the switch leads there
	Sandbox  bool
	SignedIn Identity // zero where nobody is
	Section  Section
	Notice   string // what was just done: a name in the texts' Notices; empty: nothing
	View     Content
}

// Identity is the user who is signed in, as the frame of a page shows them.
type Identity struct {
	Email        string
	Organization Organization // zero outside of an organisation
	Role         accounts.Role
	Others       bool // the user belongs to other organisations too
	ToDecide     int  // late and double payments that wait for somebody
	Stopped      int  // endpoints to which webhooks are not sent any more
}

// Organization is one as pages need it.
type Organization struct {
	ID   accounts.OrganizationID
	Name string
}

// Section is an entry of the navigation.
type Section uint8

// The sections; SectionNone is outside of all.
const (
	SectionNone Section = iota
	SectionPayments
	SectionMoney
	SectionDecisions
	SectionApplications
	SectionTokens
	SectionWebhooks
	SectionDevelopers
	SectionPeople
	SectionAudit
	SectionAccount
)

// sections are the navigation in its order: the group of each, where it leads below the
// organisation, and what one must be allowed in order to see it.
var sections = []struct {
	section Section
	group   group
	path    string
	needs   accounts.Permission
}{
	{SectionPayments, groupMoney, "payments", accounts.SeePayments},
	{SectionMoney, groupMoney, "money", accounts.SeeMoney},
	{SectionDecisions, groupMoney, "decisions", accounts.SeePayments},
	{SectionApplications, groupIntegration, "applications", accounts.SeeCredentials},
	{SectionTokens, groupIntegration, "tokens", accounts.SeeCredentials},
	{SectionWebhooks, groupIntegration, "webhooks", accounts.SeeWebhooks},
	{SectionDevelopers, groupIntegration, "developers", accounts.SeeDevelopers},
	{SectionPeople, groupOrganization, "people", accounts.SeePeople},
	{SectionAudit, groupOrganization, "audit", accounts.SeeAudit},
}

//go:embed templates/*.html
var templateFiles embed.FS

var templates = layout.NewTemplates(templateFiles, "templates/*.html")

// rendering is what the templates see.
type rendering struct {
	layout.Frame
	T    *Texts
	Page Page
	V    Content
}

// Template is the name of the page's template, and data-page on <main>.
func (p Page) Template() string { name, _ := p.View.head(textsIn(p.Lang)); return name }

// Title is what the page is called in its language, without the organisation.
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
		Lang: p.Lang, Title: title, Brand: p.SignedIn.Organization.Name, Address: p.Address, Sandbox: p.Sandbox,
		Script: true, Wide: signedIn, Passkeys: p.TakesPasskeys(),
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
	if err := templates.ExecuteTemplate(&out, "shell", struct {
		rendering
		Body template.HTML
	}{r, template.HTML(body.String())}); err != nil { //nolint:gosec // made by html/template just now
		return nil, fmt.Errorf("render dashboard page %s: %w", p.Template(), err)
	}
	return out.Bytes(), nil
}

// group is a part of the navigation, under a heading of its own.
type group uint8

const (
	groupMoney        group = iota // daily work: support and finance
	groupIntegration               // the shop's developers
	groupOrganization              // its owners
)

// entryGroup is a group as the template shows it.
type entryGroup struct {
	Name    string
	Entries []entry
}

// entry is a link of the navigation as the template shows it.
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
		e := entry{Name: r.T.Sections.Name(s.section), Address: r.In(s.path), Current: s.section == r.Page.Section}
		switch s.section { //nolint:exhaustive // the others count nothing
		case SectionDecisions:
			e.Count = user.ToDecide
		case SectionWebhooks:
			e.Count = user.Stopped
		}
		if name := r.T.Sections.GroupName(s.group); len(groups) == 0 || groups[len(groups)-1].Name != name {
			groups = append(groups, entryGroup{Name: name})
		}
		g := &groups[len(groups)-1]
		g.Entries = append(g.Entries, e)
	}
	return groups
}

// In is the address of a path below the organisation, in the page's language.
func (r rendering) In(path string) string {
	return r.Localised(Within(r.Page.SignedIn.Organization.ID, path))
}

// Localised is an address of ours in the language of the page.
func (r rendering) Localised(address string) string { return locale.WithLang(address, r.Lang) }

// Title is the page's own, as the template writes it in <h1>.
func (r rendering) Title() string { return r.Page.Title() }

// Problems are what has to be corrected.
func (r rendering) Problems() []problem {
	if v, ok := r.V.(correctable); ok {
		return v.Problems(r.T)
	}
	return nil
}

// Wrong is what is wrong with a field; empty: nothing.
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

// Within is a path below an organisation's part of the dashboard.
func Within(of accounts.OrganizationID, path string) string {
	return Root + "/" + of.String() + "/" + path
}

// Root is where the dashboard begins.
const Root = "/dashboard"
