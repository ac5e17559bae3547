// Package proofs has no code. Its tests check the proofs of the transparency log, and the
// cosignatures of its witnesses, against other implementations of RFC 6962 and of
// c2sp.org/tlog-witness: those of github.com/transparency-dev. It is in this module so that
// the product does not require them.
package proofs
