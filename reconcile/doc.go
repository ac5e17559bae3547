// Package reconcile compares a provider's statement with the ledger: what is missing on
// either side, what differs, and what the provider lists twice, to the dirham.
//
// # What it promises
//
// Every line of the statement that counts, and every payment that the ledger has of the
// acquirer in the span, is in exactly one place of the report: matched, or in one Finding.
// So the difference between the two totals is the sum of the findings, and Report.Groups adds
// it up by kind. Amounts are
// integers in dirham from the file to the report. Nothing is guessed: an ambiguous cell
// ends the comparison with an error that has the line and the column.
//
// A line is matched with its payment by our reference, which is the attempt's id or its
// beginning, otherwise by the provider's own number if only one payment has it. Case is
// ignored. A line whose reference and number both fit is matched before one with the
// right reference alone: a payment that was made twice is matched with the line that the
// ledger knows. The reference is also found inside a longer text; a line that names several
// payments is matched with none. A bank's debit that names no payment is not compared.
//
// The span applies to both sides. Providers' clocks and ours differ, so the ledger is
// read for a day more at both ends: a pair with only one side in the span is reported,
// but is no difference. Money that the ledger records much later is found by its
// attempt.
//
// The tenants are an argument: a Scope selects the payments that are compared. The report
// treats payments of other tenants as if the ledger did not have them.
//
// # Proofs
//
// Report.Proofs are what the statement shows of attempts and refunds whose outcome is unknown, so
// that people can record it. They change no finding and no total. A proof is never guessed: what
// can be understood in two ways proves nothing.
//
// Money was paid if exactly one line that counts names the attempt, in its amount and currency; a
// second line, as of a reversal, leaves it open. A refund went back if exactly one line has its
// amount, and no other refund of the attempt can be meant. Money was not paid if lines call it
// refused, in words that mean nothing else, and no other line names the attempt. Where a payer may
// try the same payment again after a refusal (Format.FinalRefusals is false), that alone proves
// nothing.
//
// With Options.CompleteTo an attempt that no line names was not paid. Absence proves something only for
// a complete statement of one account: the caller vouches that every payment of the span is in the
// file, and for a Scope of several applications there are no such proofs. The attempt must have
// begun a day before the end of the span, and a day ago, because payments and their lines may come
// later. A line that names nothing could be any payment of its amount, so attempts of that amount are
// not absent.
//
// A proof is as old as the report: before it is recorded, the attempt must be read again.
//
// # Statements
//
// No provider documents a file. A Profile names the columns as the provider's API does,
// then as banks do; the caller may name them instead. Files are comma-separated values as
// spreadsheets and banks write them, or Excel workbooks: docs/acquirers.md lists the variants
// that are read, and why each is unambiguous. A workbook is held in memory compressed, up to
// 16 MiB, with its shared strings. Lines are read as a stream; memory holds one small struct
// for each line, paid or not, and each payment, and Options limit the number of both. A line
// has at most 64 KiB and 200 cells, which is checked before it is split, and a needed cell at
// most 1,000 bytes. Reading ends with the context.
//
// # When it fails
//
// A *StatementError says what is wrong with the file; ErrSpan, ErrLongSpan and ErrTooMany
// what is wrong with the span. Any other error comes from the reader or the database, and
// there is no result.
//
// Look reads the beginning of a file, so that people can choose its columns: it shows the lines from the
// one with the names on, or from the first that is as wide as any. It guesses nothing either: what it shows
// is compared only by the names that somebody chose.
//
// # Rights
//
// Compare only reads, and an auditor's rights suffice. They do not cover checkout_attempts
// and refunds: Report.AttemptsUnread is set then, and money that an open attempt has taken,
// or that a refund under way has given back, is reported as missing in the ledger. There are no
// proofs then.
//
// # Who owns what
//
// Compare owns no goroutine. The caller keeps the reader and the database.
package reconcile
