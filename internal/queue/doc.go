// Package queue has the rules of work that waits in a table. Expiry, inquiries, refunds, mail,
// webhooks and publishing follow them. It uses internal/worker, which knows no tables.
//
// # What it promises
//
// A Loop works without a pause while there is work. After a failure of the database it backs off; a
// failure of one row (ErrRow) is logged and delays no other. Claim leases rows that are due, the
// longest waiting first, and waits for no lock. Rows that a dead server had claimed are due again when
// the lease ends; if asking twice would be wrong, as for a refund, the queue excludes such rows.
// PutBack sets the next turn of a row that failed, after a pause that doubles (worker.Backoff). It
// does nothing if another server has claimed the row since.
//
// After the end of its context a Loop begins no step, and so claims nothing. Work that must not be
// repeated has StopGrace to end (Finish); work that may be repeated is cut off.
//
// # When it fails
//
// Each failure is logged. A panic in a step ends the program.
//
// # Who owns what
//
// A Loop has no goroutine. Tables belong to the queues. Queues that are fair to tenants (payments,
// webhooks) claim in another way; their comments say why.
package queue
