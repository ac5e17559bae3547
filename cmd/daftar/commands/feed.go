package commands

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/server"
	"daftar/eventstore/feed"
	"daftar/internal/output"
)

func (p *program) feed() *cobra.Command {
	return group("feed", "The groups that follow the log: how far they are, and events set aside",
		command("status", "List the groups and how far behind each is", p.onDatabase(p.feedStatus)),
		command("parked", "List the events that a group could not handle and set aside", p.onDatabase(p.feedParked)),
		p.feedRelease(), p.feedForget())
}

func (p *program) feedRelease() *cobra.Command {
	var position int64
	c := command("release GROUP POSITION", "Give a parked event to its group again",
		p.onDatabase(func(ctx context.Context, pool *pgxpool.Pool, args []string) error {
			if err := feed.Release(ctx, pool, args[0], position); err != nil {
				return err
			}
			return p.Answer(struct {
				Group    string `json:"group"`
				Position int64  `json:"position"`
				Released bool   `json:"released"`
			}{args[0], position, true}, fmt.Sprintf("position %s will be handled by %s again", output.Count(position), args[0]))
		}))
	return before(c, func(args []string) (err error) {
		position, err = positive[int64](args[1])
		return err
	})
}

// feedForget is for a group that was switched off: its lag would grow for ever.
func (p *program) feedForget() *cobra.Command {
	c := command("forget GROUP", "Drop the place of a group that no server runs any more; should it run again, it begins with the first event",
		p.onDatabase(p.forgetGroup))
	return before(c, func(args []string) error {
		if slices.ContainsFunc(server.Groups(), func(g feed.Group) bool { return g.Name == args[0] }) {
			return misusef("%s is a group that every server runs", args[0])
		}
		return nil
	})
}

func (p *program) forgetGroup(ctx context.Context, pool *pgxpool.Pool, args []string) error {
	if err := feed.Forget(ctx, pool, args[0]); err != nil {
		return err
	}
	return p.Answer(struct {
		Group     string `json:"group"`
		Forgotten bool   `json:"forgotten"`
	}{args[0], true}, fmt.Sprintf("the group %s is forgotten", args[0]))
}

func (p *program) feedStatus(ctx context.Context, pool *pgxpool.Pool, _ []string) error {
	lags, err := feed.Lags(ctx, pool)
	if err != nil {
		return err
	}
	type lag struct {
		Group    string  `json:"group"    label:"group"`
		Position int64   `json:"position" label:"position"`
		Head     int64   `json:"head"     label:"of"`
		Lag      int64   `json:"lag"      label:"behind"`
		Seconds  float64 `json:"seconds"  label:"seconds"`
		Parked   int64   `json:"parked"   label:"parked"`
		Halted   string  `json:"halted"   below:"HALTED:"`
	}
	groups := make([]lag, len(lags))
	for n, l := range lags {
		groups[n] = lag{l.Group, l.Position, l.Head, l.Head - l.Position, l.Seconds, l.Parked, l.Halted}
	}
	return p.Named("groups", groups)
}

func (p *program) feedParked(ctx context.Context, pool *pgxpool.Pool, _ []string) error {
	parked, err := feed.ListParked(ctx, pool)
	if err != nil {
		return err
	}
	type event struct {
		Group    string    `json:"group"    label:"group"`
		Position int64     `json:"position" label:"position"`
		Attempts int       `json:"attempts" label:"tries"`
		At       time.Time `json:"at"       label:"at"`
		Released bool      `json:"released" label:"released"`
		Reason   string    `json:"reason"   below:""`
	}
	events := make([]event, len(parked))
	for n, e := range parked {
		events[n] = event{e.Group, e.Position, e.Attempts, e.At, e.Released, e.Reason}
	}
	return p.Named("parked", events)
}
