// Package sandbox is the adapter to the sandbox acquirer, the bank in the folder
// bank, which runs as a separate process. It is written as if that bank belonged
// to another company: the two share a documented protocol and no code.
//
// # Promise
//
// Every answer is checked. It must be JSON, at most 1 MiB, and repeat the attempt,
// the amount and the currency that were asked for; redirects are not followed and
// no proxy of the environment is used. An answer that fails this is an error, and
// an error means that the outcome is unknown. Only the bank's own message proves
// that no code was wanted, that it refuses the secret (acquirer.ErrAccount), and that
// it gives no money back (acquirer.ErrRefused). A cancellation is answered by the state
// that the payment has after it.
//
// # Failure
//
// acquirer.ErrNotSent is returned only where the request got no connection, so that
// not one byte of it was sent: a refused port, an unknown host, a context that ended
// before. Time-outs after that, statuses that the protocol does not know and bodies of
// other programs are unknown outcomes. Only the bank's own message proves "not
// found"; the 404 of a wrong address is an error. A refund is asked for once: the bank
// gives back twice what it is asked for twice.
//
// # Ownership
//
// The adapter owns its connections, which Close ends. It remembers nothing else.
// The secret is that of both directions: it goes with every request and signs
// every notification.
package sandbox
