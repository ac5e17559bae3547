package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/eventstore/feed"
)

func (p *program) feed() *cobra.Command {
	return group("feed", "The groups that follow the log: how far they are, and events set aside",
		&cobra.Command{
			Use: "status", Short: "List the groups and how far behind each is", Args: cobra.NoArgs,
			RunE: running(func(c *cobra.Command, _ []string) error {
				return p.withDatabase(c.Context(), func(pool *pgxpool.Pool) error { return p.feedStatus(c.Context(), pool) })
			}),
		},
		&cobra.Command{
			Use: "parked", Short: "List the events that a group could not handle and set aside", Args: cobra.NoArgs,
			RunE: running(func(c *cobra.Command, _ []string) error {
				return p.withDatabase(c.Context(), func(pool *pgxpool.Pool) error { return p.feedParked(c.Context(), pool) })
			}),
		},
		&cobra.Command{
			Use: "release GROUP POSITION", Short: "Give a parked event to its group again", Args: cobra.ExactArgs(2),
			RunE: running(func(c *cobra.Command, args []string) error {
				position, err := strconv.ParseInt(args[1], 10, 64)
				if err != nil || position < 1 {
					return misusef("%q is not a position in the log", args[1])
				}
				return p.withDatabase(c.Context(), func(pool *pgxpool.Pool) error {
					if err := feed.Release(c.Context(), pool, args[0], position); err != nil {
						return err
					}
					return p.answer(map[string]any{"group": args[0], "position": position, "released": true},
						fmt.Sprintf("position %s will be handled by %s again\n", grouped(position), args[0]))
				})
			}),
		},
		p.feedForget(),
	)
}

// feedForget is for a group that was switched off: its lag would grow for ever.
func (p *program) feedForget() *cobra.Command {
	return &cobra.Command{
		Use: "forget GROUP", Short: "Drop the place of a group that no server runs any more; should it run again, it begins with the first event",
		Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			for _, g := range ownGroups() {
				if g.Name == args[0] {
					return misusef("%s is a group that every server runs", g.Name)
				}
			}
			return p.withDatabase(c.Context(), func(pool *pgxpool.Pool) error {
				if err := feed.Forget(c.Context(), pool, args[0]); err != nil {
					return err
				}
				return p.answer(map[string]any{"group": args[0], "forgotten": true}, fmt.Sprintf("the group %s is forgotten\n", args[0]))
			})
		}),
	}
}

func (p *program) feedStatus(ctx context.Context, pool *pgxpool.Pool) error {
	lags, err := feed.Lags(ctx, pool)
	if err != nil {
		return err
	}
	groups := make([]map[string]any, len(lags))
	var text strings.Builder
	for n, l := range lags {
		groups[n] = map[string]any{
			"group": l.Group, "position": l.Position, "head": l.Head, "lag": l.Head - l.Position, "seconds": l.Seconds,
			"parked": l.Parked, "halted": l.Halted,
		}
		state := ""
		if l.Parked > 0 {
			state = fmt.Sprintf("  %d parked", l.Parked)
		}
		if l.Halted != "" {
			state += "  HALTED: " + l.Halted
		}
		fmt.Fprintf(&text, "%-12s  at %s of %s, %s events and %.1f s behind%s\n", l.Group, grouped(l.Position), grouped(l.Head),
			grouped(l.Head-l.Position), l.Seconds, state)
	}
	return p.answer(map[string]any{"groups": groups}, text.String())
}

func (p *program) feedParked(ctx context.Context, pool *pgxpool.Pool) error {
	parked, err := feed.ListParked(ctx, pool)
	if err != nil {
		return err
	}
	events := make([]map[string]any, len(parked))
	var text strings.Builder
	for n, e := range parked {
		events[n] = map[string]any{
			"group": e.Group, "position": e.Position, "reason": e.Reason, "attempts": e.Attempts, "at": e.At,
			"released": e.Released,
		}
		fmt.Fprintf(&text, "%-12s  %s  after %d tries at %s: %s\n", e.Group, grouped(e.Position), e.Attempts,
			e.At.UTC().Format(time.RFC3339), e.Reason)
	}
	return p.answer(map[string]any{"parked": events}, text.String())
}
