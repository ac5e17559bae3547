package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/projections"
)

func (p *program) projectionsStatus(ctx context.Context, pool *pgxpool.Pool) error {
	all, err := projections.ReadStatus(ctx, pool)
	if err != nil {
		return err
	}
	models := make([]map[string]any, len(all))
	var text strings.Builder
	for n, m := range all {
		kind := "inline"
		if m.Group == "" {
			fmt.Fprintf(&text, "%-9s  written with the events, at position %s", m.Name, grouped(m.Position))
		} else {
			kind = "group"
			fmt.Fprintf(&text, "%-9s  kept by the group %s, at position %s of %s", m.Name, m.Group, grouped(m.Position), grouped(m.Head))
		}
		fmt.Fprintf(&text, "; version %d", m.TableVersion)
		if m.TableVersion != m.Version {
			fmt.Fprintf(&text, ", this program makes version %d: daftar projections rebuild %s switches to it", m.Version, m.Name)
		}
		text.WriteString("\n")
		models[n] = map[string]any{
			"name": m.Name, "kind": kind, "position": m.Position, "head": m.Head, "lag": m.Head - m.Position,
			"version": m.TableVersion, "program_version": m.Version, "rebuild": nil,
		}
		if m.Run != nil {
			text.WriteString(runText(m.Name, *m.Run))
			models[n]["rebuild"] = runJSON(*m.Run)
		}
		replaced := []map[string]any{}
		for _, old := range m.Replaced {
			fmt.Fprintf(&text, "           replaced on %s and kept: %s\n", old.At.UTC().Format("2006-01-02 15:04:05 UTC"), strings.Join(old.Tables, ", "))
			replaced = append(replaced, map[string]any{"tables": old.Tables, "replaced_at": old.At.UTC()})
		}
		models[n]["replaced"] = replaced
	}
	return p.answer(map[string]any{"projections": models}, text.String())
}

// state is what has become of a run.
func state(r projections.Run) string {
	switch {
	case r.Stale():
		return "stale"
	case r.UnderWay:
		return "running"
	case r.Drift > 0:
		return "waiting"
	}
	return "interrupted"
}

func runJSON(r projections.Run) map[string]any {
	return map[string]any{
		"id": r.ID, "version": r.Version, "state": state(r), "phase": r.Phase, "percent": r.Percent(), "events": r.Events, "total": r.H0,
		"rate": r.Rate, "chunk": r.Chunk, "chunks": r.Chunks, "drift": r.Drift, "started_at": r.StartedAt.UTC(),
		"heartbeat": r.Heartbeat.UTC(), "host": r.Host, "pid": r.PID,
	}
}

func runText(name string, r projections.Run) string {
	where := fmt.Sprintf("           rebuild %d to version %d by process %d on %s: %s, %.0f %% of %s events", r.ID, r.Version, r.PID, r.Host,
		phaseNames[r.Phase], r.Percent(), grouped(r.H0))
	switch state(r) {
	case "stale":
		return fmt.Sprintf("%s; not heard of for %s\n", where, r.SinceBeat.Round(time.Second))
	case "running":
		return fmt.Sprintf("%s, %s a second\n", where, grouped(int64(r.Rate)))
	case "waiting":
		return fmt.Sprintf("%s; the old table differs in %d places: daftar projections rebuild %s --accept-drift replaces it\n", where, r.Drift, name)
	}
	return fmt.Sprintf("%s; interrupted: daftar projections rebuild %s goes on\n", where, name)
}
