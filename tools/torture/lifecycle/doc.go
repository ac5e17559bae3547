// Package lifecycle is the specification of a payment intent's lifecycle as a model for
// porcupine, a linearizability checker: which states may follow an operation, and what may
// be observed in them.
//
// It is independent of the code that it checks: it shares only the domain's names of states
// and refusals. Where the specification allows several outcomes (another tab may submit the
// code first, a time may be close to the end of an intent's time) the model returns every
// state that may follow.
//
// The tests here record what clients of several checkout servers do and see; the checker of
// the fault suite uses the requests of clients and the events of the log. Both are checked
// against this model.
//
// It panics on an unknown operation. It owns no resources.
package lifecycle
