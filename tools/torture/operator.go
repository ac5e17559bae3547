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

// operate does what an operator does all day: looks what Plutu's books have of the attempts
// that nobody can ask about, and settles them by the command.
func (c *crowd) operate(ctx context.Context) {
	for wait(ctx, operatorEvery) {
		c.settleQuarantined(ctx)
	}
}

const quarantinedSQL = `SELECT attempt FROM checkout_attempts WHERE stage = 'quarantined' AND acquirer = $1 ORDER BY stage_since LIMIT 20`

// settleQuarantined settles what is set aside. Faults come in the way: what fails comes up again.
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

// stageAsking is that of an attempt whose outcome is waited for.
const stageAsking = "asking"

// settle decides an attempt by the acquirer's books.
func (c *crowd) settle(ctx context.Context, attempt string, books []booked) {
	outcome := "failed"
	if took(books, attempt) {
		outcome = "paid"
	}
	if c.command(ctx, "attempts", "settle", attempt, "--outcome", outcome, "--note",
		"as in the acquirer's books") {
		c.recorder.Count(countOperator, 1)
	}
}

// command runs a command of an operator and says whether it did what it was to do.
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
