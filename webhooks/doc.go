// Package webhooks notifies merchants of events of their payment intents, as
// Standard Webhooks v1.
//
// # What it promises
//
// Each event that changes an intent is recorded as a delivery, once, if the
// application has a webhook URL at that time. The delivery is tried until the
// endpoint answers 2xx: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h,
// 14 h, 20 h and 24 h, each 20 % more or less at random, or later if Retry-After
// asks for it (up to twice as long). Then it has failed and can be resent. Nothing
// is dropped: while an endpoint is disabled or gone its deliveries are held, and
// they can be replayed.
//
// Delivery is at least once: a try whose outcome could not be stored is repeated.
// The webhook-id is derived from the event and is the same on every try, resend and
// replay, so the merchant can recognise a duplicate. Order is not promised; the
// sequence is the number of the event in its intent. The body says what happened
// and not what the intent's status is: the merchant retrieves the intent, which is
// never older than the webhook.
//
// A try is signed when it is made, with the application's secret of that time. Its body is
// made of the delivery's row, the same each time: Payload shows what was sent. Signatures are
// not kept.
//
// An endpoint gets at most four tries at a time, over all servers, and an organisation 64
// on each server. A slow endpoint delays no other; one whose answers take 5 s or longer,
// ten times in a row, gets one try at a time. After ten failures in a row it gets one try
// at a time, after a pause of 60 s that doubles up to 30 min. It is disabled by the answer
// 410, and after five days without a success; for a new URL all counts start again. When an
// endpoint is disabled, each owner and developer of the organisation gets one mail, where
// mail is on.
//
// Webhooks go over https, to the ports 443 and 8443 of public addresses. Redirects
// are not followed, proxies not used. The address is checked at the dial, after the name was
// resolved; a NAT64 address is checked by the IPv4 address in it. A host is stored as it was
// written, and called by its IDNA name. AllowPrivate turns the check off, to try webhooks out.
//
// # How it works
//
// Group records deliveries from the log, in the transaction of its group. A
// Dispatcher leases endpoints with deliveries that are due, sends outside of any
// transaction, and stores the outcomes of all tries that ended in the meantime
// together. If its server dies, another takes over the endpoint when the lease
// ends.
//
// # When it fails
//
// Without the database nothing is sent, and the Dispatcher retries by itself. An
// event that this version does not know is refused, so that the feed parks it: a
// later version knows whether it has a webhook. An application whose secret cannot
// be opened is suspended for a while and named in the log. Why a try failed is kept as one word
// (send.go, tls.go); these words never change their meaning. The first 4 KiB of an endpoint's
// answer are kept for its owner to see. Addresses and secrets are never logged,
// as addresses may contain passwords.
//
// # Who owns what
//
// Run owns its goroutines and returns after they have ended. The pool and the
// accounts stay the caller's. Deliveries owns nothing. Its functions take the
// caller's Tenant: what belongs to another tenant does not exist for it. Those that
// change something also take the Actor, and write the audit record in the same
// transaction.
package webhooks
