package feed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/failpoint"
	"daftar/internal/postgres"
	"daftar/internal/worker"
)

const (
	// tries is how often a batch is tried before it is bisected, and a single event before
	// the group's Policy applies.
	tries = 3
	// retryPause is the pause between tries; it grows with each.
	retryPause = 20 * time.Millisecond
	maxReason  = 1000 // bytes of the stored reason
)

var errNoTransaction = errors.New("feed: message without a transaction")

// haltError says that the group stops before an event.
type haltError struct {
	position int64
	reason   string
}

func (h *haltError) Error() string { return "feed: halted: " + h.reason }

// transactional is the outermost middleware. It passes the batch on, whole or in
// parts, and always acknowledges: Watermill would repeat a nacked message in the
// same transaction, even an aborted one, and block the group meanwhile. A batch
// that must be repeated is rolled back here instead. Its acknowledgement then fails
// for lack of a transaction, and the subscriber reads the batch again.
//
// A batch is first handled without a savepoint, which costs two round trips and is useful
// only if the handler fails. If it fails, everything is rolled back, and the batch
// is handled again at once, within savepoints.
func (g *group) transactional(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		tx, ok := watermillsql.TxFromContext(msg.Context())
		if !ok {
			return nil, errNoTransaction // nothing can have been written
		}
		if err := g.process(msg, next); err != nil {
			g.setFailure(err)
			_ = tx.Rollback() // fails if the connection was lost: then it is rolled back already
		}
		return nil, nil
	}
}

// process handles a batch. After nil the transaction can be committed.
func (g *group) process(msg *message.Message, next message.HandlerFunc) error {
	d := g.delivery()
	s := g.session
	tx, err := s.lend()
	if err != nil {
		return err
	}
	defer s.takeBack()
	b := &batch{g: g, ctx: msg.Context(), tx: tx, next: next, released: d.released}
	err = b.handle(d.events)
	done, halted := d.last(), ""
	if stop, is := errors.AsType[*haltError](err); is {
		done, halted, err = stop.position-1, stop.reason, nil
	}
	if err == nil && d.released {
		err = b.removeParked(d.events)
	}
	if err != nil {
		return err
	}
	failpoint.Here("feed_before_ack")
	g.finish(done, halted)
	g.metrics.batches.WithLabelValues(g.Name).Inc()
	g.metrics.events.WithLabelValues(g.Name).Add(float64(len(d.events)))
	return nil
}

// batch is a batch that is being handled.
type batch struct {
	g        *group
	ctx      context.Context // of the batch's message
	tx       pgx.Tx
	next     message.HandlerFunc
	released bool
}

// handle calls the handler with the events: once, or, after a failure, as often as it takes to
// find the one that fails.
func (b *batch) handle(events []eventstore.Recorded) error {
	if !b.g.usesSavepoints() {
		return b.try(events)
	}
	err := b.tryRepeatedly(events)
	if err != nil && !isTransient(err) {
		err = b.bisect(events, err)
	}
	return err
}

// task holds the arguments of a call of the handler.
type task struct {
	tx     pgx.Tx
	events []eventstore.Recorded
}

// taskKey is the key of the task in a message's context.
type taskKey struct{}

func taskOf(msg *message.Message) task {
	t, _ := msg.Context().Value(taskKey{}).(task) // set by try
	return t
}

// try calls the handler once.
func (b *batch) try(events []eventstore.Recorded) error {
	msg := b.g.message(events)
	msg.SetContext(context.WithValue(b.ctx, taskKey{}, task{b.tx, events}))
	if len(events) == 1 {
		if id := correlation(events[0]); id != "" {
			middleware.SetCorrelationID(id, msg)
		}
	}
	_, err := b.next(msg)
	if err != nil && b.ctx.Err() == nil {
		b.g.metrics.failures.WithLabelValues(b.g.Name).Inc()
	}
	return err
}

// tryRepeatedly calls the handler until it succeeds, a few times at most.
func (b *batch) tryRepeatedly(events []eventstore.Recorded) error {
	var err error
	for n := range tries {
		if n > 0 && !worker.Sleep(b.ctx, time.Duration(n)*retryPause) {
			return err
		}
		if err = b.try(events); err == nil || isMarkedTransient(err) {
			return err
		}
	}
	return err
}

