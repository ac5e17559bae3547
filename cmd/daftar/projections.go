package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"daftar/internal/ops"
	"daftar/internal/postgres"
	"daftar/migrations"
	"daftar/projections"
)

func (p *program) projections() *cobra.Command {
	verify := &cobra.Command{
		Use: "verify NAME", Short: "Replay every event and compare a read model field by field", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			return p.onProjection(c.Context(), args[0], 2, func(m projections.Projection, pool *pgxpool.Pool) (projections.Report, error) {
				bar := newProgress(p.errs)
				defer func() { _ = bar.Finish() }()
				return m.Verify(c.Context(), pool, func(done, total int64) {
					bar.ChangeMax64(total)
					_ = bar.Set64(done) // what cannot be shown is not worth failing for
				})
			})
		}),
	}
	status := &cobra.Command{
		Use: "status", Short: "List the read models, how far they are, and their rebuilds", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			return p.withDatabase(c.Context(), func(pool *pgxpool.Pool) error { return p.projectionsStatus(c.Context(), pool) })
		}),
	}
	return group("projections", "Read models: their state, proof and rebuild", status, p.rebuild(), verify, p.cleanProjections())
}

func (p *program) rebuild() *cobra.Command {
	var o projections.Options
	c := &cobra.Command{
		Use: "rebuild NAME", Short: "Make a read model anew from the events, while the service runs", Args: cobra.ExactArgs(1),
		Long: "Make a read model anew from the events, beside the old one, and put it in its place while the service runs.\n\n" +
			"It may be interrupted at any time: the next call goes on where it stopped. Where the old read model differs from\n" +
			"the events it is kept, and so is the new one until a call with --accept-drift puts it in place. What was replaced\n" +
			"is kept for 24 hours at least; the next rebuild of the same read model, or projections clean, drops it.",
		RunE: running(func(c *cobra.Command, args []string) error {
			if o.Workers < 1 || o.MaxRate < 0 {
				return misusef("--workers is at least 1 and --max-rate at least 0")
			}
			return p.onProjection(c.Context(), args[0], o.Workers+2, func(m projections.Projection, pool *pgxpool.Pool) (projections.Report, error) {
				show := p.newSteps()
				defer show.finish()
				o.Progress = show.step
				report, err := m.Rebuild(c.Context(), pool, o)
				if err != nil && c.Context().Err() != nil {
					show.finish()
					p.tellf("Interrupted. What is done stays: daftar projections rebuild %s goes on from here.", m.Name)
				}
				return report, err
			})
		}),
	}
	c.Flags().BoolVar(&o.AcceptDrift, "accept-drift", false, "replace the read model even where it differs from the events")
	c.Flags().BoolVar(&o.Restart, "restart", false, "throw a half-done rebuild away instead of resuming it")
	c.Flags().IntVar(&o.Workers, "workers", 1, "chunks that are replayed at a time")
	c.Flags().IntVar(&o.MaxRate, "max-rate", 0, "events replayed a second at most (0: as many as it can)")
	return c
}

func (p *program) cleanProjections() *cobra.Command {
	var olderThan time.Duration
	var halfDone bool
	c := &cobra.Command{
		Use: "clean", Short: "Drop the tables that rebuilds have replaced", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			return p.withDatabase(c.Context(), func(pool *pgxpool.Pool) error {
				dropped, err := projections.Clean(c.Context(), pool, olderThan, halfDone)
				if err != nil {
					return err
				}
				text := "Nothing to drop.\n"
				if len(dropped) > 0 {
					text = "Dropped " + strings.Join(dropped, ", ") + ".\n"
				}
				return p.answer(map[string]any{"dropped": dropped}, text)
			})
		}),
	}
	c.Flags().DurationVar(&olderThan, "older-than", projections.KeepReplaced, "keep what was replaced less than this long ago")
	c.Flags().BoolVar(&halfDone, "half-done", false, "drop also what interrupted rebuilds have left")
	return c
}

// withDatabase runs a command on a database whose schema is this program's.
func (p *program) withDatabase(ctx context.Context, do func(*pgxpool.Pool) error) error {
	return p.withConnections(ctx, 2, do)
}

func (p *program) withConnections(ctx context.Context, most int, do func(*pgxpool.Pool) error) error {
	conf, err := p.configure("DAFTAR_DATABASE_URL")
	if err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, conf.databaseURL, postgres.Options{ApplicationName: "daftar command", MaxConns: int32(min(most, 64))})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	return do(pool)
}

func (p *program) onProjection(ctx context.Context, name string, connections int,
	do func(projections.Projection, *pgxpool.Pool) (projections.Report, error),
) error {
	all := projections.All()
	n := slices.IndexFunc(all, func(m projections.Projection) bool { return m.Name == name })
	if n < 0 {
		known := make([]string, len(all))
		for k, m := range all {
			known[k] = m.Name
		}
		return misusef("there is no read model %q; known: %s", name, strings.Join(known, ", "))
	}
	return p.withConnections(ctx, connections, func(pool *pgxpool.Pool) error {
		report, err := do(all[n], pool)
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
	if r.Pause > 0 {
		fmt.Fprintf(&b, "The exchange kept others waiting for %.1f ms at most.\n", float64(r.Pause.Microseconds())/1000)
	}
	return b.String()
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

// steps shows a rebuild: a bar on a terminal, a line of JSON a second with --json.
type steps struct {
	bar   *progressbar.ProgressBar
	lines *json.Encoder // nil: none
	last  time.Time
	phase projections.Phase
}

func (p *program) newSteps() *steps {
	s := &steps{bar: newProgress(p.errs)}
	if p.json {
		s.lines = json.NewEncoder(p.out)
	}
	return s
}

// phaseNames are the phases as the bar shows them.
var phaseNames = map[projections.Phase]string{
	projections.PhaseCopying: "replaying", projections.PhaseIndexing: "building indexes", projections.PhaseCatchingUp: "catching up",
	projections.PhaseVerifying: "comparing", projections.PhaseSwapping: "exchanging", projections.PhaseDone: "done",
}

type stepLine struct {
	Phase       projections.Phase `json:"phase"`
	Events      int64             `json:"events"`
	Total       int64             `json:"total"`
	Rate        float64           `json:"rate"`
	SecondsLeft *float64          `json:"seconds_left"` // null: not known
	Chunk       int               `json:"chunk"`
	Chunks      int               `json:"chunks"`
}

func (s *steps) step(at projections.Step) {
	if at.Phase != s.phase {
		s.bar.Describe(phaseNames[at.Phase])
	}
	s.bar.ChangeMax64(at.Total)
	_ = s.bar.Set64(at.Done) // what cannot be shown is not worth failing for
	const every = time.Second
	if s.lines != nil && (at.Phase != s.phase || time.Since(s.last) >= every) {
		line := stepLine{Phase: at.Phase, Events: at.Done, Total: at.Total, Rate: at.Rate, Chunk: at.Chunk, Chunks: at.Chunks}
		if at.Left > 0 {
			left := at.Left.Seconds()
			line.SecondsLeft = &left
		}
		_ = s.lines.Encode(line)
		s.last = time.Now()
	}
	s.phase = at.Phase
}

func (s *steps) finish() { _ = s.bar.Finish() }
