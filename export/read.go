package export

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"daftar/eventstore"
)

// Extent returns the positions of the oldest and the newest event in the stream. The stream's
// limits may have removed the oldest ones; where they removed all, first is last+1. It waits for
// a connection until ctx ends, and creates no stream. Errors say that there is none, or that its
// configuration does not suit the export.
func (x *NATS) Extent(ctx context.Context) (first, last int64, err error) {
	for changes := x.conn.StatusChanged(nats.CONNECTED); !x.conn.IsConnected(); {
		select {
		case <-changes:
		case <-ctx.Done():
			return 0, 0, errConnection
		}
	}
	stream, err := x.stream(ctx)
	if err != nil {
		return 0, 0, err
	}
	info := stream.CachedInfo()
	if wrong := x.config.mismatch(info.Config); wrong != "" {
		return 0, 0, fmt.Errorf("the stream %s %s", x.config.Stream, wrong)
	}
	last = int64(info.State.LastSeq)
	if info.State.Msgs == 0 {
		return last + 1, last, nil
	}
	return int64(info.State.FirstSeq), last, nil
}

// ReadRange reads the events that the stream has after one position up to another, which
// are within Extent. The error for a message that is gone, or that is not the event of its
// position, names the position.
func (x *NATS) ReadRange(ctx context.Context, after, upTo int64) ([]eventstore.Recorded, error) {
	stream, err := x.stream(ctx)
	if err != nil {
		return nil, err
	}
	events := make([]eventstore.Recorded, 0, upTo-after)
	for position := after + 1; position <= upTo; position++ {
		e, err := readEvent(ctx, stream, position)
		if err != nil {
			return nil, fmt.Errorf("read sequence %d of the stream %s: %w", position, x.config.Stream, err)
		}
		events = append(events, e)
	}
	return events, nil
}

func readEvent(ctx context.Context, stream jetstream.Stream, position int64) (eventstore.Recorded, error) {
	message, err := stream.GetMsg(ctx, uint64(position))
	if err != nil {
		return eventstore.Recorded{}, fmt.Errorf("%w: %w", requestError(err), err)
	}
	e, err := Parse(message.Data)
	if err == nil && e.Position != position {
		err = fmt.Errorf("it holds the event of position %d", e.Position)
	}
	return e, err
}
