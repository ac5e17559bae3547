// Package people has the members of organisations: their accounts, how they sign in, and how
// they join and leave. Package accounts decides what a member may do.
//
// # What it promises
//
// Passwords are hashed with argon2id, two at a time, in the normal form of RFC 8265: é and أ are
// one letter however a keyboard sends them. Earlier releases hashed what was typed; such hashes
// still match, and the next sign-in replaces them. The secrets of authenticator apps are sealed,
// each bound to its user.
//
// Sign-in is throttled and never locked: failures count against the account and
// against the networks, of IPv6 the /64, the /56 and the /48. A browser in which the
// user has signed in before (Device) is counted separately, and so is the network of
// the last sign-in: strangers that fail on purpose do not delay the owner. Codes of the
// second factor are counted as passwords are, but separately; a code is accepted once. An
// unknown address costs the same work and gets the same answer. A new password ends
// all sessions: it advances the user's session epoch, which sessions carry. A session
// that has ended stays ended, also where a request with it is under way.
//
// A passkey signs in alone or after the password (passkeys.go). The device has verified
// the user, so a passkey is both factors. A challenge costs no row: the browser keeps it,
// sealed. It is valid for one purpose, for five minutes and for one answer.
//
// The number of password checks under way is limited, for the server and for each network
// (slots.go). An attempt that finds no slot gets ErrBusy at once, not a long wait.
//
// An account joins another organisation in one way, AcceptInvitation, which takes the
// link of an invitation and the account's password: an attacker that created an account for the
// address in advance gains nothing. An invitation ends where its inviter is removed or may no
// longer invite. With Options.Letters the link goes to the address by mail and is not shown to
// the inviter, and using it proves the address. Neither the holder of a link nor the inviter
// learns whether the address has an account.
//
// With Options.Letters a forgotten password is replaced through a link that goes by mail
// (resets.go). Only the latest link works, once, for an hour. A second factor stays.
//
// # When it fails
//
// ErrBadCredentials, ErrBusy, accounts.Throttled and the named errors of each method are about
// the request; anything else is the database's, or DAFTAR_SECRET_KEY is missing.
//
// # Who owns what
//
// People owns no goroutine until Run is called, which removes what has ended and ends with its
// context. The pool stays the caller's. The dashboard owns the session, and makes sure that the
// sign-in is fresh where that is required.
package people
