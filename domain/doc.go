// Package domain has the rules of a payment intent: its states, the commands that
// each state allows, and the events that follow.
//
// It promises to be a pure function of its arguments. There is no context, no
// clock, no randomness, no SQL and no HTTP here: the current time and new
// identifiers are arguments, so a replay of the same history decides the same
// way on any machine, in any year.
//
// The two functions that matter are Decide, which turns a command into events
// or into a Refusal and changes nothing, and Evolve, which applies an event and
// never refuses one. The state of an intent is Evolve folded over its events.
//
// Events are facts about money and are kept for ever. Their stored names,
// versions and fields are frozen, next to each event: a new meaning gets a new schema
// version next to the old one, and every version ever written stays readable.
package domain
