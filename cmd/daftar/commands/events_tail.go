package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/export"
	"daftar/internal/postgres"
	"daftar/internal/worker"
)

const (
	// tailShown is how many events `tail` begins with.
	tailShown = 10
	// tailPoll is how late an event may be shown where no notification arrives: a
	// read-only replica refuses LISTEN, and a pooler drops it.
	tailPoll = time.Second
	// relisten is how often LISTEN is tried where the database refuses it.
	relisten = time.Minute
)

func (p *program) eventsTail() *cobra.Command {
	var from int64
	var follow bool
	c := cli.Command("tail [--follow] [--from POSITION]",
		"Show the newest events, and with --follow each new one",
		p.onDatabase(forCommands, func(ctx context.Context, s session) error {
			err := p.tail(ctx, s.pool, from, follow)
			if ctx.Err() != nil {
				return nil //nolint:nilerr // Ctrl-C is how following ends
			}
			return err
		}))
	c.Long = `Show the newest events, and with --follow each new one.

With --json each event is a line of JSON, as events export writes it.
Ctrl-C ends it.`
	cli.Flag(c, &from, "from", fmt.Sprintf("the first `position` (default: the last %d events)", tailShown),
		cli.Positive[int64])
	c.Flags().BoolVarP(&follow, "follow", "f", false, "wait for new events")
	return c
}

func (p *program) tail(ctx context.Context, pool *pgxpool.Pool, from int64, follow bool) error {
	ctx, cancel := context.WithCancel(ctx)
	var listening sync.WaitGroup
	defer listening.Wait() // the listener closes its connection
	defer cancel()
	log := eventstore.NewReader(pool)
	head, err := log.Head(ctx)
	if err != nil {
		return err
	}
	if from == 0 {
		from = max(head-tailShown+1, 1)
	}
	show, upTo := p.eventPrinter(), head
	woken := worker.NewSignal()
	if follow {
		upTo = math.MaxInt64
		listener := worker.Listener{
			Connection: pool.Config().ConnConfig, Channel: feed.Channel,
			Notified: func(string) { woken.Set() }, Retry: relisten, Log: zerolog.Nop(),
		}
		listening.Go(func() { listener.Run(ctx) })
	}
	away := false
	for after := from - 1; ; {
		events, err := log.ReadRange(ctx, after, upTo, exportPage)
		if err != nil {
			if !follow || ctx.Err() != nil || postgres.Classify(err) != postgres.Unavailable {
				return err
			}
			if !away {
				p.Notef("The database is out of reach, trying again: %v", err)
			}
		}
		away = err != nil
		for _, e := range events {
			if err := show(e); err != nil {
				return err
			}
			after = e.Position
		}
		if len(events) == exportPage {
			continue
		}
		if !follow {
			return nil
		}
		if !woken.Wait(ctx, tailPoll) {
			return nil
		}
	}
}

// eventPrinter writes events as the caller wants them.
func (p *program) eventPrinter() func(eventstore.Recorded) error {
	if p.JSON {
		return func(e eventstore.Recorded) error { return p.Answer(export.NewLine(e)) }
	}
	return func(e eventstore.Recorded) error {
		text, _, err := newEventText(e)
		if err != nil {
			return err
		}
		of := "intent"
		if !domain.OfIntent(e.Type) {
			of = "stream"
		}
		text.Place = fmt.Sprintf("%s %s, event %d", of, e.Stream, e.Version)
		return p.Row(struct {
			Position string `label:""`
			eventText

			Payload json.RawMessage `below:""`
		}{strconv.FormatInt(e.Position, 10), text, e.Payload})
	}
}
