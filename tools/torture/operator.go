package torture

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

const (
	operatorEvery = 2 * time.Second
	commandLimit  = 20 * time.Second // a fault may have taken the database away
)

// runOperator acts as an operator: it looks up quarantined attempts, which have no inquiry, in
// Plutu's books and settles them by the command.
func (c *crowd) runOperator(ctx context.Context) {
	for wait(ctx, operatorEvery) {
		c.settleQuarantined(ctx)
	}
}

const quarantinedSQL = `
SELECT attempt
FROM checkout_attempts
WHERE stage = 'quarantined'
  AND acquirer = $1
ORDER BY stage_since
LIMIT 20`

// settleQuarantined settles quarantined attempts. Where a fault makes it fail, the next call tries again.
func (c *crowd) settleQuarantined(ctx context.Context) {
	attempts, err := postgres.List(ctx, c.pool, "read attempts", pgx.RowTo[string], quarantinedSQL, c.plutu.name)
	if err != nil || len(attempts) == 0 {
		return
	}
	books, err := c.plutu.books(ctx)
	if err != nil {
		return
	}
	for _, attempt := range attempts {
		c.settle(ctx, attempt, books)
	}
}

// stageAsking is the stage of an attempt whose outcome the service inquires.
const stageAsking = "asking"

// settle decides an attempt by the acquirer's books.
func (c *crowd) settle(ctx context.Context, attempt string, books []booked) {
	outcome := "failed"
	if took(books, attempt) {
		outcome = "paid"
	}
	const note = "as in the acquirer's books"
	if c.command(ctx, "attempts", "settle", attempt, "--outcome", outcome, "--note", note) {
		c.recorder.Count(countOperator, 1)
	}
}

// command runs an operator's command and reports whether it succeeded.
func (c *crowd) command(ctx context.Context, arguments ...string) bool {
	p, err := startProcess(c.Daftar, arguments, []string{"DAFTAR_DATABASE_URL=" + c.url(owner)}, c.operatorLog)
	if err != nil {
		c.complainf("no command of the operator: %v", err)
		return false
	}
	wait(contextOf(ctx, p), commandLimit)
	if !p.gone() {
		p.kill()
	}
	return p.exitCode() == 0
}
