package commands

import (
	"context"
	"fmt"
	"slices"

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
		p.onDatabase(forCommands, func(ctx context.Context, s session) error {
			group := s.args[0]
			if err := feed.Release(ctx, s.pool, group, position); err != nil {
				return err
			}
			return p.Answer(map[string]any{"group": group, "position": position, "released": true},
				fmt.Sprintf("position %s will be handled by %s again", output.Count(position), group))
		}))
	cli.Before(c, func(args []string) (err error) {
		position, err = cli.Positive[int64](args[1])
		return err
	})
	var groups []string
	for _, g := range server.Groups() {
		groups = append(groups, g.Name)
	}
	return cli.OfferArgument(c, groups)
}

// feedForget is for a group that was switched off: its lag would grow for ever.
func (p *program) feedForget() *cobra.Command {
	c := cli.Command("forget GROUP",
		"Drop the place of a group that no server runs any more; "+
			"should it run again, it begins with the first event",
		p.onDatabase(forCommands, func(ctx context.Context, s session) error {
			group := s.args[0]
			if err := feed.Forget(ctx, s.pool, group); err != nil {
				return err
			}
			return p.Answer(struct {
				Group     string `json:"group"`
				Forgotten bool   `json:"forgotten"`
			}{group, true}, fmt.Sprintf("the group %s is forgotten", group))
		}))
	return cli.Before(c, func(args []string) error {
		if slices.ContainsFunc(server.Groups(), func(g feed.Group) bool { return g.Name == args[0] }) {
			return cli.Misusef("%s is a group that every server runs", args[0])
		}
		return nil
	})
}

// lists prints what read finds, or a sentence that there is nothing.
func lists[T any](p *program, name, none string,
	read func(context.Context, eventstore.Querier) ([]T, error),
) cli.Action {
	return p.onDatabase(forCommands, func(ctx context.Context, s session) error {
		found, err := read(ctx, s.pool)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return p.Named(name, found, none)
		}
		return p.Named(name, found)
	})
}
