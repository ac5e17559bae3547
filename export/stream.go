package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go/jetstream"

	"daftar/eventstore"
	"daftar/internal/worker"
)

// window is how long the stream recognises a repeated message by its identity. It
// only saves a request.
const window = 2 * time.Minute

// CreateAfter is the pause before a missing stream is created. A server that is still
// deleting a stream reports that there is none, and then deletes the files of the new one,
// including acknowledged messages (seen with nats-server 2.9.10).
const CreateAfter = 5 * time.Second

// streamConfig is the configuration of a new stream.
func (c Config) streamConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:              c.Stream,
		Subjects:          []string{c.Subjects + ".>"},
		Description:       "The ledger's log: the event at position N is the message at sequence N.",
		Retention:         jetstream.LimitsPolicy,
		Storage:           jetstream.FileStorage,
		Duplicates:        window,
		MaxMsgs:           -1,
		MaxBytes:          -1,
		MaxMsgsPerSubject: -1,
		MaxConsumers:      -1,
		Replicas:          1,
		// A deleted message would be a gap. Limits and purging may remove the oldest.
		DenyDelete:  true,
		AllowDirect: true,
	}
}

// ensureStream creates the stream where there is none, and checks the configuration
// of one that exists. Errors: errConnection, errRefused.
func (x *NATS) ensureStream(ctx context.Context) error {
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
		stream, err = x.createStream(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w: look for the stream %s: %w", requestError(err), x.config.Stream, err)
	}
	if wrong := x.config.mismatch(stream.CachedInfo().Config); wrong != "" {
		return fmt.Errorf("%w: the stream %s %s", errRefused, x.config.Stream, wrong)
	}
	x.verified.Store(true)
	return nil
}

// createStream creates the stream after a pause, in which the deletion of a stream of the same
// name ends. Errors are those of JetStream.
func (x *NATS) createStream(ctx context.Context) (jetstream.Stream, error) {
	x.log.Info().Stringer("after", CreateAfter).Msg("the stream is missing in JetStream, it will be created")
	if !worker.Sleep(ctx, CreateAfter) {
		return nil, ctx.Err()
	}
	stream, err := x.js.CreateStream(ctx, x.config.streamConfig())
	if err == nil {
		x.log.Info().Str("subjects", x.config.Subjects+".>").Msg("stream created in JetStream")
	}
	return stream, err
}

// requestError is errRefused for an answer of NATS, errConnection where none came.
func requestError(err error) error {
	if _, said := errors.AsType[jetstream.JetStreamError](err); said {
		return errRefused
	}
	return errConnection
}

// mismatch is why the configuration of a stream does not suit the export; "": it does.
func (c Config) mismatch(s jetstream.StreamConfig) string {
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

// stream is the stream as it is now.
func (x *NATS) stream(ctx context.Context) (jetstream.Stream, error) {
	stream, err := x.js.Stream(ctx, x.config.Stream)
	if err != nil {
		return nil, fmt.Errorf("%w: ask for the end of the stream: %w", requestError(err), err)
	}
	return stream, nil
}

// refillBatch is how many events fill the stream at a time.
const refillBatch = 1000

// reconcile publishes a batch to a stream that does not end right before it: it
// refills what the stream lacks before the batch, skips what it has already, and
// publishes the rest. The progress of every round remains: when the time is up,
// the next batch continues. Errors are those of send, and the database's.
func (x *NATS) reconcile(ctx context.Context, tx pgx.Tx, batch []outgoing) error {
	first := batch[0].position
	for round := 0; ; round++ {
		stream, err := x.stream(ctx)
		if err != nil {
			return err
		}
		last := int64(stream.CachedInfo().State.LastSeq)
		if last < first-1 {
			if round == 0 {
				x.log.Warn().Int64("end", last).Int64("position", first).
					Msg("the stream lacks events that it had, refilling it from the log")
			}
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < x.config.BatchLimit/3 {
				return fmt.Errorf("%w: at %d, before position %d; refilling goes on", errWrongSequence, last, first)
			}
			if err := x.refill(ctx, tx, last, min(last+refillBatch, first-1)); err != nil {
				return err
			}
			continue
		}
		existing := min(len(batch), int(max(last-first+1, 0)))
		if existing > 0 {
			if err := compare(ctx, stream, batch[:existing]); err != nil {
				return err
			}
			x.metrics.published.Add(float64(existing))
			x.metrics.duplicates.Add(float64(existing))
		}
		if existing == len(batch) {
			return nil
		}
		return x.send(ctx, batch[existing:])
	}
}

// refill publishes the events after one position up to another from the log.
func (x *NATS) refill(ctx context.Context, tx pgx.Tx, after, upTo int64) error {
	events, err := eventstore.NewReader(tx).ReadRange(ctx, after, upTo, refillBatch)
	if err != nil {
		return err
	}
	if int64(len(events)) != upTo-after {
		return fmt.Errorf("%d events lie between positions %d and %d", len(events), after+1, upTo)
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

// compare checks that the stream has the first and the last of the events at their
// positions. Between them it cannot differ: once two histories diverge, every
// later event does. Messages that the stream's limits have removed are skipped.
func compare(ctx context.Context, stream jetstream.Stream, stored []outgoing) error {
	for _, out := range []outgoing{stored[0], stored[len(stored)-1]} {
		if uint64(out.position) < stream.CachedInfo().State.FirstSeq {
			continue
		}
		message, err := stream.GetMsg(ctx, uint64(out.position))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%w: read sequence %d: %w", requestError(err), out.position, err)
		}
		id := message.Header.Get(jetstream.MsgIDHeader)
		if id != out.id() || !bytes.Equal(message.Data, out.msg.Data) {
			return fmt.Errorf("%w: at sequence %d it holds %q, the log has %q there",
				ErrDiverged, out.position, id, out.id())
		}
	}
	return nil
}
