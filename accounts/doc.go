// Package accounts keeps organisations, their applications, credentials and
// members. It authenticates requests, of programs and of people, and authorises
// what they do.
//
// # What it promises
//
// Keys and tokens exist in clear only in the answer that creates them; the
// database has SHA-256 hashes. They carry 178 random bits or more, so a slow hash
// would protect nothing. Webhook secrets must be readable to sign with and are
// sealed with AES-256-GCM under DAFTAR_SECRET_KEY, bound to their application; so
// are the secrets of authenticator apps, bound to their user. Passwords are hashed
// with argon2id, two at a time, in the normal form of RFC 8265: é and أ are one letter
// however a keyboard sends them. Hashes of earlier releases, which took what was typed,
// are tried too, and renewed by the next sign-in.
//
// Rolling, revoking and deactivating take effect at once, on every server. A server
// may cache a credential, but only together with the credential epoch under which
// it was read; the database advances the epoch with every change, and the
// statements that do the work compare it (see Credential.Epoch).
//
// An application's accounts with acquirers have their credentials sealed for application
// and acquirer. Methods, limits and order are kept beside them in clear; which of them
// make sense is for the caller, who knows the acquirer.
//
// Deactivating can stop the checkouts of an application as well (StopCheckouts):
// packages checkout and expiry read that.
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
// Sign-in is throttled and never locked: failures count against the account and
// against the networks, of IPv6 the /64, the /56 and the /48. After the first few,
// each costs a delay that doubles up to a quarter of an hour. A browser in which the
// user has signed in before (Device) is counted by itself, and so is the network of
// the last sign-in: strangers who fail on purpose do not delay the owner. Codes of the
// second factor count as passwords do, each for itself; one is accepted once. An
// unknown address costs the same work and gets the same answer. A new password ends
// all sessions: it advances the user's session epoch, which sessions carry. A session
// that has ended stays ended, whatever was under way.
//
// A passkey signs in alone or after the password (passkeys.go). The device has verified
// the user, so a passkey is both factors. A challenge costs no row: the browser that
// asks gets it sealed. It is good for one thing, five minutes and one answer.
//
// Few attempts to give a password are under way at a time, of one network fewer
// (places.go). An attempt that finds no place gets ErrBusy at once, not a long wait.
//
// A form that creates a credential has a number, and creates one however often it is
// sent (Actor.Form).
//
// An account joins another organisation in one way, AcceptInvitation, which takes the
// link of an invitation and the account's password: an address that somebody claimed
// in advance lets them in nowhere. An invitation is as good as its inviter: it ends where
// that member is removed or may no longer invite. With Options.Letters the link goes to the address by
// mail and is shown to nobody, and using it proves the address. Neither the holder of
// a link nor the inviter learns whether the address has an account.
//
// With Options.Letters a forgotten password is replaced by a link that goes by mail
// (resets.go): the latest, once, for an hour. A second factor stays.
//
// # When it fails
//
// A token that this server does not know costs a query. Where too many that are not in force
// came from a network, others that it does not know are Throttled and cost none; those that
// it knows are looked up and let in as ever.
//
// ErrForbidden, ErrNotFound, ErrSessionEnded, ErrInvalid, Throttled, ErrBusy and the
// named errors beside each method are about the request; anything else is the
// database's, or DAFTAR_SECRET_KEY is missing. Where the record of a refusal could
// not be written, the error says both.
//
// # Who owns what
//
// Accounts owns no goroutine until Run is called, which stores when credentials
// were last used, removes ended sessions, and ends with its context. The pool stays
// the caller's. The dashboard owns the session, and makes sure that the sign-in is
// fresh where that is required.
package accounts
