package view

import (
	"html/template"

	"daftar/accounts"
)

// thumbTab is a link at the bottom of a phone, where a thumb reaches it.
type thumbTab struct {
	entry

	Icon template.HTML
}

// Tabs are the pages that the user opens most; nobody gets one that their role refuses. The rest of
// the navigation is a fold next to them.
func (r rendering) Tabs() []thumbTab {
	user := r.Page.SignedIn
	if user.Organization == (Organization{}) {
		return nil
	}
	t := r.T
	all := []struct {
		path  string
		name  string
		needs accounts.Permission
		icon  template.HTML
	}{
		{string(SectionOverview), t.Sections[SectionOverview], accounts.SeePayments, iconHome},
		{string(SectionPayments), t.Sections[SectionPayments], accounts.SeePayments, iconList},
		{"links/new", t.Shell.NewLink, accounts.CreatePayments, iconPlus},
		{string(SectionDecisions), t.Shell.Decisions, accounts.DecidePayments, iconFlag},
		{string(SectionCheck), t.Shell.CheckReceipt, accounts.SeePayments, iconTick},
	}
	var tabs []thumbTab
	for _, one := range all {
		if !user.Role.Allows(one.needs) || len(tabs) == maxTabs {
			continue
		}
		tab := thumbTab{Icon: one.icon, entry: entry{
			Name: one.name, Address: r.In(one.path), Current: Section(one.path) == r.Page.Section,
		}}
		if one.path == string(SectionDecisions) {
			tab.Count = user.ToDecide
		}
		tabs = append(tabs, tab)
	}
	return tabs
}

// maxTabs is how many a phone has room for, next to the fold.
const maxTabs = 4

// The icons of the tabs: their names are next to them, so they are decoration.
const (
	iconHome = iconStart + `<path d="M4 11l8-7 8 7v9h-5v-6H9v6H4z"/>` + iconEnd
	iconList = iconStart + `<path d="M4 6h16M4 12h16M4 18h10"/>` + iconEnd
	iconPlus = iconStart + `<path d="M12 4v16M4 12h16"/>` + iconEnd
	iconFlag = iconStart + `<path d="M6 21V4h12l-3 4 3 4H6"/>` + iconEnd
	iconTick = iconStart + `<path d="M4 12l5 6L20 6"/>` + iconEnd
	iconMore = iconStart + `<path d="M5 12h0M12 12h0M19 12h0" stroke-width="4"/>` + iconEnd

	iconStart template.HTML = `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" ` +
		`fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">`
	iconEnd = `</svg>`
)

// MoreIcon is the icon of the fold next to the tabs.
func (rendering) MoreIcon() template.HTML { return iconMore }
