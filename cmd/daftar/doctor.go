package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// finding is one line of the doctor.
type finding struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

func (p *program) doctor() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check the configuration, the database and what the server needs", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			conf, err := p.configure("DAFTAR_DATABASE_URL")
			if err != nil {
				return err
			}
			pool, err := p.database(c.Context(), conf)
			if err != nil {
				return err
			}
			defer pool.Close()
			return p.report(examine(c.Context(), conf, pool))
		}),
	}
}

func (p *program) report(findings []finding) error {
	var text strings.Builder
	var bad bool
	for _, f := range findings {
		mark := "ok "
		if !f.OK {
			mark, bad = "BAD", true
		}
		fmt.Fprintf(&text, "%s  %-16s  %s\n", mark, f.Name, f.Detail)
	}
	if err := p.answer(map[string]any{"checks": findings}, text.String()); err != nil {
		return err
	}
	if bad {
		return errReported
	}
	return nil
}

// examine makes all checks, also after one that failed, as far as it can.
func examine(ctx context.Context, conf config, pool *pgxpool.Pool) []finding {
	checks := []struct {
		name string
		run  func() (string, error)
	}{
		{"schema", func() (string, error) { return "up to date", migrations.Check(ctx, pool) }},
		{"durability", func() (string, error) {
			return "fsync, full_page_writes and synchronous_commit are on", postgres.CheckDurability(ctx, pool)
		}},
		{"append-only", func() (string, error) { return checkAppendOnly(ctx, pool) }},
		{"positions", func() (string, error) { return checkPositions(ctx, pool) }},
		{"feed", func() (string, error) { return checkFeed(ctx, pool) }},
		{"transparency", func() (string, error) { return checkTree(ctx, conf, pool) }},
		{"export", func() (string, error) { return checkExport(ctx, conf, pool) }},
		{"clock", func() (string, error) { return checkClock(ctx, pool) }},
		{"secret key", func() (string, error) { return checkSecretKey(ctx, conf, pool) }},
		{"acquirers", func() (string, error) { return checkAcquirers(ctx, conf) }},
	}
	findings := make([]finding, len(checks))
	for n, c := range checks {
		detail, err := c.run()
		if err != nil {
			detail = err.Error()
		}
		findings[n] = finding{Name: c.name, OK: err == nil, Detail: detail}
	}
	return findings
}

const appendOnlySQL = `
SELECT count(*) FROM pg_trigger
WHERE tgrelid = 'events'::regclass AND tgenabled = 'A'
  AND tgname IN ('events_are_append_only', 'events_are_never_truncated')`

func checkAppendOnly(ctx context.Context, pool *pgxpool.Pool) (string, error) {
	var triggers int
	if err := pool.QueryRow(ctx, appendOnlySQL).Scan(&triggers); err != nil {
		return "", fmt.Errorf("look for the triggers: %w", err)
	}
	if triggers != 2 {
		return "", errors.New("the triggers that refuse to rewrite events are missing or switched off")
	}
	return "UPDATE, DELETE and TRUNCATE of events are refused", nil
}

const positionsSQL = `SELECT count(*), coalesce(min(position), 1), coalesce(max(position), 0) FROM events`

func checkPositions(ctx context.Context, pool *pgxpool.Pool) (string, error) {
	var events, first, head int64
	if err := pool.QueryRow(ctx, positionsSQL).Scan(&events, &first, &head); err != nil {
		return "", fmt.Errorf("count events: %w", err)
	}
	if first != 1 || events != head {
		return "", fmt.Errorf("%d events lie between positions %d and %d: the log has gaps", events, first, head)
	}
	if events == 0 {
		return "the log is empty", nil
	}
	return fmt.Sprintf("1 to %s without a gap", grouped(head)), nil
}

// checkFeed finds what waits for an operator: events that a group set aside, and
// groups that stand still.
func checkFeed(ctx context.Context, pool *pgxpool.Pool) (string, error) {
	parked, err := feed.ListParked(ctx, pool)
	if err != nil {
		return "", err
	}
	lags, err := feed.Lags(ctx, pool)
	if err != nil {
		return "", err
	}
	var trouble, fine []string
	for _, e := range parked {
		if e.Released {
			continue // its group takes it up again
		}
		trouble = append(trouble, fmt.Sprintf("%s set position %d aside (%s); daftar feed release %s %d gives it back",
			e.Group, e.Position, e.Reason, e.Group, e.Position))
	}
	for _, l := range lags {
		if l.Halted != "" {
			trouble = append(trouble, fmt.Sprintf("%s halted before position %d: %s", l.Group, l.Position+1, l.Halted))
		}
		if l.Seconds > longLag.Seconds() {
			trouble = append(trouble, fmt.Sprintf("%s is %s events and %.0f s behind", l.Group, grouped(l.Head-l.Position), l.Seconds))
		}
		fine = append(fine, fmt.Sprintf("%s at %s", l.Group, grouped(l.Position)))
	}
	if len(trouble) > 0 {
		return "", errors.New(strings.Join(trouble, "; "))
	}
	if len(fine) == 0 {
		return "no group has followed the log yet", nil
	}
	return strings.Join(fine, ", "), nil
}

// longLag is how far a group may be behind before somebody should look. It is
// this long too while no server runs.
const longLag = time.Minute

func checkClock(ctx context.Context, pool *pgxpool.Pool) (string, error) {
	var clock eventstore.Clock
	if err := eventstore.ReadClock(ctx, pool, &clock); err != nil {
		return "", err
	}
	// Only the database's clock counts; a large difference makes logs hard to
	// read and signatures of webhooks look old.
	apart := time.Until(clock.Now()).Round(time.Millisecond)
	if apart.Abs() > 30*time.Second {
		return "", fmt.Errorf("the database's clock is %s from this machine's", apart)
	}
	return fmt.Sprintf("the database's clock is %s from this machine's", apart), nil
}

func checkSecretKey(ctx context.Context, conf config, pool *pgxpool.Pool) (string, error) {
	opened, err := accounts.New(pool, accounts.Options{SecretKey: conf.secretKey}).CheckSecretKey(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("opens all %d secrets that it sealed", opened), nil
}

func checkAcquirers(ctx context.Context, conf config) (string, error) {
	if len(conf.acquirers) == 0 {
		return "", errors.New("none is configured: the checkout offers no way to pay (DAFTAR_ACQUIRERS)")
	}
	u, err := url.Parse(conf.sandboxURL)
	if err != nil {
		return "", fmt.Errorf("read DAFTAR_SANDBOX_URL: %w", err)
	}
	address := u.Host
	if u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), u.Scheme)
	}
	dialer := net.Dialer{Timeout: 3 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return "", fmt.Errorf("the sandbox acquirer is out of reach: %w", err)
	}
	return "sandbox at " + conf.sandboxURL + " can be reached", conn.Close()
}
