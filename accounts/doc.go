// Package accounts has organisations, their applications and credentials, and what each role
// allows. It authenticates programs, and authorises programs and people. Package people has
// the people and how they sign in, package settings has the brand of an application and its
// accounts with acquirers.
//
// # What it promises
//
// Keys and tokens exist in clear only in the answer that creates them; the
// database has SHA-256 hashes. They carry 178 random bits or more, so a slow hash
// would protect nothing. Webhook secrets must be readable to sign with and are
// sealed with AES-256-GCM under DAFTAR_SECRET_KEY, bound to their application.
//
// Rolling, revoking and deactivating take effect at once, on every server. A server
// may cache a credential, but only together with the credential epoch under which
// it was read; the database advances the epoch with every change, and the
// statements that do the work compare it (see Credential.Epoch).
//
// Deactivating can stop the checkouts of an application as well (StopCheckouts):
// packages payments and expiry read that.
//
// The caller is an explicit argument, an Actor: a user in a session, or an operator
// at the command line, who may do everything. Every method on the data of an
// organisation takes the actor and the organisation. Do is the one way to change
// something: one transaction locks the actor's role, acts, and writes the audit
// record. No record, no action; a role or session that has just ended does not act.
// Refusals are recorded too. What belongs to another organisation does not exist
// for the caller (ErrNotFound). The table in actor.go says what each role may do.
//
// The audit trail is append-only, in the database as well. It names credentials
// and never has their values.
//
// Attempts at a secret are counted for all servers together (Reserve): after the first few,
// each failure costs a delay, which doubles up to a quarter of an hour.
//
// A form that creates a credential has a number, and creates one credential however often
// it is sent (Actor.Form).
//
// # When it fails
//
// A token that this server does not know costs a query. After too many invalid tokens from a
// network, further unknown tokens from there are Throttled and cost none; tokens that the
// server knows are still looked up and accepted.
//
// ErrForbidden, ErrNotFound, ErrSessionEnded, ErrInvalid, Throttled and the
// named errors of each method are about the request; anything else is the
// database's, or DAFTAR_SECRET_KEY is missing. Where the record of a refusal could
// not be written, the error says both.
//
// # Who owns what
//
// Accounts owns no goroutine until Run is called, which stores when credentials
// were last used, removes failures that no longer count, and ends with its context. The
// pool stays the caller's.
package accounts
