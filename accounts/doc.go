// Package accounts keeps organisations, their applications and their
// credentials, and says who a request comes from.
//
// # What it promises
//
// Keys and tokens exist in clear only in the answer that creates them; the
// database has SHA-256 hashes. They carry 178 bits of chance or more, so a slow
// hash would protect nothing. Webhook secrets must be readable to sign with and
// are sealed with AES-256-GCM under DAFTAR_SECRET_KEY, bound to their application.
//
// Rolling, revoking and deactivating hold at once, on every server. A server may
// remember a credential, but only together with the credential epoch under which
// it was read; the database advances the epoch with every change, and the
// statements that do the work compare it (see Credential.Epoch).
//
// Every function that touches an organisation's data takes the organisation, or
// an id that was checked to be the caller's, as an argument.
//
// # Who owns what
//
// Accounts owns no goroutine until Run is called, which writes down when
// credentials were last used and ends with its context. The pool stays the
// caller's.
package accounts
