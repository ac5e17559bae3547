// Package queue has the rules of work that waits in a table. Expiry, inquiries, refunds, mail,
// webhooks and publishing follow them. It stands on internal/worker, which knows no tables.
//
// # What it promises
//
// A Loop works without a pause while there is work. After a failure of the database it backs off; a
// failure of one row (ErrRow) is logged and delays no other. Claim leases rows that are due, the
// longest waiting first, and waits for no lock. What a server that died had claimed is due again when
// the lease ends; where asking twice would be wrong, as of a refund, the queue keeps such rows out.
// PutBack gives a row that failed its next turn, after a pause that doubles (worker.Backoff), and
// leaves it alone where another server has claimed it since.
//
// After its context a Loop begins no step, and so claims nothing. What must not be repeated has
// StopGrace to end (Finish); what may be repeated is cut off.
//
// # When it fails
//
// Each failure is logged. A panic in a step ends the program.
//
// # Who owns what
//
// A Loop has no goroutine. Tables belong to the queues. Those that share by tenant (payments, webhooks)
// claim in another way, and say why.
package queue
