// Package books is the double entry of the money that providers take for a merchant: what they owe,
// what they paid to the bank, what they kept as fees. It is pure, as package domain is.
//
// # What it promises
//
// Entries turns the events of a stream into journal entries, and nothing but events: those of a
// payment intent, and those of a provider account, which say what its statements showed. Each entry
// adds up to 0, in whole dirhams, and none ever changes: a correction is another entry. With the
// events alone anybody computes the same books.
//
// Decide turns a person's word about a provider account into events. It accepts no statement twice,
// and no payment in two settlements, and closes no day twice.
//
// # When it fails
//
// A Refusal says why a command was turned down; nothing has changed. An event that a newer version
// wrote is domain.ErrUnknownEvent: what cannot be read is not left out.
//
// # Who owns what
//
// A ProviderAccount is the caller's, and Evolve changes it. The package keeps nothing.
package books
