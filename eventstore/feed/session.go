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
// which two carry one word. A session sends BEGIN together with the read, and COMMIT
// together with the acknowledgement. So a commit that fails makes the acknowledgement
// fail, which Watermill reports; it would only log the failure of a separate COMMIT.
//
// Watermill uses database/sql. Handlers use the session's connection through pgx.

// BEGIN and COMMIT are prepared under fixed names, by which pgtest.IsCommit recognizes them.
const (
	beginName, beginSQL   = "feed_begin", "begin isolation level read committed"
	commitName, commitSQL = "feed_commit", "commit"
	rollbackSQL           = "rollback"
)

// openDB is the database for Watermill, for one group. Each transaction takes a connection from
// the pool and gives it back. began is called with the session of each transaction.
func openDB(pool *pgxpool.Pool, began func(*session)) *sql.DB {
	db := sql.OpenDB(connector{pool, began})
	db.SetMaxIdleConns(0)
	return db
}

type connector struct {
	pool  *pgxpool.Pool
	began func(*session)
}

// Driver returns none: the pool opens connections.
func (connector) Driver() driver.Driver { return nil }

// Connect takes a connection from the pool.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	pooled, err := c.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	// pgx prepares a name only once for each of the pool's connections.
	for _, end := range [...][2]string{{beginName, beginSQL}, {commitName, commitSQL}} {
		if _, err := pooled.Conn().Prepare(ctx, end[0], end[1]); err != nil {
			pooled.Release()
			return nil, fmt.Errorf("prepare %s: %w", end[1], err)
		}
	}
	return &session{pooled: pooled, conn: pooled.Conn(), began: c.began}, nil
}

// session is one connection with one transaction: database/sql keeps no connection idle.
// It ends the transaction when the feed's context ends, also while a handler is running.
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
	notBegun transactionState = iota // BEGIN is sent with the first statement
	begun                            // nothing is written
	lent                             // a handler writes
	written                          // a handler has written
	ended
)

// transition changes the state of the transaction, and reports whether it was in the state from.
func (s *session) transition(from, to transactionState) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != from {
		return false
	}
	s.state = to
	return true
}

// lend gives the transaction to a handler until takeBack. It fails if the transaction has ended.
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

// Begin is part of the interface and never called.
func (s *session) Begin() (driver.Tx, error) { return nil, errUnexpected }

// Prepare is part of the interface and never called.
func (s *session) Prepare(string) (driver.Stmt, error) { return nil, errUnexpected }

// Close gives the connection back to the pool, which closes it if a transaction is open.
func (s *session) Close() error {
	s.pooled.Release()
	return nil
}

// roundTrip sends two statements in one round trip and passes the results to read.
func (s *session) roundTrip(ctx context.Context, both *pgx.Batch, read func(pgx.BatchResults) error) error {
	results := s.conn.SendBatch(ctx, both)
	err := read(results)
	if closing := results.Close(); err == nil {
		err = closing
	}
	return err
}

// QueryContext begins the transaction and reads the events for the group.
func (s *session) QueryContext(
	ctx context.Context, query string, args []driver.NamedValue,
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
			return err // pgx panics if the columns of such rows are read
		}
		return found.readAll(rows)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// ExecContext acknowledges and commits.
func (s *session) ExecContext(
	ctx context.Context, query string, args []driver.NamedValue,
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

// transaction implements driver.Tx for a session.
type transaction struct{ s *session }

// Commit commits a poll that found nothing. A handler's writes are committed with the
// acknowledgement or not at all: Watermill also commits when the feed ends in the middle.
func (t transaction) Commit() error {
	if t.s.transition(begun, ended) {
		return t.s.end(commitSQL)
	}
	return t.Rollback()
}

// Rollback has nothing to do before the first statement and after an acknowledgement. While a
// handler is running it closes the connection, and PostgreSQL rolls back.
func (t transaction) Rollback() error {
	switch s := t.s; {
	case s.transition(begun, ended), s.transition(written, ended):
		return s.end(rollbackSQL)
	case s.transition(lent, ended):
		return s.pooled.Hijack().PgConn().Conn().Close()
	}
	return nil
}

// end ends the transaction with a statement. If that fails, the connection stays in the
// transaction, and the pool closes it.
func (s *session) end(statement string) error {
	_, err := s.conn.Exec(s.ctx, statement)
	return err
}

// readRows are rows that were read completely: the results of two statements in one round trip
// have to be read before the next statement.
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
