// Package webhooks tells merchants what happened to their payment intents, as
// Standard Webhooks v1.
//
// # What it promises
//
// Each event that changes an intent is recorded as a delivery, once, if the
// application has a webhook URL at that time, and is tried until the endpoint
// answers 2xx: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h
// and 24 h, each 20 % more or less by chance, or later if Retry-After asks for it
// (up to twice as long). Then it has failed and can be resent. Nothing is dropped:
// what cannot be sent because the endpoint is disabled, or gone, is held and can
// be replayed.
//
// Delivery is at least once: a try whose outcome could not be written down is
// made again. The webhook-id is derived from the event and is the same on every
// try, resend and replay, so the merchant can tell. Order is not promised; the
// sequence says which event of the intent it is. The body says what happened and
// not how the intent stands: the merchant retrieves that, and gets it never older
// than the webhook.
//
// A try is signed when it is made, with the secret that the application has then.
//
// An endpoint gets at most four tries at a time, over all servers, and has them
// to itself: one that hangs takes nothing from the others. After ten failures in a
// row it gets one at a time, after a pause of 60 s that doubles up to 30 min. It is
// disabled by the answer 410, and after five days of nothing but failures; a new
// URL starts afresh.
//
// Webhooks go over https, to the ports 443 and 8443 of public addresses, and
// nowhere that a redirect or a proxy points. The check sits at the dial, behind
// the resolver. AllowPrivate lifts it, for trying webhooks out.
//
// # How it works
//
// Group records deliveries from the log, in the transaction of its group. A
// Dispatcher leases endpoints with deliveries that are due, sends outside of any
// transaction, and writes down what came of it, together for all tries that ended
// in the meantime. If its server dies, another takes the endpoint when the lease
// ends.
//
// # When it fails
//
// Without the database nothing is sent and the Dispatcher asks again by itself.
// An event that this version does not know is refused, so that the feed parks it:
// a later version knows whether it has a webhook.
// An application whose secret cannot be opened is left alone for a while and
// named in the log. What endpoints answer is kept (4 KiB of it) for their owner to
// see; addresses and secrets are never logged, as people put passwords into
// addresses.
//
// # Who owns what
//
// Run owns its goroutines and returns after they have ended. The pool and the
// accounts stay the caller's. Deliveries owns nothing. Its functions take the
// Tenant that asks: what belongs to others does not exist for it. Those that
// change something take the Actor, too, and are in the audit trail by the same
// transaction.
package webhooks
