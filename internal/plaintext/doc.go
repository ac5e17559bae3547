// Package plaintext has the few rules about text that several packages share: which
// text PostgreSQL stores, which fits on one line, which digits people type, and what a text file
// means.
//
// All of it are pure functions that cannot fail. The package imports nothing of ours,
// so every package may import it.
package plaintext
