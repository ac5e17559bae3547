package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/internal/output"
	"daftar/internal/postgres"
	"daftar/projections"
	"daftar/projections/rebuild"
)

func (p *program) projections() *cobra.Command {
	verify := p.projectionCommand("verify NAME",
		"Replay every event and compare a read model field by field", p.onReplica,
		func(ctx context.Context, m projections.Model, pool *pgxpool.Pool) (rebuild.Report, error) {
			bar := newProgress(p.Err)
			defer bar.finish()
			return rebuild.Verify(ctx, pool, m, bar.show)
		})
	return cli.Group("projections", "Read models: their state, proof and rebuild",
		cli.Command("status", "List the read models, how far they are, and their rebuilds",
			p.onDatabase(forCommands, p.projectionsStatus)),
		p.rebuild(), verify, p.cleanProjections())
}

func (p *program) rebuild() *cobra.Command {
	var o rebuild.Options
	c := p.projectionCommand("rebuild NAME",
		"Rebuild a read model from the events, while the service runs", p.onDatabase,
		func(ctx context.Context, m projections.Model, pool *pgxpool.Pool) (rebuild.Report, error) {
			show := &steps{program: p, bar: newProgress(p.Err)}
			defer show.bar.finish()
			o.Progress = show.step
			report, err := rebuild.Replace(ctx, pool, m, o)
			if err != nil && ctx.Err() != nil {
				show.bar.finish()
				p.Notef("Interrupted. What is done stays: daftar projections rebuild %s goes on from here.", m.Name)
			}
			return report, err
		})
	c.Long = "Rebuild a read model from the events next to the old one, and replace that\n" +
		"while the service runs.\n\n" +
		"It may be interrupted at any time: the next call goes on where it stopped. " +
		"Where the old read model differs from\n" +
		"the events it is kept, and so is the new one until a call with --accept-drift puts it in place. " +
		"What was replaced\n" +
		"is kept for 24 hours at least; the next rebuild of the same read model, or projections clean, drops it."
	c.Flags().BoolVar(&o.AcceptDrift, "accept-drift", false,
		"replace the read model even where it differs from the events")
	c.Flags().BoolVar(&o.Restart, "restart", false, "throw a half-done rebuild away instead of resuming it")
	return c
}

func (p *program) cleanProjections() *cobra.Command {
	var olderThan time.Duration
	var halfDone bool
	c := cli.Command("clean", "Drop the tables that rebuilds have replaced",
		p.onDatabase(forCommands, func(ctx context.Context, s session) error {
			dropped, err := rebuild.Clean(ctx, s.pool, olderThan, halfDone)
			if err != nil {
				return err
			}
			text := "Nothing to drop."
			if len(dropped) > 0 {
				text = "Dropped " + strings.Join(dropped, ", ") + "."
			}
			return p.Answer(map[string][]string{"dropped": dropped}, text)
		}))
	c.Flags().DurationVar(&olderThan, "older-than", rebuild.KeepReplaced,
		"keep what was replaced less than this long ago")
	c.Flags().BoolVar(&halfDone, "half-done", false, "drop also what interrupted rebuilds have left")
	return c
}

// projectionCommand is a command on the read model that the first argument names.
func (p *program) projectionCommand(use, short string,
	on func(o postgres.Options, do work, required ...string) cli.Action,
	do func(context.Context, projections.Model, *pgxpool.Pool) (rebuild.Report, error),
) *cobra.Command {
	var m projections.Model
	models := projections.Models()
	names := make([]string, len(models))
	for n, m := range models {
		names[n] = m.Name
	}
	c := cli.Command(use, short, on(forCommands, func(ctx context.Context, s session) error {
		report, err := do(ctx, m, s.pool)
		if err != nil {
			return err
		}
		return p.report(report)
	}))
	cli.Argument(c, &m, func(name string) (projections.Model, error) {
		n := slices.Index(names, name)
		if n < 0 {
			return projections.Model{}, cli.Misusef("there is no read model %q; known: %s",
				name, strings.Join(names, ", "))
		}
		return models[n], nil
	})
	return cli.OfferArgument(c, names)
}

