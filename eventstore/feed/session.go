package feed

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Watermill begins a transaction, reads, acknowledges and commits: four round trips, of
// which two carry one word. A session sends BEGIN together with what is read, and COMMIT
// together with the acknowledgement. So a commit that fails makes the acknowledgement
// fail, which Watermill reports; of a COMMIT by itself it would only log the failure.
//
// Watermill knows database/sql alone. Handlers use the session's connection as pgx has it.

// The statements at a transaction's ends are prepared under names of their own, by which
// pgtest.IsCommit knows them.
const (
	beginName, beginSQL   = "feed_begin", "begin isolation level read committed"
	commitName, commitSQL = "feed_commit", "commit"
	rollbackSQL           = "rollback"
)

// openDB is the pool for Watermill, for one group. Each transaction takes a connection from
// the pool and gives it back; began learns of it.
func openDB(pool *pgxpool.Pool, began func(*session)) *sql.DB {
	db := sql.OpenDB(connector{pool, began})
	db.SetMaxIdleConns(0)
	return db
}

type connector struct {
	pool  *pgxpool.Pool
	began func(*session)
}

// Driver is none: the pool opens connections.
func (connector) Driver() driver.Driver { return nil }

// Connect takes a connection from the pool.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	pooled, err := c.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	for _, end := range [...][2]string{{beginName, beginSQL},
		{commitName, commitSQL}} { // once for each of the pool's
		if _, err := pooled.Conn().Prepare(ctx, end[0], end[1]); err != nil {
			pooled.Release()
			return nil, fmt.Errorf("prepare %s: %w", end[1], err)
		}
	}
	return &session{pooled: pooled, conn: pooled.Conn(), began: c.began}, nil
}

// session is one connection with one transaction: the pool of database/sql keeps none idle.
// It ends the transaction when the feed's context ends, also while a handler is at work.
type session struct {
	pooled *pgxpool.Conn
	conn   *pgx.Conn
	began  func(*session)
	ctx    context.Context // of the transaction

	mu    sync.Mutex
	state transactionState
}

type transactionState int

const (
	notBegun transactionState = iota // BEGIN goes with the first statement
	begun                            // nothing is written
	lent                             // a handler writes
	written                          // a handler has written
	ended
)

// transition takes the transaction from one state to another, and reports whether it was in the former.
func (s *session) transition(from, to transactionState) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != from {
		return false
	}
	s.state = to
	return true
}

// lend gives the transaction to a handler until takeBack. It fails where the transaction has ended.
func (s *session) lend() (pgx.Tx, error) {
	if !s.transition(begun, lent) {
		return nil, pgx.ErrTxClosed
	}
	return handlerTx{s.conn}, nil
}

func (s *session) takeBack() { s.transition(lent, written) }

// BeginTx sends nothing yet. The level is the one that SubscribeIsolationLevel names.
func (s *session) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	if s.conn.IsClosed() {
		return nil, driver.ErrBadConn
	}
	s.ctx = ctx
	s.began(s)
	return transaction{s}, nil
}

var errUnexpected = errors.New("feed: Watermill does something that it did not do before")

// Begin is of the interface.
func (s *session) Begin() (driver.Tx, error) { return nil, errUnexpected }

// Prepare is of the interface.
func (s *session) Prepare(string) (driver.Stmt, error) { return nil, errUnexpected }

// Close gives the connection back to the pool, which closes it where a transaction is open.
func (s *session) Close() error {
	s.pooled.Release()
	return nil
}

// roundTrip sends two statements in one round trip; read gets the results.
func (s *session) roundTrip(ctx context.Context, both *pgx.Batch, read func(pgx.BatchResults) error) error {
	results := s.conn.SendBatch(ctx, both)
	err := read(results)
	if closing := results.Close(); err == nil {
		err = closing
	}
	return err
}

// QueryContext begins the transaction and reads what there is for the group.
func (s *session) QueryContext(ctx context.Context, query string,
	args []driver.NamedValue,
) (driver.Rows, error) {
	if !s.transition(notBegun, begun) {
		return nil, errUnexpected
	}
	var both pgx.Batch
	both.Queue(beginName)
	both.Queue(query, valuesOf(args)...)
	found := &readRows{}
	err := s.roundTrip(ctx, &both, func(results pgx.BatchResults) error {
		if _, err := results.Exec(); err != nil {
			return err
		}
		rows, err := results.Query()
		if err != nil {
			return err // such rows cannot even be asked for their columns: pgx panics
		}
		return found.readAll(rows)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// ExecContext acknowledges and commits.
func (s *session) ExecContext(ctx context.Context, query string,
	args []driver.NamedValue,
) (driver.Result, error) {
	if query != ackSQL || !s.transition(written, ended) {
		return nil, errUnexpected
	}
	var both pgx.Batch
	both.Queue(query, valuesOf(args)...)
	both.Queue(commitName)
	var moved int64
	err := s.roundTrip(ctx, &both, func(results pgx.BatchResults) error {
		tag, err := results.Exec()
		if err != nil {
			return err
		}
		moved = tag.RowsAffected()
		end, err := results.Exec()
		if err == nil && end.String() != "COMMIT" {
			err = pgx.ErrTxCommitRollback
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return driver.RowsAffected(moved), nil
}

func valuesOf(args []driver.NamedValue) []any {
	values := make([]any, len(args))
	for n, a := range args {
		values[n] = a.Value
	}
	return values
}

// transaction is the session's.
type transaction struct{ s *session }

// Commit commits a look that found nothing. What a handler has written is committed with the
// acknowledgement or not at all: Watermill also commits when the feed ends in the middle.
func (t transaction) Commit() error {
	if t.s.transition(begun, ended) {
		return t.s.end(commitSQL)
	}
	return t.Rollback()
}

// Rollback has nothing to do before the first statement and behind an acknowledgement. Under
// a handler that is at work it breaks the connection, and PostgreSQL rolls back.
func (t transaction) Rollback() error {
	switch s := t.s; {
	case s.transition(begun, ended), s.transition(written, ended):
		return s.end(rollbackSQL)
	case s.transition(lent, ended):
		return s.pooled.Hijack().PgConn().Conn().Close()
	}
	return nil
}

// end leaves a connection on which it fails within the transaction: the pool closes it.
func (s *session) end(statement string) error {
	_, err := s.conn.Exec(s.ctx, statement)
	return err
}

// readRows are rows that were read whole: the results of two statements in one round trip
// have to be read before the next one.
type readRows struct {
	columns []string
	rows    [][]any
}

func (r *readRows) readAll(rows pgx.Rows) error {
	defer rows.Close()
	for _, f := range rows.FieldDescriptions() {
		r.columns = append(r.columns, f.Name)
	}
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		r.rows = append(r.rows, values)
	}
	return rows.Err()
}

// Columns are the names of the columns.
func (r *readRows) Columns() []string { return r.columns }

// Close has nothing to do.
func (r *readRows) Close() error { return nil }

// Next gives the next row.
func (r *readRows) Next(dest []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	for n, value := range r.rows[0] {
		dest[n] = value
	}
	r.rows = r.rows[1:]
	return nil
}
