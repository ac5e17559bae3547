package commands

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/server"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/output"
)

func (p *program) feed() *cobra.Command {
	return cli.Group("feed", "The groups that follow the log: how far they are, and events set aside",
		cli.Command("status", "List the groups and how far behind each is",
			lists(p, "groups", "No group has followed the log yet: daftar serve does.", feed.Lags)),
		cli.Command("parked", "List the events that a group could not handle and set aside",
			lists(p, "parked", "No event is parked.", feed.ListParked)),
		p.feedRelease(), p.feedForget())
}

func (p *program) feedRelease() *cobra.Command {
	var position int64
	c := cli.Command("release GROUP POSITION", "Give a parked event to its group again",
		p.onDatabase(func(ctx context.Context, pool *pgxpool.Pool, args []string) error {
			if err := feed.Release(ctx, pool, args[0], position); err != nil {
				return err
			}
			return p.Answer(struct {
				Group    string `json:"group"`
				Position int64  `json:"position"`
				Released bool   `json:"released"`
			}{args[0], position, true},
				fmt.Sprintf("position %s will be handled by %s again", output.Count(position), args[0]))
		}))
	return cli.Before(c, func(args []string) (err error) {
		position, err = cli.Positive[int64](args[1])
		return err
	})
}

// feedForget is for a group that was switched off: its lag would grow for ever.
func (p *program) feedForget() *cobra.Command {
	c := cli.Command("forget GROUP",
		"Drop the place of a group that no server runs any more; "+
			"should it run again, it begins with the first event",
		p.onDatabase(p.forgetGroup))
	return cli.Before(c, func(args []string) error {
		if slices.ContainsFunc(server.Groups(), func(g feed.Group) bool { return g.Name == args[0] }) {
			return cli.Misusef("%s is a group that every server runs", args[0])
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

// lists prints what read finds, or a sentence that there is nothing.
func lists[T any](p *program, name, none string,
	read func(context.Context, eventstore.Querier) ([]T, error),
) cli.Action {
	return p.onDatabase(func(ctx context.Context, pool *pgxpool.Pool, _ []string) error {
		found, err := read(ctx, pool)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return p.Named(name, found, none)
		}
		return p.Named(name, found)
	})
}
