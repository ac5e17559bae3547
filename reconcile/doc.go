// Package reconcile compares a provider's statement with the ledger: what is missing on
// either side, what differs, and what the provider lists twice, to the dirham.
//
// # What it promises
//
// Every line of the statement that counts, and every payment that the ledger has of the
// acquirer in the span, is in exactly one place of the report: matched, or in one Finding.
// So the difference between the two totals is the sum of the findings. Amounts are
// integers of dirham from the file to the report. Nothing is guessed: a cell that cannot
// be read in one way only ends the comparison, with the line and the column.
//
// A line finds its payment by our reference, which is the attempt's id or its beginning,
// and else by the provider's own number where that is of one payment only. Case does not
// count. A line whose reference and number are both right comes before one with the
// right reference alone: a payment that was made twice is matched with the line that the
// ledger knows. Inside a longer text the reference is found too; a line that names several
// payments is matched with none. A bank's debit that names no payment is not compared.
//
// The span is a time of both sides. Providers' clocks and ours differ, so the ledger is
// read for a day more at both ends: a pair of which only one side is in the span is
// named, and is no difference. Money that the ledger records much later is found by its
// attempt.
//
// Tenants are an argument: a Scope says whose payments are compared. What belongs to
// others is not in the ledger, as far as the report says.
//
// # Statements
//
// No provider documents a file. A Profile names the columns as the provider's API does,
// then as banks do; the caller may name them instead. Files are comma-separated values as
// spreadsheets and banks write them, or workbooks of Excel: which habits are read, and why
// each of them can be read in one way only, is in docs/acquirers.md. A workbook is held
// packed, up to 16 MiB, with the texts that its cells share. Lines are read as a stream; memory holds
// one small struct for each line and each payment, of either so many at most as Options
// say. A line has 64 KiB and 200 cells at most, which is looked at before it is split, and
// a cell that is needed 1,000 bytes. Reading ends with the context.
//
// # When it fails
//
// A *StatementError says what is wrong with the file; ErrSpan, ErrLongSpan and ErrTooMany
// what is wrong with the span. Any other error is the reader's or the database's; nothing
// was learnt.
//
// # Rights
//
// It reads, and an auditor's rights will do. They do not cover checkout_attempts and
// refunds: then Report.AttemptsUnread is set, and money that an open attempt has taken, or
// that a refund under way has given back, is among what the ledger does not have.
//
// # Who owns what
//
// Compare owns no goroutine. The reader and the database stay the caller's.
package reconcile
