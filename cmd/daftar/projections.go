package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"daftar/eventstore"
	"daftar/internal/ops"
	"daftar/migrations"
	"daftar/projections"
)

// projectionIntents is the one read model so far.
const projectionIntents = "intents"

func (p *program) projections() *cobra.Command {
	var acceptDrift bool
	rebuild := &cobra.Command{
		Use: "rebuild NAME", Short: "Make a read model anew from the events, while the service runs", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			return p.onProjection(c.Context(), args[0], func(pool *pgxpool.Pool, show projections.Progress) (projections.Report, error) {
				return projections.Rebuild(c.Context(), pool, acceptDrift, show)
			})
		}),
	}
	rebuild.Flags().BoolVar(&acceptDrift, "accept-drift", false, "replace the read model even where it differs from the events")
	verify := &cobra.Command{
		Use: "verify NAME", Short: "Replay every event and compare a read model field by field", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			return p.onProjection(c.Context(), args[0], func(pool *pgxpool.Pool, show projections.Progress) (projections.Report, error) {
				return projections.Verify(c.Context(), pool, show)
			})
		}),
	}
	status := &cobra.Command{
		Use: "status", Short: "List the read models and how far they are", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			return p.withDatabase(c.Context(), func(pool *pgxpool.Pool) error { return p.projectionsStatus(c.Context(), pool) })
		}),
	}
	return group("projections", "Read models: their state, proof and rebuild", status, rebuild, verify)
}

// withDatabase runs a command on a database whose schema is this program's.
func (p *program) withDatabase(ctx context.Context, do func(*pgxpool.Pool) error) error {
	conf, err := p.configure("DAFTAR_DATABASE_URL")
	if err != nil {
		return err
	}
	pool, err := p.database(ctx, conf)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	return do(pool)
}

func (p *program) onProjection(ctx context.Context, name string,
	do func(*pgxpool.Pool, projections.Progress) (projections.Report, error),
) error {
	if name != projectionIntents {
		return misusef("there is no read model %q; known: %s", name, projectionIntents)
	}
	return p.withDatabase(ctx, func(pool *pgxpool.Pool) error {
		bar := newProgress(p.errs)
		report, err := do(pool, func(done, total int64) {
			bar.ChangeMax64(total)
			_ = bar.Set64(done) // what cannot be shown is not worth failing for
		})
		_ = bar.Finish()
		if err != nil {
			return err
		}
		if err := p.answer(report, reportText(report)); err != nil {
			return err
		}
		if !report.OK {
			return errReported
		}
		return nil
	})
}

func reportText(r projections.Report) string {
	var b strings.Builder
	for _, d := range r.Drift {
		what := d.Field
		if what == "" {
			what = "row"
		}
		fmt.Fprintf(&b, "%s  %s: stored %s, replayed %s\n", d.UUID, what, d.Stored, d.Replayed)
	}
	verdict := "agrees with its events"
	switch {
	case !r.OK:
		verdict = fmt.Sprintf("differs from its events in %d places", len(r.Drift))
	case len(r.Drift) > 0:
		verdict = fmt.Sprintf("was replaced; the old one differed in %d places", len(r.Drift))
	}
	fmt.Fprintf(&b, "%s: %s events replayed in %.1f s; the read model %s.\n", r.Name, grouped(r.Events), r.Seconds, verdict)
	return b.String()
}

func (p *program) projectionsStatus(ctx context.Context, pool *pgxpool.Pool) error {
	head, err := eventstore.NewReader(pool).Head(ctx)
	if err != nil {
		return err
	}
	// Written in the transaction of its events, it is never behind.
	return p.answer(map[string]any{"projections": []map[string]any{
		{"name": projectionIntents, "kind": "inline", "position": head, "head": head, "lag": 0},
	}}, fmt.Sprintf("%s  written with the events, at position %s\n", projectionIntents, grouped(head)))
}

// grouped writes a count for people.
func grouped(n int64) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// newProgress shows how far a long command is, its rate and the time left, on a
// terminal; elsewhere it shows nothing.
func newProgress(w io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(w), progressbar.OptionSetVisibility(ops.IsTerminal(w)),
		progressbar.OptionSetDescription("events"), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
	)
}
