package feed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"

	"daftar/internal/failpoint"
	"daftar/internal/postgres"
	"daftar/internal/worker"
)

const (
	// tries of a batch before it is bisected, and of a single event before the group's
	// Policy applies.
	tries = 3
	// retryPause is between tries; it grows with each.
	retryPause = 20 * time.Millisecond
	maxReason  = 1000 // bytes of the reason stored
)

var (
	errNoTransaction = errors.New("feed: message without a transaction")
	errHalted        = errors.New("feed: halted")
)

// lostTransaction is an error after which the transaction cannot go on.
type lostTransaction struct{ error }

func (l *lostTransaction) Unwrap() error { return l.error }

func isLost(err error) bool {
	_, is := errors.AsType[*lostTransaction](err)
	return is
}

func isLater(err error) bool {
	_, is := errors.AsType[*laterError](err)
	return is
}

// transactional is the outermost middleware. It passes the batch on, whole or in
// parts, and always acknowledges: Watermill would repeat a nacked message in the
// same transaction, even an aborted one, and block the group meanwhile. A batch
// that must come again is rolled back here instead. Its acknowledgement then fails
// for lack of a transaction, and the subscriber reads the batch again.
func (g *group) transactional(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		tx, ok := watermillsql.TxFromContext(msg.Context())
		if !ok {
			return nil, errNoTransaction // nothing can have been written
		}
		if err := g.process(msg, tx, next); err != nil {
			g.abandon(err)
			_ = tx.Rollback() // fails if it was lost: then it is rolled back already
		}
		return nil, nil
	}
}

// process handles a batch. After nil the transaction can be committed.
func (g *group) process(msg *message.Message, tx *sql.Tx, next message.HandlerFunc) error {
	events, err := decodeEvents(msg.Payload)
	if err != nil {
		return err
	}
	d := g.delivery()
	b := &batch{g: g, msg: msg, tx: tx, next: next, released: d.released}
	err = b.tryRepeatedly(events)
	if err != nil && !isTransient(err) {
		err = b.bisect(events, err)
	}
	done, halted := d.last, ""
	if errors.Is(err, errHalted) {
		done, halted, err = b.haltedAt-1, b.reason, nil
	}
	if err == nil && d.released {
		err = b.removeParked(events)
	}
	if err != nil {
		return err
	}
	failpoint.Here("feed_before_ack")
	g.finish(done, halted)
	g.metrics.batches.WithLabelValues(g.name).Inc()
	g.metrics.events.WithLabelValues(g.name).Add(float64(len(events)))
	return nil
}

// batch is a batch being handled.
type batch struct {
	g        *group
	msg      *message.Message
	tx       *sql.Tx
	next     message.HandlerFunc
	released bool

	haltedAt int64
	reason   string
}

// eventsKey is the key of the decoded events in a message's context.
type eventsKey struct{}

// try calls the handler once.
func (b *batch) try(events []event) error {
	first, last := events[0], events[len(events)-1]
	msg := message.NewMessage(fmt.Sprintf("%s/%d-%d", b.g.name, first.Position, last.Position), joinFrames(events))
	msg.SetContext(context.WithValue(b.msg.Context(), eventsKey{}, events))
	if len(events) == 1 {
		if id := correlation(first.Recorded); id != "" {
			middleware.SetCorrelationID(id, msg)
		}
	}
	_, err := b.next(msg)
	if err != nil && b.msg.Context().Err() == nil {
		b.g.metrics.failures.WithLabelValues(b.g.name).Inc()
	}
	return err
}

// tryRepeatedly calls the handler until it succeeds, a few times at most.
func (b *batch) tryRepeatedly(events []event) error {
	var err error
	for n := range tries {
		if n > 0 && !worker.Sleep(b.msg.Context(), time.Duration(n)*retryPause) {
			return err
		}
		if err = b.try(events); err == nil || isLost(err) || isLater(err) {
			return err
		}
	}
	return err
}

// bisect handles events that failed together in halves, in their order, so that
// in the end the one that fails stands alone. err is why they failed.
func (b *batch) bisect(events []event, err error) error {
	if len(events) == 1 {
		return b.applyPolicy(events[0], err)
	}
	half := len(events) / 2
	for _, part := range [][]event{events[:half], events[half:]} {
		try := b.try
		if len(part) == 1 {
			try = b.tryRepeatedly
		}
		err := try(part)
		if err == nil {
			continue
		}
		if isTransient(err) {
			return err
		}
		if err := b.bisect(part, err); err != nil {
			return err
		}
	}
	return nil
}

