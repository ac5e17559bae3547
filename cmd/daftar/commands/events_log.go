package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/eventstore"
	"daftar/export"
	"daftar/internal/output"
	"daftar/internal/postgres"
	"daftar/ledger"
)

// exportPage bounds what is in memory at once: about 1 KB an event.
const exportPage = 2000

func (p *program) eventsExport() *cobra.Command {
	var from, until int64 = 1, 0
	var organization accounts.OrganizationID
	c := cli.Command("export [--from POSITION] [--until POSITION] [--org U]",
		"Write events to standard output, a line of JSON each",
		p.onReplica(forCommands, func(ctx context.Context, s session) error {
			return p.export(ctx, s.pool, from, until, uuid.UUID(organization))
		}))
	cli.Before(c, func([]string) error {
		if until != 0 && until < from {
			return cli.Misusef("--from and --until: the last position is not before the first")
		}
		return nil
	})
	c.Long = `Write events to standard output, a line of JSON each.

Each line has the columns of the table: position, stream_id, version, type,
schema_version, payload, metadata, recorded_at. Payload and metadata are text in
a string, byte for byte what was written. Without --until the export ends with
what is the newest event when it begins. An export that was cut short goes on
with --from and the position after its last whole line.`
	cli.Flag(c, &from, "from", "the first `position` (default 1)", cli.Positive[int64])
	cli.Flag(c, &until, "until", "the last `position`", cli.Positive[int64])
	cli.Flag(c, &organization, "org",
		"only the intents and the accounts at providers of the organisation with this `uuid`",
		accounts.ParseOrganizationID)
	return c
}

const applicationsOfSQL = `
SELECT uuid
FROM applications
WHERE organization_uuid = $1
ORDER BY uuid`

// pages reads the events after one position up to another.
type pages func(ctx context.Context, after, upTo int64) ([]eventstore.Recorded, error)

// ownersIn are the fields of every stream's first event that say whose it is (docs/events.md).
var ownersIn = []string{"application", "organization"}

// pagesOf reads all events, or those of one organisation's intents and accounts at providers.
func pagesOf(ctx context.Context, pool *pgxpool.Pool, organization uuid.UUID) (pages, error) {
	log := eventstore.NewReader(pool)
	if organization == uuid.Nil {
		return func(ctx context.Context, after, upTo int64) ([]eventstore.Recorded, error) {
			return log.ReadRange(ctx, after, upTo, exportPage)
		}, nil
	}
	applications, err := postgres.List(ctx, pool, "read applications", pgx.RowTo[uuid.UUID],
		applicationsOfSQL, organization)
	if err != nil {
		return nil, err
	}
	if len(applications) == 0 {
		return nil, fmt.Errorf("organisation %s has no application: %w", organization, ledger.ErrNotFound)
	}
	return func(ctx context.Context, after, upTo int64) ([]eventstore.Recorded, error) {
		return log.ReadRangeStarted(ctx, after, upTo, ownersIn, append(applications, organization))
	}, nil
}

func (p *program) export(ctx context.Context, pool *pgxpool.Pool, from, until int64,
	organization uuid.UUID,
) error {
	head, err := eventstore.NewReader(pool).Head(ctx)
	if err != nil {
		return err
	}
	if until == 0 || until > head {
		until = head
	}
	read, err := pagesOf(ctx, pool, organization)
	if err != nil {
		return err
	}
	bar, total := newProgress(p.Err), max(until-from+1, 0)
	out := bufio.NewWriterSize(p.Out, 1<<16)
	lines, written, at := output.Printer{Out: out, JSON: true}, 0, from-1
	for ; at < until; at = min(at+exportPage, until) {
		events, err := read(ctx, at, min(at+exportPage, until))
		if ctx.Err() != nil {
			return p.exportStopped(written, at)
		}
		if err != nil {
			p.Notef("The output is whole up to position %d; --from %d goes on.", at, at+1)
			return err
		}
		for _, e := range events {
			// The buffer keeps an error and Flush returns it.
			_ = lines.Answer(export.NewLine(e))
		}
		switch err := out.Flush(); {
		case errors.Is(err, syscall.EPIPE):
			return p.exportStopped(written, at) // the reader has had enough
		case err != nil:
			return fmt.Errorf("write after position %d: %w", at, err)
		}
		written += len(events)
		bar.show(min(at+exportPage, until)-from+1, total)
	}
	bar.finish()
	p.Notef("%s written, up to position %s.", count(written, "event", "events"), output.Count(until))
	return nil
}

// exportStopped ends an export that was interrupted. It prints no error, and the exit code
// shows scripts that the output is incomplete.
func (p *program) exportStopped(written int, last int64) error {
	p.Notef("Stopped after %s; --from %d goes on.", count(written, "event", "events"), last+1)
	return cli.ErrReported
}
