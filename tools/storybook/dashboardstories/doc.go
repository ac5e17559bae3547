// Package dashboardstories holds every page of the dashboard in each of its states, each with a
// name. Its tests run over all pages, and the storybook shows them; a state without a story is
// neither tested nor shown.
//
// A story's page is the same in every run: times are fixed, and nothing is read. It panics if
// the code on a developers' page does not render. The organisation, its people and its payments
// are invented; their addresses do not exist.
package dashboardstories
