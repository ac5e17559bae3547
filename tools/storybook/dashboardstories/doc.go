// Package dashboardstories holds every page of the dashboard in each of its states,
// under a name. Its tests run over all pages, and the storybook shows them; a state
// that has no story is neither tested nor seen.
//
// It promises that a story's page is the same at every run: times are fixed, and
// nothing is read. It panics where the code of a developers' page does not render.
// The organisation, its people and its payments are made up; no address in them
// belongs to anybody.
package dashboardstories
