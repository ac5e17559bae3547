package worker

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// SafetyPoll is how often a worker looks for work by itself where Polls looks for it: it finds none, unless
// something is wrong with its question.
const SafetyPoll = time.Minute

// askLimit bounds one round trip of Polls.
const askLimit = 2 * time.Second

// Polls asks a database at every tick what there is to do, for all who Watch, in one round trip: an idle
// server asks once, and not once for each of its queues.
type Polls struct {
	pool  *pgxpool.Pool
	every time.Duration
	turn  chan struct{} // held by the Watch that asks for all

	mu    sync.Mutex
	polls []*poll
}

type poll struct {
	ask    func(*pgx.Batch)
	failed func(error)
}

// NewPolls makes Polls that use one connection of the pool at a time; a tick is as in ToTick.
func NewPolls(pool *pgxpool.Pool, every time.Duration) *Polls {
	return &Polls{pool: pool, every: every, turn: make(chan struct{}, 1)}
}

// Watch asks at every tick until ctx ends. ask adds statements that only read, with the functions that take
// their answers; failed is called if they have no answer, also because ask's statements fail alone. These
// functions return at once; no two of one Watch run at the same time.
func (p *Polls) Watch(ctx context.Context, ask func(*pgx.Batch), failed func(error)) {
	q := &poll{ask, failed}
	p.mu.Lock()
	p.polls = append(p.polls, q)
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.polls = slices.DeleteFunc(p.polls, func(other *poll) bool { return other == q })
	}()
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return
	}
	for Sleep(ctx, ToTick(p.every)) {
		p.askAll(ctx)
	}
}

// askAll asks all questions together. If that fails each is asked alone, so that one that cannot be answered
// keeps no other from its answer.
func (p *Polls) askAll(ctx context.Context) {
	p.mu.Lock()
	all := slices.Clone(p.polls)
	p.mu.Unlock()
	if p.send(ctx, all...) == nil {
		return
	}
	var alone sync.WaitGroup
	for _, q := range all {
		alone.Go(func() {
			if err := p.send(ctx, q); err != nil && ctx.Err() == nil {
				q.failed(err)
			}
		})
	}
	alone.Wait()
}

func (p *Polls) send(ctx context.Context, all ...*poll) error {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	var batch pgx.Batch
	for _, q := range all {
		q.ask(&batch)
	}
	return p.pool.SendBatch(ctx, &batch).Close()
}
