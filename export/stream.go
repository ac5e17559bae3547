package export

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daftar/eventstore"
	"daftar/internal/worker"
)

// window is how long the stream recognises what comes again by its identity. It
// saves asking; nothing depends on it.
const window = 2 * time.Minute

// streamConfig is what a stream is made with.
func (c Config) streamConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: c.Stream, Subjects: []string{c.Subjects + ".>"}, Description: "The ledger's log: the event at position N is the message at sequence N.",
		Retention: jetstream.LimitsPolicy, Storage: jetstream.FileStorage, Duplicates: window,
		MaxMsgs: -1, MaxBytes: -1, MaxMsgsPerSubject: -1, MaxConsumers: -1, Replicas: 1,
		// A message that somebody deletes would be a gap. Limits may let go of the
		// oldest, and purging too.
		DenyDelete: true, AllowDirect: true,
	}
}

// verify makes the stream where there is none, and holds one that is there to what
// the export relies on. Errors: errConnection, errRefused.
func (x *NATS) verify(ctx context.Context) error {
	if !x.conn.IsConnected() {
		if err := x.conn.LastError(); err != nil {
			return fmt.Errorf("%w: %w", errConnection, err)
		}
		return errConnection
	}
	if x.verified.Load() {
		return nil
	}
	stream, err := x.js.Stream(ctx, x.config.Stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = x.makeStream(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w: look for the stream %s: %w", unanswered(err), x.config.Stream, err)
	}
	if wrong := x.config.misfit(stream.CachedInfo().Config); wrong != "" {
		return fmt.Errorf("%w: the stream %s %s", errRefused, x.config.Stream, wrong)
	}
	x.verified.Store(true)
	return nil
}

// makeStream makes the stream once whoever deleted one of its name is surely done.
// Errors: as those of JetStream.
func (x *NATS) makeStream(ctx context.Context) (jetstream.Stream, error) {
	x.log.Info().Stringer("after", x.config.MakeAfter).Msg("the stream is missing in JetStream, it will be made")
	if !worker.Sleep(ctx, x.config.MakeAfter) {
		return nil, ctx.Err()
	}
	stream, err := x.js.CreateStream(ctx, x.config.streamConfig())
	if err == nil {
		x.log.Info().Str("subjects", x.config.Subjects+".>").Msg("stream made in JetStream")
	}
	return stream, err
}

// unanswered is errRefused for what NATS said, errConnection where it said nothing.
func unanswered(err error) error {
	if _, said := errors.AsType[jetstream.JetStreamError](err); said {
		return errRefused
	}
	return errConnection
}

// misfit says what keeps the export from relying on a stream.
func (c Config) misfit(s jetstream.StreamConfig) string {
	switch {
	case !slices.Equal(s.Subjects, []string{c.Subjects + ".>"}):
		return fmt.Sprintf("has the subjects %q and not %s.> alone", s.Subjects, c.Subjects)
	case s.Retention != jetstream.LimitsPolicy:
		return fmt.Sprintf("lets go of messages by %s; its retention must be limits", s.Retention)
	case s.Storage != jetstream.FileStorage:
		return "is kept in memory; its storage must be file"
	case s.NoAck:
		return "does not acknowledge"
	case s.Mirror != nil || len(s.Sources) > 0:
		return "takes messages from another stream"
	}
	return ""
}

// state says where the stream begins and ends.
func (x *NATS) state(ctx context.Context) (jetstream.Stream, jetstream.StreamState, error) {
	stream, err := x.js.Stream(ctx, x.config.Stream)
	if err != nil {
		return nil, jetstream.StreamState{}, fmt.Errorf("%w: ask for the end of the stream: %w", unanswered(err), err)
	}
	return stream, stream.CachedInfo().State, nil
}

const (
	betweenSQL = `
SELECT position, stream_id, version, type, schema_version, payload, metadata, recorded_at
FROM events WHERE position > $1 AND position <= $2 ORDER BY position`
	// fillBatch is how many events fill the stream at a time.
	fillBatch = 1000
)

// settle publishes what could not be appended to the stream where it stands: it
// fills in what the stream lacks before, passes over what it has already, and
// publishes the rest. Each round brings the stream further, and what was filled in
// stays: where the time ends, the next batch goes on. Errors: as those of send, and
// the database's.
func (x *NATS) settle(ctx context.Context, tx *sql.Tx, batch []outgoing) error {
	first := batch[0].position
	for round := 0; ; round++ {
		stream, state, err := x.state(ctx)
		if err != nil {
			return err
		}
		last := int64(state.LastSeq)
		if last < first-1 {
			if round == 0 {
				x.log.Warn().Int64("end", last).Int64("position", first).Msg("the stream lacks events that it had, filling it from the log")
			}
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < x.limit/3 {
				return fmt.Errorf("%w: at %d, before position %d; filling it goes on", errElsewhere, last, first)
			}
			if err := x.fill(ctx, tx, last, min(last+fillBatch, first-1)); err != nil {
				return err
			}
			continue
		}
		there := min(len(batch), int(max(last-first+1, 0)))
		if there > 0 {
			if err := x.compare(ctx, stream, state, batch[:there]); err != nil {
				return err
			}
			x.metrics.published.Add(float64(there))
			x.metrics.duplicates.Add(float64(there))
		}
		if there == len(batch) {
			return nil
		}
		return x.send(ctx, batch[there:])
	}
}

// fill publishes the events after one position up to another from the log.
func (x *NATS) fill(ctx context.Context, tx *sql.Tx, after, upTo int64) error {
	events, err := between(ctx, tx, after, upTo)
	if err != nil {
		return err
	}
	batch, err := x.prepare(ctx, tx, events)
	if err != nil {
		return err
	}
	if err := x.send(ctx, batch); err != nil {
		return err
	}
	x.metrics.refilled.Add(float64(len(batch)))
	return nil
}

func between(ctx context.Context, tx *sql.Tx, after, upTo int64) ([]eventstore.Recorded, error) {
	rows, err := tx.QueryContext(ctx, betweenSQL, after, upTo)
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has what went wrong
	var events []eventstore.Recorded
	for rows.Next() {
		var e eventstore.Recorded
		err := rows.Scan(&e.Position, &e.Stream, &e.Version, &e.Type, &e.SchemaVersion, &e.Payload, &e.Metadata, &e.RecordedAt)
		if err != nil {
			return nil, fmt.Errorf("read events: %w", err)
		}
		e.RecordedAt = e.RecordedAt.UTC()
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	if int64(len(events)) != upTo-after {
		return nil, fmt.Errorf("%d events lie between positions %d and %d", len(events), after+1, upTo)
	}
	return events, nil
}

// compare holds the first and the last of events to the messages at their
// positions. Those between can be no others: from where two histories part, every
// event differs.
func (x *NATS) compare(ctx context.Context, stream jetstream.Stream, state jetstream.StreamState, there []outgoing) error {
	for _, out := range []outgoing{there[0], there[len(there)-1]} {
		if err := x.compareOne(ctx, stream, state, out); err != nil {
			return err
		}
	}
	return nil
}

// compareOne passes over what the stream's limits have let go of.
func (x *NATS) compareOne(ctx context.Context, stream jetstream.Stream, state jetstream.StreamState, out outgoing) error {
	if uint64(out.position) < state.FirstSeq {
		return nil
	}
	there, err := stream.GetMsg(ctx, uint64(out.position))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: read sequence %d: %w", unanswered(err), out.position, err)
	}
	if id := there.Header.Get(jetstream.MsgIDHeader); id != out.msg.UUID || !bytes.Equal(there.Data, out.msg.Payload) {
		return fmt.Errorf("%w: at sequence %d it holds %q, the log has %q there", ErrDiverged, out.position, id, out.msg.UUID)
	}
	return nil
}

// End is the position of the newest event in the stream, 0 where it is empty. It
// waits for a connection until ctx ends, and makes no stream. Errors say that
// there is none, or that it is set up in a way that the export cannot rely on.
func (x *NATS) End(ctx context.Context) (int64, error) {
	for changes := x.conn.StatusChanged(nats.CONNECTED); !x.conn.IsConnected(); {
		select {
		case <-changes:
		case <-ctx.Done():
			return 0, errConnection
		}
	}
	stream, state, err := x.state(ctx)
	if err != nil {
		return 0, err
	}
	if wrong := x.config.misfit(stream.CachedInfo().Config); wrong != "" {
		return 0, fmt.Errorf("the stream %s %s", x.config.Stream, wrong)
	}
	return int64(state.LastSeq), nil
}
