package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
)

// model is a read model of the turnover group during one verification.
type model interface {
	// compare says where the tables differ from a part of the events.
	compare(ctx context.Context, tx pgx.Tx, p part) ([]Drift, error)
	// compareRest is for what is known only after the last part.
	compareRest(ctx context.Context, tx pgx.Tx) ([]Drift, error)
}

// part is what the events of some intents come to: the ids, both ends included,
// and the rows, sorted by intent and version.
type part struct {
	from, upTo uuid.UUID
	entries    []entry
	exceptions []exception
}

// partOf replays whole streams with the function that the group uses.
func partOf(s span) (part, error) {
	p := part{from: s.from, upTo: s.upTo}
	for stream := range streamsIn(s.events) {
		e, exceptions, err := entryOf(stream)
		if err != nil {
			return part{}, err
		}
		p.entries, p.exceptions = append(p.entries, e), append(p.exceptions, exceptions...)
	}
	return p, nil
}

// entryOf replays one stream from its beginning.
func entryOf(stream []eventstore.Recorded) (entry, []exception, error) {
	e := entry{intent: stream[0].Stream}
	var exceptions []exception
	for _, r := range stream {
		x, err := e.apply(r)
		if err != nil {
			return entry{}, nil, err
		}
		if x != nil {
			exceptions = append(exceptions, *x)
		}
	}
	return e, exceptions, nil
}

// verifyModel replays the log up to where the group is. The group's writes and
// its offset commit together, so one snapshot shows both at the same event.
func verifyModel(ctx context.Context, pool *pgxpool.Pool, name string, m model, progress Progress) (Report, error) {
	started := time.Now()
	var report Report
	err := pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, keepTablesSQL[name]); err != nil {
			return err
		}
		var position int64
		if err := tx.QueryRow(ctx, positionSQL, TurnoverGroupName).Scan(&position); err != nil {
			return err
		}
		var err error
		report, err = compareModel(ctx, tx, name, m, position, progress)
		return err
	})
	if err != nil {
		return Report{}, fmt.Errorf("verify %s: %w", name, err)
	}
	report.Seconds = time.Since(started).Seconds()
	return report, nil
}

func compareModel(ctx context.Context, tx pgx.Tx, name string, m model, position int64, progress Progress) (Report, error) {
	report := Report{Name: name, Drift: []Drift{}}
	var err error
	report.Events, err = walk(ctx, eventstore.NewReader(tx), position, progress, func(s span) error {
		p, err := partOf(s)
		if err != nil {
			return err
		}
		found, err := m.compare(ctx, tx, p)
		if err != nil {
			return err
		}
		report.note(found)
		return nil
	})
	if err != nil {
		return Report{}, err
	}
	found, err := m.compareRest(ctx, tx)
	if err != nil {
		return Report{}, err
	}
	report.note(found)
	report.OK = len(report.Drift) == 0
	return report, nil
}
