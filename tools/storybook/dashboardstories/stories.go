package dashboardstories

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/locale"
)

// Story is a page of the dashboard in one of its states.
type Story struct {
	Name string // of a file: lower case and hyphens, once in the dashboard
	page page
}

// page is a page without the language and the address, which depend on the reader.
type page view.Page

// Page returns the story's page in a language; the language switch links to address.
func (s Story) Page(l locale.Lang, address string) view.Page {
	p := view.Page(s.page)
	p.Lang, p.Address, p.Year = l, address, locale.Tripoli(now).Year()
	return p
}

// Title is the page's title in both languages.
func (s Story) Title() locale.Text {
	return locale.Text{Arabic: s.Page(locale.Arabic, "").Title(), English: s.Page(locale.English, "").Title()}
}

// Template is the name of the page's template, which is its data-page.
func (s Story) Template() string { return view.Page(s.page).Template() }

// All returns the stories in the order in which a new user sees the pages.
func All() []Story {
	return slices.Concat(
		shellStories(), signInStories(), accountStories(), mailStories(),
		peopleStories(), auditStories(),
		overviewStories(),
		paymentStories(), onePaymentStories(), moneyStories(), bookStories(), dayStories(),
		reconcileStories(), decisionStories(),
		outcomeStories(), oneOutcomeStories(), refundStories(), methodStories(), webhookStories(),
		applicationStories(), tokenStories(), developerStories(), requestStories(), acquirerStories(),
		brandStories(), shopPageStories(), checkStories(), linkStories(),
	)
}

// The time of all stories, and their people, whose addresses do not exist.
var (
	now          = time.Date(2026, 11, 20, 20, 41, 0, 0, time.UTC)
	organization = view.Organization{
		ID: accounts.OrganizationID(fixedUUID(1)), Name: "مقهى الميدان", Mode: domain.ModeLive,
	}
	ownerIdentity = view.Identity{
		Email: "owner@maydan.example", Organization: organization, Role: accounts.RoleOwner,
		Others: true, ToDecide: 2,
	}
	developerIdentity = view.Identity{
		Email: "dev@maydan.example", Organization: organization, Role: accounts.RoleDeveloper, ToDecide: 2,
	}
	financeIdentity = view.Identity{
		Email: "books@maydan.example", Organization: organization, Role: accounts.RoleFinance, ToDecide: 2,
	}
	supportIdentity = view.Identity{
		Email: "help@maydan.example", Organization: organization, Role: accounts.RoleSupport, ToDecide: 2,
	}
	viewerIdentity = view.Identity{
		Email: "till@maydan.example", Organization: organization, Role: accounts.RoleViewer,
	}
)

// fixedUUID is an invented uuid, the same for the same number.
func fixedUUID(n byte) uuid.UUID {
	return uuid.UUID{0x0b, 0x7e, 0x6c, 0x1e, 0x9a, 0x52, 0x4d, 0x0f, 0x8a, 0x3e, 0x1f, 0x2e, 0x3d, 0x4c, 0x5b, n}
}

// inside is a page of the stories' organisation, as its owner sees it.
func inside(section view.Section, v view.Content) page {
	return page{Sandbox: true, SignedIn: ownerIdentity, Section: section, View: v}
}

// seenBy returns the page as another user sees it.
func (p page) seenBy(user view.Identity) page {
	p.SignedIn = user
	return p
}

// inTest returns the page about the organisation's test applications.
func (p page) inTest() page {
	p.SignedIn.Organization.Mode = domain.ModeTest
	return p
}

// testOnly returns the page of an organisation that its owner opened.
func (p page) testOnly() page {
	p = p.inTest()
	p.SignedIn.Organization.TestOnly = true
	return p
}

// after returns the page with the notice of a finished action.
func (p page) after(notice string) page {
	p.Notice = notice
	return p
}

func shellStories() []Story {
	return []Story{
		{"organizations", page{
			SignedIn: view.Identity{Email: ownerIdentity.Email, Others: true},
			View: view.Organizations{Memberships: []people.Membership{
				{Organization: organization.ID, Name: organization.Name, Role: accounts.RoleOwner},
				{
					Organization: accounts.OrganizationID(fixedUUID(2)), Name: "Tripoli Books",
					Role: accounts.RoleViewer,
				},
			}},
		}},
		{"organizations-none", page{
			SignedIn: view.Identity{Email: "new@maydan.example"}, View: view.Organizations{},
		}},
		{"not-found", inside(view.SectionNone, view.Message{What: view.NotFound})},
		{"unavailable", inside(view.SectionNone, view.Message{What: view.Unavailable, Retry: view.Root})},
		{"forbidden", inside(view.SectionNone, view.Message{What: view.Forbidden}).seenBy(viewerIdentity)},
		{"foreign", page{View: view.Message{What: view.CrossSite}}},
		{"exports", page{View: view.Message{What: view.TooManyExports}}},
	}
}
