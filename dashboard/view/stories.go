package view

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/internal/web"
)

// story is a page in one of its states, as somebody can meet it. What is left out
// of its page is filled in: the language, and for who is signed in the address.
type story struct {
	name string // lower case and hyphens, once in the dashboard
	page Page
}

// Story is a page of the dashboard as the storybook and the tests show it.
type Story struct {
	Name     string   // of a file
	When     web.Text // the page's title in both languages
	Template string   // data-page of <main>
	page     Page
}

// Page is the story in a language; the switch to the other one leads to address.
func (s Story) Page(l web.Lang, address string) ([]byte, error) {
	p := s.page
	p.Lang, p.Address = l, address
	return p.Render()
}

// Stories are all of them, in the order in which somebody gets to know the
// dashboard. Their pages are the same at every run: times are fixed, and nothing
// is read.
func Stories() []Story {
	var all []Story
	for _, s := range slices.Concat(
		shellStories(), signInStories(), accountStories(),
		peopleStories(), auditStories(),
		paymentStories(), moneyStories(), webhookStories(),
		applicationStories(), tokenStories(), developerStories(),
	) {
		all = append(all, Story{
			Name: s.name, Template: s.page.View.template(), page: s.page,
			When: web.Text{Arabic: s.page.View.title(&arabicTexts), English: s.page.View.title(&englishTexts)},
		})
	}
	return all
}

// The time of all stories, and who is in them. Nobody has these addresses.
var (
	storyTime         = time.Date(2026, 11, 20, 20, 41, 0, 0, time.UTC)
	storyOrganization = Organization{ID: accounts.OrganizationID(storyUUID(1)), Name: "مقهى الميدان"}
	storyOwner        = Identity{
		Email: "owner@maydan.example", Organization: storyOrganization, Role: accounts.RoleOwner, Others: true, ToDecide: 2,
	}
	storyDeveloper = Identity{Email: "dev@maydan.example", Organization: storyOrganization, Role: accounts.RoleDeveloper, ToDecide: 2}
	storyViewer    = Identity{Email: "till@maydan.example", Organization: storyOrganization, Role: accounts.RoleViewer}
)

// storyUUID is a made-up uuid, the same for the same number.
func storyUUID(n byte) uuid.UUID {
	return uuid.UUID{0x0b, 0x7e, 0x6c, 0x1e, 0x9a, 0x52, 0x4d, 0x0f, 0x8a, 0x3e, 0x1f, 0x2e, 0x3d, 0x4c, 0x5b, n}
}

// inside is a page of the stories' organisation, as its owner sees it.
func inside(here Section, v Content) Page {
	return Page{Sandbox: true, Who: storyOwner, Here: here, View: v}
}

// seenBy is the page as somebody else sees it.
func (p Page) seenBy(who Identity) Page {
	p.Who = who
	return p
}

func shellStories() []story {
	return []story{
		{"organizations", Page{Who: Identity{Email: storyOwner.Email, Others: true}, View: Organizations{Memberships: []accounts.Membership{
			{Organization: storyOrganization.ID, Name: storyOrganization.Name, Role: accounts.RoleOwner},
			{Organization: accounts.OrganizationID(storyUUID(2)), Name: "Tripoli Books", Role: accounts.RoleViewer},
		}}}},
		{"organizations-none", Page{Who: Identity{Email: "new@maydan.example"}, View: Organizations{}}},
		{"not-found", inside(SectionNone, Message{What: NotFound})},
		{"unavailable", inside(SectionNone, Message{What: Unavailable, Retry: Root})},
		{"forbidden", inside(SectionNone, Message{What: Forbidden}).seenBy(storyViewer)},
		{"foreign", Page{View: Message{What: CrossSite}}},
	}
}
