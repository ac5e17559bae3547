package storybook_test

import (
	"path"
	"testing"

	"daftar/internal/locale"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/storybook"
)

// story is a page of the storybook and its group.
type story struct {
	group storybook.Group
	page  storybook.Page
}

// name is the unique name of the story.
func (s story) name() string { return path.Join(s.group.Folder, s.page.Name) }

// template identifies the template of the page. Stories with the same template show the same parts,
// perhaps without some, with other texts.
func (s story) template() string { return path.Join(s.group.Folder, s.page.View, s.page.State) }

// forCustomers reports whether customers see the page; they have the smallest phones.
func (s story) forCustomers() bool { return s.group.Folder == "checkout" || s.group.Folder == "bank" }

func stories() (all []story) {
	for _, g := range storybook.Groups() {
		for _, p := range g.Pages {
			all = append(all, story{g, p})
		}
	}
	return all
}

// firstOfEach returns the first story for each key.
func firstOfEach(key func(story) string) (first []story) {
	known := map[string]bool{}
	for _, s := range stories() {
		if !known[key(s)] {
			known[key(s)] = true
			first = append(first, s)
		}
	}
	return first
}

// kind is one of the four ways in which a page is shown.
type kind struct {
	scheme storybook.Scheme
	lang   locale.Lang
}

func (k kind) String() string { return string(k.scheme) + "/" + k.lang.String() }

// kinds are ordered so that neighbours differ in both scheme and language.
var kinds = []kind{
	{storybook.Light, locale.Arabic}, {storybook.Dark, locale.English},
	{storybook.Light, locale.English}, {storybook.Dark, locale.Arabic},
}

// path is the file of the story's page.
func (k kind) path(s story) string { return storybook.Path(k.scheme, s.group, s.page, k.lang) }

// visit shows pages of one kind, one after the other in one tab.
func (k kind) visit(
	t *testing.T, o browsertest.Options, some []story,
	look func(b *browsertest.Tab, p browsertest.Page, s story),
) {
	t.Helper()
	o.Dark = k.scheme == storybook.Dark
	address := serve(t)
	b := browsertest.Open(t, o)
	for _, s := range some {
		seen := b.Navigate(address + k.path(s))
		if seen.State != s.page.State || seen.Detail != s.page.Detail {
			t.Errorf("%s shows %+v, want %s %s", k.path(s), seen, s.page.State, s.page.Detail)
		}
		has := browsertest.Evaluate[struct {
			View     string
			Headings int
		}](b, `{
			View: document.querySelector("main").dataset.page ?? "",
			Headings: document.querySelectorAll("h1").length,
		}`)
		if has.View != s.page.View || has.Headings != 1 {
			t.Errorf("%s shows %s with %d elements h1, want %s with one",
				k.path(s), has.View, has.Headings, s.page.View)
		}
		look(b, seen, s)
	}
}
