package feed

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"time"

	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v3/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"

	"daftar/eventstore"
	"daftar/internal/worker"
)

const (
	// closeLimit is how long Run waits for handlers; their transactions are rolled
	// back already.
	closeLimit = 1500 * time.Millisecond
	// ackDeadline is so long that it never passes: when it passes, Watermill
	// commits what an unfinished handler has written so far.
	ackDeadline = 10 * 365 * 24 * time.Hour
	// resendInterval is a sleep that nothing interrupts. Nothing is resent, see transactional.
	resendInterval = 10 * time.Millisecond
)

// route runs Watermill's router until ctx ends.
func (f *Feed) route(ctx context.Context) error {
	log := routerLog{log: f.config.Log}
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: closeLimit}, log)
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	var opened []*sql.DB
	defer func() {
		for _, db := range opened {
			_ = db.Close() // the pool stays open; its owner closes it
		}
	}()
	for _, g := range f.groups {
		g.bind(ctx)
		db := openDB(f.config.Pool, g.setSession)
		opened = append(opened, db)
		deadline := ackDeadline
		s, err := watermillsql.NewSubscriber(db, watermillsql.SubscriberConfig{
			ConsumerGroup:  g.Name,
			SchemaAdapter:  adapter{g},
			OffsetsAdapter: adapter{g},
			BackoffManager: g,
			AckDeadline:    &deadline,
			ResendInterval: resendInterval,
		}, log)
		if err != nil {
			return fmt.Errorf("make subscriber of group %s: %w", g.Name, err)
		}
		h := router.AddConsumerHandler(g.Name, topic, &retryingSubscriber{Subscriber: s, g: g}, g.deliver)
		h.AddMiddleware(g.transactional, f.metrics.router.Middleware, g.savepoint, middleware.Recoverer,
			middleware.CorrelationID)
	}
	// Only the end of ctx ends the router. It ends every transaction first, so that the
	// partial writes of a handler cannot be committed while closing.
	if err := router.Run(ctx); err != nil {
		return fmt.Errorf("run router: %w", err)
	}
	return nil
}

// deliver is the innermost handler: it calls the group's Handler with the message's events.
func (g *group) deliver(msg *message.Message) error {
	t := taskOf(msg)
	events := t.events
	others := func(e eventstore.Recorded) bool { return g.Only != nil && !g.Only(e.Type) }
	if slices.ContainsFunc(events, others) {
		events = slices.DeleteFunc(slices.Clone(events), others)
	}
	if len(events) == 0 {
		return nil
	}
	return g.Handle(msg.Context(), t.tx, events)
}

// correlation is the event's correlation id, or the id of its request if it has none.
func correlation(e eventstore.Recorded) string {
	origin, _ := e.Origin() // used for logging only
	return cmp.Or(origin.CorrelationID, origin.RequestID)
}

// retryingSubscriber subscribes once the database is reachable: a group that
// cannot subscribe would end the router with all other groups. The mutex keeps
// Close from racing with Subscribe.
type retryingSubscriber struct {
	*watermillsql.Subscriber
	g  *group
	mu sync.Mutex
}

// Subscribe always returns a channel, a closed one when ctx has ended.
func (s *retryingSubscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	for {
		s.mu.Lock()
		messages, err := s.subscribe(ctx, topic)
		s.mu.Unlock()
		if err == nil {
			return messages, nil
		}
		if ctx.Err() == nil {
			s.g.log.Warn().Err(err).Msg("feed: group not started yet")
		}
		if !worker.Sleep(ctx, s.g.config.Poll) {
			closed := make(chan *message.Message)
			close(closed)
			return closed, nil
		}
	}
}

// subscribe gives a new group its offset. A halted group is tried again: the version of the
// server that starts may have the fix.
func (s *retryingSubscriber) subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	for _, statement := range []string{createOffsetSQL, retryHaltedSQL} {
		if _, err := s.g.config.Pool.Exec(ctx, statement, s.g.Name); err != nil {
			return nil, fmt.Errorf("prepare offset: %w", err)
		}
	}
	return s.Subscriber.Subscribe(ctx, topic)
}

// Close ends the subscription.
func (s *retryingSubscriber) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Subscriber.Close()
}
