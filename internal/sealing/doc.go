// Package sealing encrypts the secrets that the database keeps, under
// DAFTAR_SECRET_KEY.
//
// # What it promises
//
// A sealed secret is a format byte, a random nonce and the secret under AES-256-GCM.
// It opens under the same key only, and only for the owner that it was sealed for. A
// Key may have a predecessor, which opens and does not seal, so that a key can be
// replaced while servers run: a Column names the secrets to seal again.
//
// A digest replaces a text that is counted and not kept, such as a telephone number. It
// needs the key: SHA-256 alone of ten digits could be reversed by trying them all.
//
// # When it fails
//
// ErrNoKey without a key, ErrSealed for everything that does not open. No error repeats
// a key or a secret.
//
// # Who owns what
//
// The tables, and the transaction of Column.Reseal, are the caller's.
package sealing
