package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/projections"
)

func (p *program) events() *cobra.Command {
	history := &cobra.Command{
		Use: "history U", Short: "List the events of one intent", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			return p.onStream(c.Context(), args[0], func(_ config, id domain.IntentID, events []eventstore.Recorded) error {
				return p.history(id, events)
			})
		}),
	}
	var atVersion int
	var at string
	replay := &cobra.Command{
		Use: "replay U [--at-version N | --at TIME]", Short: "Show the state of one intent after each of its events", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			until := time.Time{}
			if at != "" {
				var err error
				if until, err = time.Parse(time.RFC3339Nano, at); err != nil {
					return misusef("--at: %q is no time such as 2026-11-20T12:00:00Z", at)
				}
			}
			if c.Flags().Changed("at-version") && atVersion < 1 {
				return misusef("--at-version: versions begin at 1")
			}
			return p.onStream(c.Context(), args[0], func(conf config, id domain.IntentID, events []eventstore.Recorded) error {
				return p.replay(conf, id, events, atVersion, until)
			})
		}),
	}
	replay.Flags().IntVar(&atVersion, "at-version", 0, "only the state after this event")
	replay.Flags().StringVar(&at, "at", "", "only the state at this time, RFC 3339")
	replay.MarkFlagsMutuallyExclusive("at-version", "at")
	return group("events", "The history of intents, for auditors", history, replay)
}

// onStream reads the events of the intent that was named. An auditor's
// connection, with SELECT on events, suffices.
func (p *program) onStream(ctx context.Context, name string, do func(config, domain.IntentID, []eventstore.Recorded) error) error {
	id, err := domain.ParseIntentID(name)
	if err != nil {
		return misusef("%q is not the uuid of a payment intent", name)
	}
	conf, err := p.configure("DAFTAR_DATABASE_URL")
	if err != nil {
		return err
	}
	return p.withDatabase(ctx, func(pool *pgxpool.Pool) error {
		events, err := eventstore.NewReader(pool).ReadStream(ctx, uuid.UUID(id))
		if err != nil {
			return err
		}
		if len(events) == 0 {
			return fmt.Errorf("%s: %w", id, ledger.ErrNotFound)
		}
		return do(conf, id, events)
	})
}

func (p *program) history(id domain.IntentID, events []eventstore.Recorded) error {
	type entry struct {
		Position   int64           `json:"position"`
		Version    int             `json:"version"`
		Type       string          `json:"type"`
		RecordedAt time.Time       `json:"recorded_at"`
		Actor      string          `json:"actor"`
		Data       json.RawMessage `json:"data"`
	}
	entries := make([]entry, len(events))
	var text strings.Builder
	for n, e := range events {
		var origin eventstore.Metadata
		if err := json.Unmarshal(e.Metadata, &origin); err != nil {
			return fmt.Errorf("read metadata at position %d: %w", e.Position, err)
		}
		entries[n] = entry{
			Position: e.Position, Version: e.Version, Type: e.Type, RecordedAt: e.RecordedAt, Actor: origin.Actor, Data: e.Payload,
		}
		fmt.Fprintf(&text, "%3d  %s  %s Tripoli  %-25s  %s\n     %s\n", e.Version, e.RecordedAt.Format("2006-01-02 15:04:05.000Z"),
			web.Clock(e.RecordedAt), e.Type, origin.Actor, e.Payload)
	}
	return p.answer(map[string]any{"uuid": id.String(), "events": entries}, text.String())
}

func (p *program) replay(conf config, id domain.IntentID, events []eventstore.Recorded, atVersion int, at time.Time) error {
	type state struct {
		Version    int             `json:"version"`
		Type       string          `json:"type"`
		RecordedAt time.Time       `json:"recorded_at"`
		Intent     json.RawMessage `json:"intent"`
	}
	states := []state{}
	var text strings.Builder
	i := domain.Blank(id)
	for _, r := range events {
		if !at.IsZero() && r.RecordedAt.After(at) {
			break
		}
		e, err := projections.Decode(r)
		if err != nil {
			return err
		}
		i = domain.Evolve(i, e)
		if atVersion != 0 && r.Version != atVersion {
			continue
		}
		shown, err := httpapi.AppendIntent(nil, projections.IntentOf(i), conf.publicURL)
		if err != nil {
			return err
		}
		states = append(states, state{Version: r.Version, Type: r.Type, RecordedAt: r.RecordedAt, Intent: shown})
		fmt.Fprintf(&text, "%3d  %s  %-25s  %s\n", r.Version, r.RecordedAt.Format(time.RFC3339Nano), r.Type, i.Status)
	}
	if !at.IsZero() && len(states) > 0 {
		states = states[len(states)-1:]
		text.Reset()
		last := states[0]
		fmt.Fprintf(&text, "%3d  %s  %-25s  %s\n", last.Version, last.RecordedAt.Format(time.RFC3339Nano), last.Type, i.Status)
	}
	if len(states) == 0 {
		return fmt.Errorf("%s: no event that early: %w", id, ledger.ErrNotFound)
	}
	return p.answer(map[string]any{"uuid": id.String(), "states": states}, text.String())
}
