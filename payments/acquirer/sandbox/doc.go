// Package sandbox is the adapter to the sandbox acquirer, the bank that the
// folder bank runs as a process of its own. It is written as if that bank
// belonged to somebody else: the two share a documented protocol and no code.
//
// # Promise
//
// Every answer is read with suspicion. It must be JSON, at most 64 KiB, and repeat
// the attempt, the amount and the currency that were asked for; redirects are not
// followed and no proxy of the environment is used. Whatever fails this is an
// error, and an error means that the outcome is unknown. That no code was wanted
// is believed only in the bank's own words; so is that it refuses the secret
// (acquirer.ErrAccount), and that a payment was given up: a cancellation is answered
// by the state that the payment has after it.
//
// # Failure
//
// acquirer.ErrNotSent is returned only where no connection was handed to the
// request, so that not one byte of it can have left: a refused port, an unknown
// host, a context that ended before. Time-outs after that, statuses that the
// protocol does not know and bodies of other programs are unknown outcomes. "Not
// found" is believed only in the bank's own words; the 404 of a wrong address is
// an error.
//
// # Ownership
//
// The adapter owns its connections, which Close ends. It remembers nothing else.
// The secret is that of both directions: it goes with every request and signs
// every notification.
package sandbox
