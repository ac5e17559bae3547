package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
)

// ErrClosed says that Intents takes no more questions.
var ErrClosed = errors.New("intents are closed")

const (
	// lookers is how many queries are under way at a time. Two keep the database
	// busy while the answers of one are handed out.
	lookers = 2
	// maxTogether bounds one query.
	maxTogether = 256
	// lookLimit bounds how long one query may take.
	lookLimit = 8 * time.Second
)

// Intents reads the table. Questions that come while a query is under way are
// asked together in the next one: under load a round trip to the database serves
// many readers, and a lone reader waits for nobody. It is safe for concurrent
// use.
type Intents struct {
	pool      *pgxpool.Pool
	questions chan question
	closing   chan struct{}
	closed    sync.Once
	done      sync.WaitGroup
}

type question struct {
	id     domain.IntentID
	answer chan answer
}

type answer struct {
	Found
	err error
}

// NewIntents reads through the pool, which stays the caller's. Close ends it.
func NewIntents(pool *pgxpool.Pool) *Intents {
	p := &Intents{pool: pool, questions: make(chan question, maxTogether), closing: make(chan struct{})}
	for range lookers {
		p.done.Go(p.look)
	}
	return p
}

// Close ends Intents when the queries under way are answered.
func (p *Intents) Close() {
	p.closed.Do(func() { close(p.closing) })
	p.done.Wait()
}

// Found is what Find saw in one snapshot.
type Found struct {
	Intent Intent
	Exists bool
	// Epoch is the credential epoch that stood when the row was read.
	Epoch int64
}

// Find reads one intent, and in the same glance the epoch that tells whether
// the asker's credential still counts. The query begins after the call, so it
// sees whatever was committed before it.
func (p *Intents) Find(ctx context.Context, id domain.IntentID) (Found, error) {
	q := question{id: id, answer: make(chan answer, 1)}
	select {
	case p.questions <- q:
	case <-ctx.Done():
		return Found{}, fmt.Errorf("find intent: %w", ctx.Err())
	case <-p.closing:
		return Found{}, ErrClosed
	}
	select {
	case a := <-q.answer:
		return a.Found, a.err
	case <-p.closing:
		return Found{}, ErrClosed
	case <-ctx.Done():
		return Found{}, fmt.Errorf("find intent: %w", ctx.Err())
	}
}

// look answers questions until Close.
func (p *Intents) look() {
	for {
		select {
		case <-p.closing:
			return
		case q := <-p.questions:
			p.answer(p.gather(q))
		}
	}
}

// gather adds the questions that wait at this moment.
func (p *Intents) gather(first question) []question {
	together := []question{first}
	for len(together) < maxTogether {
		select {
		case q := <-p.questions:
			together = append(together, q)
		default:
			return together
		}
	}
	return together
}

// The epoch comes with every row, and alone where no row is found.
var findIntentsSQL = `SELECT c.epoch, ` + intentColumns.list("i.") + ` FROM credential_epoch c LEFT JOIN intents i ON i.uuid = ANY($1)`

func (p *Intents) answer(questions []question) {
	ctx, cancel := context.WithTimeout(context.Background(), lookLimit)
	defer cancel()
	found, epoch, err := p.findAll(ctx, questions)
	for _, q := range questions {
		if err != nil {
			q.answer <- answer{err: fmt.Errorf("find intent: %w", err)}
			continue
		}
		i, exists := found[q.id]
		q.answer <- answer{Found: Found{Intent: i, Exists: exists, Epoch: epoch}}
	}
}

func (p *Intents) findAll(ctx context.Context, questions []question) (map[domain.IntentID]Intent, int64, error) {
	ids := make([][16]byte, len(questions))
	for n, q := range questions {
		ids[n] = q.id
	}
	rows, err := p.pool.Query(ctx, findIntentsSQL, ids)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	found := make(map[domain.IntentID]Intent, len(ids))
	var epoch int64
	for rows.Next() {
		if rows.RawValues()[1] == nil {
			err = scanFirst(rows, &epoch)
		} else {
			var i Intent
			i, err = scanIntent(rows, &epoch)
			found[i.ID] = i
		}
		if err != nil {
			return nil, 0, err
		}
	}
	return found, epoch, rows.Err()
}
