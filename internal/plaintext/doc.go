// Package plaintext has the few rules about text that several packages share: which
// text PostgreSQL stores, which fits on one line, which digits people type, and what a text file
// means.
//
// All functions are pure and cannot fail. The package imports no other package of this
// module, so every package may import it.
package plaintext
