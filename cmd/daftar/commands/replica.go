package commands

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/internal/output"
	"daftar/internal/postgres"
)

// catchUpLimit is how long a command waits for a standby to have what the primary has.
const catchUpLimit = 30 * time.Second

// onReplica is onDatabase for commands that read the whole log. They read it from the
// standby, if there is one, so that the primary keeps its disk and its memory for requests.
// The standby first has to have everything that was there when the command began.
func (p *program) onReplica(o postgres.Options, do work, required ...string) cli.Action {
	return p.configured(func(ctx context.Context, s session) error {
		if s.ReadURL == "" {
			return s.onPool(ctx, s.DatabaseURL, o, do)
		}
		o.MayBeLate = true
		return s.onPool(ctx, s.ReadURL, o, func(ctx context.Context, s session) error {
			if err := p.catchUp(ctx, s); err != nil {
				return err
			}
			return do(ctx, s)
		})
	}, append(required, "DAFTAR_DATABASE_URL")...)
}

const lastReplayedSQL = `SELECT pg_last_xact_replay_timestamp()`

// catchUp waits until the standby has what the primary has, and prints how far it was behind.
func (p *program) catchUp(ctx context.Context, s session) error {
	behind, err := behindPrimary(ctx, s, catchUpLimit)
	switch {
	case errors.Is(err, postgres.ErrNoStandby):
		p.Notef("DAFTAR_DATABASE_READ_URL leads to a primary: " +
			"what is read is up to date, and keeps the primary busy.")
	case errors.Is(err, postgres.ErrBehind):
		return fmt.Errorf("%w; try again later, or without DAFTAR_DATABASE_READ_URL", err)
	case postgres.Classify(err) == postgres.Unavailable:
		last, err := postgres.Find(ctx, s.pool, "ask how far the standby is", nil,
			pgx.RowTo[*time.Time], lastReplayedSQL)
		if err != nil {
			return err
		}
		when := "a time before it was started"
		if last != nil {
			when = last.UTC().Format("2006-01-02 15:04:05 UTC")
		}
		p.Notef("Read from a standby. How far it is behind is not known, "+
			"because the primary is out of reach; the last change that it has is of %s.", when)
	case err != nil:
		return err
	case behind == 0:
		p.Notef("Read from a standby that was not behind.")
	default:
		p.Notef("Read from a standby that was %s bytes of the log behind, and has caught up with them.",
			output.Count(behind))
	}
	return nil
}

// behindPrimary waits until the standby, on which the session is, has what the primary has, and
// returns how many bytes of the log it was behind. An error that is Unavailable and not ErrBehind
// is the primary's.
func behindPrimary(ctx context.Context, s session, limit time.Duration) (int64, error) {
	primary, err := postgres.Open(ctx, s.DatabaseURL,
		postgres.Options{ApplicationName: "daftar command", MaxConns: 1})
	if err != nil {
		return 0, err
	}
	defer primary.Close()
	if err := postgres.SameCluster(ctx, s.pool, primary); errors.Is(err, postgres.ErrOtherCluster) {
		return 0, config.Errorf("DAFTAR_DATABASE_READ_URL: %w", err)
	} else if err != nil {
		return 0, err
	}
	return postgres.CatchUp(ctx, s.pool, primary, limit)
}
