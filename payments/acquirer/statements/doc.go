// Package statements has the vocabulary in which an acquirer says how its statements read: the
// fields that a line has, what its amounts count, and the names of the columns. Package reconcile
// reads files by it.
//
// It is data: it promises nothing, and nothing of it can fail. An adapter owns its own Format.
package statements
