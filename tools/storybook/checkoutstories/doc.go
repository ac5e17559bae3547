// Package checkoutstories holds every page of the checkout that a customer can meet,
// each under a name and with a sentence that says when. Its tests run over all pages,
// and the storybook shows them; a state that has no story is neither tested nor seen.
//
// It promises that a story's page is the same at every run: times are fixed, and
// nothing is read. Nothing here can fail. The merchant, the order and the payer are
// made up; no address in them belongs to anybody.
package checkoutstories
