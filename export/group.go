package export

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daftar/eventstore"
	"daftar/eventstore/feed"
)

// GroupName is the name of the group's offset.
const GroupName = "nats"

// Group is the feed's group that publishes the log.
func (x *NATS) Group() feed.Group {
	return feed.Group{Name: GroupName, Handle: x.publish, OnFailure: feed.Halt}
}

// publish sends events to JetStream. A rollback of tx does not undo that; the
// condition on each message makes repeating it safe.
func (x *NATS) publish(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
	if len(events) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, x.config.BatchLimit)
	defer cancel()
	return x.classify(x.publishAll(ctx, tx, events))
}

func (x *NATS) publishAll(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
	if err := x.ensureStream(ctx); err != nil {
		return err
	}
	batch, err := x.prepare(ctx, tx, events)
	if err != nil {
		return err
	}
	err = x.send(ctx, batch)
	if errors.Is(err, errWrongSequence) {
		err = x.reconcile(ctx, tx, batch)
	}
	return err
}

// reasons are the errors of NATS and their reasons in the metrics.
var reasons = []struct {
	err       error
	reason    string
	transient bool // the same batch may succeed later
}{
	{errConnection, "connection", true}, // there is none, it broke, or the answer was late
	{errRefused, "stream", true},        // it is missing, configured in another way, or refuses
	{errWrongSequence, "stream", true},
	{ErrDiverged, "diverged", false},
}

// classify counts an error of NATS, and marks it as transient unless the events caused it.
func (x *NATS) classify(err error) error {
	if err == nil {
		return nil
	}
	x.verified.Store(false) // the stream may be gone: the next batch checks it
	wrapped := fmt.Errorf("publish to NATS: %w", err)
	for _, r := range reasons {
		if !errors.Is(err, r.err) {
			continue
		}
		x.metrics.failures.WithLabelValues(r.reason).Inc()
		if r.transient {
			return feed.Transient(wrapped)
		}
		return wrapped
	}
	return wrapped
}

// prepare makes messages of events.
func (x *NATS) prepare(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) ([]outgoing, error) {
	ownerOf, err := owners(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	batch := make([]outgoing, len(events))
	for n, e := range events {
		subject, err := ownerOf[e.Stream].subject(x.config.Subjects, e.Type)
		if err != nil {
			return nil, fmt.Errorf("position %d: %w", e.Position, err)
		}
		body, err := NewLine(e).Text()
		if err != nil {
			return nil, fmt.Errorf("position %d: %w", e.Position, err)
		}
		batch[n] = outgoing{position: e.Position, msg: x.message(e, subject, body)}
	}
	return batch, nil
}

// message is an event as JetStream stores it. Its identity is the event's, not its
// position's: after a restore another event may have the position.
func (x *NATS) message(e eventstore.Recorded, subject string, body []byte) *nats.Msg {
	msg := nats.NewMsg(subject)
	msg.Data = body
	id := e.Stream.String() + "/" + strconv.Itoa(e.Version)
	for name, value := range map[string]string{
		headerPosition:      strconv.FormatInt(e.Position, 10),
		headerStream:        e.Stream.String(),
		headerVersion:       strconv.Itoa(e.Version),
		headerType:          e.Type,
		headerSchemaVersion: strconv.Itoa(e.SchemaVersion),
		headerRecordedAt:    e.RecordedAt.Format(time.RFC3339Nano),
		headerWatermillID:   id,

		jetstream.MsgIDHeader:           id,
		jetstream.ExpectedStreamHeader:  x.config.Stream,
		jetstream.ExpectedLastSeqHeader: strconv.FormatInt(e.Position-1, 10),
	} {
		msg.Header.Set(name, value)
	}
	return msg
}
