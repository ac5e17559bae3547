// Package proofs has no code. Its tests hold the proofs of the transparency log, and what its
// witnesses say, to other implementations of RFC 6962 and of c2sp.org/tlog-witness, those of
// github.com/transparency-dev. It is in this module so that the product does not require them.
package proofs
