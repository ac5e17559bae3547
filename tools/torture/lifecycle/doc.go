// Package lifecycle is the specification of a payment intent's lifecycle as a model
// for porcupine, a linearizability checker: which states may follow an operation, and
// what may be observed in them.
//
// It promises to know nothing of the code that it checks: the domain's names of
// states and refusals are all that it shares with it. Where the specification
// leaves open what happens (a code that may be handed over by another tab, a
// moment that is close to the end of an intent's time) the model gives every state
// that may follow.
//
// The tests here record what clients of several checkout servers do and see; the
// checker of the fault suite records what was seen from outside and what the log
// has. Both are checked against this one model.
//
// It fails by panicking on an operation that it does not know. It owns nothing.
package lifecycle
