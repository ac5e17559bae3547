// Package proofs has no code. Its test holds the proofs of the transparency log to
// another implementation of RFC 6962, github.com/transparency-dev/merkle. It is in
// this module so that the product does not require that one.
package proofs
