// Package checkoutstories holds every page of the checkout that a customer can see, each with
// a name and a sentence that describes when it is shown. Its tests run over all pages, and the
// storybook shows them; a state without a story is neither tested nor shown.
//
// A story's page is the same in every run: times are fixed, and nothing is read. Nothing here
// can fail. The merchant, the order and the payer are invented; their addresses do not exist.
package checkoutstories
