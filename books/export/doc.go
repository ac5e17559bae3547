// Package export writes the journal of package books as files that accountants' programs read.
//
// # What it promises
//
// The text of Hledger is read by hledger and by ledger, that of Beancount by beancount, and each of them
// finds every entry in balance, under one set of names. Accounts are declared before their first use, so
// a journal is written as it is read, entry by entry. The head names the checkpoint of the log, and what
// an auditor needs to compute the same journal from the log.
//
// No text from outside can add a line, a field, a tag or a formula: of references, letters, digits and
// signs without a meaning stay as they are, and everything else is written as in addresses (%2C).
//
// # When it fails
//
// Write returns the error of the writer.
//
// # Who owns what
//
// The writer is the caller's, who buffers it and closes it.
package export
