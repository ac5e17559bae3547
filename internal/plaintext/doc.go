// Package plaintext has the few rules about text that several packages share: which
// text PostgreSQL stores, which fits on one line, and which digits people type.
//
// All of it are pure functions that cannot fail. The package imports nothing of ours,
// so every package may import it.
package plaintext