// bisect handles events that failed together in halves, in their order, so that
// in the end the one that fails is alone. err is why they failed.
func (b *batch) bisect(events []eventstore.Recorded, err error) error {
	if len(events) == 1 {
		return b.applyPolicy(events[0], err)
	}
	half := len(events) / 2
	for _, part := range [][]eventstore.Recorded{events[:half], events[half:]} {
		try := b.try
		if len(part) == 1 {
			try = b.tryRepeatedly
		}
		err := try(part)
		if err != nil && !isTransient(err) {
			err = b.bisect(part, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const parkSQL = `
INSERT INTO parked_events AS p (consumer_group, position, reason, attempts, parked_at)
VALUES ($1, $2, $3, $4, clock_timestamp())
ON CONFLICT (consumer_group, position) DO UPDATE
SET reason = excluded.reason, attempts = p.attempts + excluded.attempts,
    parked_at = excluded.parked_at, released_at = NULL`

// applyPolicy parks an event that keeps failing alone, or halts the group before it.
// A timeout says nothing about the event.
func (b *batch) applyPolicy(e eventstore.Recorded, err error) error {
	if postgres.Classify(err) == postgres.Canceled || b.ctx.Err() != nil {
		return err
	}
	log := b.g.log.Error().Err(err).
		Int64("position", e.Position).
		Str("type", e.Type).
		Str("correlation_id", correlation(e))
	if b.g.OnFailure == Halt && !b.released {
		log.Msg("feed: group halted, an event keeps failing")
		return &haltError{e.Position, reason(err)}
	}
	if _, err := b.tx.Exec(b.ctx, parkSQL, b.g.Name, e.Position, reason(err), tries); err != nil {
		return Transient(fmt.Errorf("park event %d: %w", e.Position, err))
	}
	log.Msg("feed: event parked, it keeps failing")
	return nil
}

const removeParkedSQL = `
DELETE FROM parked_events
WHERE consumer_group = $1
  AND position = ANY($2)
  AND released_at IS NOT NULL`

// removeParked removes released events from the list; those that failed again are
// no longer released.
func (b *batch) removeParked(events []eventstore.Recorded) error {
	positions := make([]int64, len(events))
	for n, e := range events {
		positions[n] = e.Position
	}
	if _, err := b.tx.Exec(b.ctx, removeParkedSQL, b.g.Name, positions); err != nil {
		return fmt.Errorf("remove parked events: %w", err)
	}
	return nil
}

// isMarkedTransient reports whether the transaction has to be rolled back as a whole: the handler
// marked the error, or a statement failed that the savepoint does not cover.
func isMarkedTransient(err error) bool {
	_, is := errors.AsType[*transientError](err)
	return is
}

// isTransient reports whether an error has nothing to do with the events.
func isTransient(err error) bool {
	switch postgres.Classify(err) { //nolint:exhaustive // all others may be due to an event
	case postgres.Unavailable, postgres.Retryable, postgres.OutOfDate:
		return true
	}
	return isMarkedTransient(err)
}

// reason is an error as text that PostgreSQL can store. That of a panic has no stack, which is
// in the log.
func reason(err error) string {
	text := err.Error()
	if panicked, ok := errors.AsType[middleware.RecoveredPanicError](err); ok {
		text = fmt.Sprintf("panic: %v", panicked.V)
	}
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "")
	}
	if text == "" {
		return "no reason given"
	}
	return text
}

// After a failure the handler's writes are enclosed by these.
const (
	savepointSQL  = `SAVEPOINT handler`
	releaseToSQL  = `RELEASE SAVEPOINT handler`
	rollBackToSQL = `ROLLBACK TO SAVEPOINT handler`
)

// savepoint undoes the handler's writes when it fails, also when an SQL error has aborted the
// transaction. It does nothing for a batch that is handled without savepoints.
func (g *group) savepoint(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		if !g.usesSavepoints() {
			return next(msg)
		}
		ctx := msg.Context()
		tx := taskOf(msg).tx
		if _, err := tx.Exec(ctx, savepointSQL); err != nil {
			return nil, Transient(fmt.Errorf("set savepoint: %w", err))
		}
		_, err := next(msg)
		if err == nil {
			// It fails if the handler ignored an SQL error.
			_, err = tx.Exec(ctx, releaseToSQL)
		}
		if err == nil {
			return nil, nil
		}
		if _, failed := tx.Exec(ctx, rollBackToSQL); failed != nil {
			return nil, Transient(errors.Join(err, fmt.Errorf("roll back to savepoint: %w", failed)))
		}
		return nil, err
	}
}