const parkSQL = `
INSERT INTO parked_events AS p (consumer_group, position, reason, attempts, parked_at)
VALUES ($1, $2, $3, $4, clock_timestamp())
ON CONFLICT (consumer_group, position) DO UPDATE
SET reason = excluded.reason, attempts = p.attempts + excluded.attempts, parked_at = excluded.parked_at, released_at = NULL`

// applyPolicy parks an event that keeps failing alone, or halts the group before it.
// A timeout says nothing about the event.
func (b *batch) applyPolicy(e event, err error) error {
	if postgres.Classify(err) == postgres.Cancelled || b.msg.Context().Err() != nil {
		return err
	}
	log := b.g.log.Error().Err(err).Int64("position", e.Position).Str("type", e.Type).Str("correlation_id", correlation(e.Recorded))
	if b.g.policy == Halt && !b.released {
		log.Msg("feed: group halted, an event keeps failing")
		b.haltedAt, b.reason = e.Position, reason(err)
		return errHalted
	}
	ctx := b.msg.Context()
	if _, err := b.tx.ExecContext(ctx, parkSQL, b.g.name, e.Position, reason(err), tries); err != nil {
		return &lostTransaction{fmt.Errorf("park event %d: %w", e.Position, err)}
	}
	log.Msg("feed: event parked, it keeps failing")
	return nil
}

const removeParkedSQL = `
DELETE FROM parked_events WHERE consumer_group = $1 AND position = ANY($2) AND released_at IS NOT NULL`

// removeParked removes released events from the list; those that failed again are
// no longer released.
func (b *batch) removeParked(events []event) error {
	positions := make([]int64, len(events))
	for n, e := range events {
		positions[n] = e.Position
	}
	if _, err := b.tx.ExecContext(b.msg.Context(), removeParkedSQL, b.g.name, positions); err != nil {
		return fmt.Errorf("remove parked events: %w", err)
	}
	return nil
}

// isTransient says whether an error has nothing to do with the events.
func isTransient(err error) bool {
	if isLost(err) || isLater(err) {
		return true
	}
	switch postgres.Classify(err) {
	case postgres.Unavailable, postgres.Retryable, postgres.OutOfDate:
		return true
	case postgres.None, postgres.BadData, postgres.Cancelled, postgres.Other:
		return false
	}
	panic("feed: unknown kind of error")
}

// reason is an error as text that PostgreSQL can keep.
func reason(err error) string {
	text := err.Error()
	if panicked, ok := errors.AsType[middleware.RecoveredPanicError](err); ok { // without the stack, which is in the log
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

// The handler's writes lie between these.
const (
	savepointSQL  = `SAVEPOINT handler`
	releaseToSQL  = `RELEASE SAVEPOINT handler`
	rollBackToSQL = `ROLLBACK TO SAVEPOINT handler`
)

// savepoint undoes what the handler wrote when it fails, also when an SQL error
// has aborted the transaction.
func savepoint(next message.HandlerFunc) message.HandlerFunc {
	return func(msg *message.Message) ([]*message.Message, error) {
		ctx := msg.Context()
		tx, ok := watermillsql.TxFromContext(ctx)
		if !ok {
			return nil, errNoTransaction
		}
		if _, err := tx.ExecContext(ctx, savepointSQL); err != nil {
			return nil, &lostTransaction{fmt.Errorf("set savepoint: %w", err)}
		}
		_, err := next(msg)
		if err == nil {
			// It fails where the handler kept an SQL error to itself.
			_, err = tx.ExecContext(ctx, releaseToSQL)
		}
		if err == nil {
			return nil, nil
		}
		if failed := rollBackToSavepoint(ctx, tx); failed != nil {
			return nil, &lostTransaction{errors.Join(err, failed)}
		}
		return nil, err
	}
}

func rollBackToSavepoint(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, rollBackToSQL); err != nil {
		return fmt.Errorf("roll back to savepoint: %w", err)
	}
	return nil
}
