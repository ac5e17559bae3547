// Package accounts keeps organisations, their applications, credentials and
// people, and says who a request comes from, whether a program sends it or a
// person.
//
// # What it promises
//
// Keys and tokens exist in clear only in the answer that creates them; the
// database has SHA-256 hashes. They carry 178 bits of chance or more, so a slow
// hash would protect nothing. Webhook secrets must be readable to sign with and
// are sealed with AES-256-GCM under DAFTAR_SECRET_KEY, bound to their application;
// so are the secrets of authenticator apps, bound to their user. Passwords are
// hashed with argon2id, two at a time.
//
// Rolling, revoking and deactivating hold at once, on every server. A server may
// remember a credential, but only together with the credential epoch under which
// it was read; the database advances the epoch with every change, and the
// statements that do the work compare it (see Credential.Epoch).
//
// Who asks is an explicit argument, an Actor: a user in a session, or an operator
// at the command line, who may do everything. Every method for the people of an
// organisation takes the actor and the organisation. Do is the one way to change
// something: one transaction looks up the actor's role and holds it, acts, and
// writes the audit record. No record, no action; a role or session that was ended
// a moment ago does not act. Refusals are recorded too. What belongs to another
// organisation does not exist for the caller (ErrNotFound). The table in actor.go
// says what each role may do.
//
// The audit trail is append-only, in the database as well. It names credentials
// and never has their values.
//
// Signing in is slowed down and never locked: failures count against the account
// and against the network, each after the first few costs a delay that doubles up
// to a quarter of an hour, and strangers' failures do not count where the user
// last signed in from. An address that nobody has costs the same work and gets the
// same answer. Codes of the second factor are taken once. A new password ends all
// sessions: sessions carry the user's session epoch, which it advances.
//
// # When it fails
//
// ErrForbidden, ErrNotFound, ErrSessionEnded, ErrInvalid, Throttled and the named
// errors beside each method are about the request; anything else is the
// database's, or DAFTAR_SECRET_KEY is missing. Where the record of a refusal could
// not be written, the error says both.
//
// # Who owns what
//
// Accounts owns no goroutine until Run is called, which writes down when
// credentials were last used, removes sessions that have ended, and ends with its
// context. The pool stays the caller's. The dashboard owns the session itself and
// sees to it that a sign-in is fresh before what needs that.
package accounts