func (p *program) report(r rebuild.Report) error {
	verdict := "agrees with its events"
	places := count(len(r.Drift), "place", "places")
	switch {
	case !r.OK:
		verdict = "differs from its events in " + places
	case len(r.Drift) > 0:
		verdict = "was replaced; the old one differed in " + places
	}
	text := []string{fmt.Sprintf("%s: %s events replayed in %.1f s; the read model %s.",
		r.Name, output.Count(r.Events), r.Seconds, verdict)}
	if r.Pause > 0 {
		text = append(text, fmt.Sprintf("The swap kept others waiting for %.1f ms at most.",
			float64(r.Pause.Microseconds())/1000))
	}
	return cli.ReportedUnless(r.OK, p.Answer(r, text...))
}

// steps shows a rebuild: a bar on a terminal, a line of JSON a second with --json.
type steps struct {
	*program

	bar   progress
	last  time.Time
	phase rebuild.Phase
}

// phaseNames are the phases as the bar shows them.
var phaseNames = map[rebuild.Phase]string{
	rebuild.PhaseCopying:    "replaying",
	rebuild.PhaseIndexing:   "building indexes",
	rebuild.PhaseCatchingUp: "catching up",
	rebuild.PhaseVerifying:  "comparing",
	rebuild.PhaseSwapping:   "exchanging",
	rebuild.PhaseDone:       "done",
}

func (s *steps) step(at rebuild.Step) {
	if at.Phase != s.phase {
		s.bar.bar.Describe(phaseNames[at.Phase])
	}
	s.bar.show(at.Done, at.Total)
	const every = time.Second
	if s.JSON && (at.Phase != s.phase || time.Since(s.last) >= every) {
		_ = s.Answer(at)
		s.last = time.Now()
	}
	s.phase = at.Phase
}

// readModel is the state of a read model and, below it for people, what is to be done
// about it.
type readModel struct {
	Name           string             `json:"name"            label:"read model"`
	Kind           string             `json:"kind"`
	KeptBy         string             `json:"-"               label:"kept by"`
	Position       int64              `json:"position"        label:"position"`
	Head           int64              `json:"head"            label:"of"`
	Lag            int64              `json:"lag"`
	Version        int                `json:"version"         label:"version"`
	ProgramVersion int                `json:"program_version"`
	Rebuild        *rebuild.Run       `json:"rebuild"`
	Replaced       []rebuild.Replaced `json:"replaced"`
	Remarks        []string           `json:"-"               below:""`
}

func (p *program) projectionsStatus(ctx context.Context, s session) error {
	all, err := rebuild.ReadStatus(ctx, s.pool)
	models := make([]readModel, len(all))
	for n, m := range all {
		shown := readModel{
			Name: m.Name, Kind: "inline", KeptBy: "the append",
			Position: m.Position, Head: m.Head, Lag: m.Head - m.Position,
			Version: m.TableVersion, ProgramVersion: m.Version, Rebuild: m.Run, Replaced: m.Replaced,
		}
		if m.Group != "" {
			shown.Kind, shown.KeptBy = "group", "the group "+m.Group
		}
		if m.TableVersion != m.Version {
			shown.Remarks = append(shown.Remarks,
				fmt.Sprintf("this program makes version %d: daftar projections rebuild %s switches to it",
					m.Version, m.Name))
		}
		if m.Run != nil {
			shown.Remarks = append(shown.Remarks, runText(m.Name, *m.Run))
		}
		for _, old := range m.Replaced {
			shown.Remarks = append(shown.Remarks,
				fmt.Sprintf("replaced on %s and kept: %s",
					old.At.Format("2006-01-02 15:04:05 UTC"), strings.Join(old.Tables, ", ")))
		}
		models[n] = shown
	}
	return p.show("projections", models, err)
}

func runText(name string, r rebuild.Run) string {
	where := fmt.Sprintf("rebuild %d to version %d by process %d on %s: %s, %.0f %% of %s events",
		r.ID, r.Version, r.PID, r.Host, phaseNames[r.Phase], r.Percent, output.Count(r.H0))
	switch r.State {
	case rebuild.RunRunning:
		return fmt.Sprintf("%s, %s a second, last step at %s",
			where, output.Count(int64(r.Rate)), r.Heartbeat.Format("15:04:05 UTC"))
	case rebuild.RunWaiting:
		return fmt.Sprintf(
			"%s; the old table differs in %s: daftar projections rebuild %s --accept-drift replaces it",
			where, count(r.Drift, "place", "places"), name)
	}
	return fmt.Sprintf("%s; interrupted: daftar projections rebuild %s goes on", where, name)
}
