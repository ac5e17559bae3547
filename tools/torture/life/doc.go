// Package life is the specification's life of a payment intent as a model for a
// linearizability checker: which states may follow when somebody does something,
// and what may be seen in them.
//
// It promises to know nothing of the code that it judges: the domain's names of
// states and refusals are all that it shares with it. Where the specification
// leaves open what happens (a code that may be handed over by another tab, a
// moment that is close to the end of an intent's time) every life that may follow
// is given.
//
// The tests of the checkout record what clients of several servers do and see; the
// judge of the fault suite records what was seen from outside and what the log
// has. Both are checked against this one model.
//
// It fails by panicking on a deed that it does not know. It owns nothing.
package life
