package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
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
	return group("events", "The ledger as it was written, for auditors", history, p.eventsReplay(), p.eventsTail(), p.eventsExport())
}

func (p *program) eventsReplay() *cobra.Command {
	var atVersion int
	var at string
	c := &cobra.Command{
		Use: "replay U [--at-version N | --at TIME]", Args: cobra.ExactArgs(1),
		Short: "Show the state of one intent after each of its events, and what each changed",
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
	c.Flags().IntVar(&atVersion, "at-version", 0, "only the state after this event")
	c.Flags().StringVar(&at, "at", "", "only the state at this time, RFC 3339")
	c.MarkFlagsMutuallyExclusive("at-version", "at")
	return c
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
