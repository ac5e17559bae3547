// Package statements describes the format of an acquirer's statements: the fields of a line, the
// unit of its amounts, and the names of the columns. Package reconcile reads files by it.
//
// It is data only: nothing can fail. Each adapter owns its Format.
package statements
