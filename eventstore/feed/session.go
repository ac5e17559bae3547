package feed

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// Watermill begins a transaction, reads, acknowledges and commits: four round trips, of
// which two carry one word. A session sends BEGIN together with what is read, and COMMIT
// together with the acknowledgement. So a commit that fails makes the acknowledgement
// fail, which Watermill reports; of a COMMIT by itself it would only log the failure.

// The statements at a transaction's ends are prepared under names of their own, by which
// pgtest.IsCommit knows them.
const (
	beginName, beginSQL   = "feed_begin", "begin isolation level read committed"
	commitName, commitSQL = "feed_commit", "commit"
	rollbackSQL           = "rollback"
)

// openDB is the pool for Watermill. Each transaction takes a connection from the pool and
// gives it back.
func openDB(pool *pgxpool.Pool) *sql.DB {
	db := sql.OpenDB(connector{stdlib.GetPoolConnector(pool)})
	db.SetMaxIdleConns(0)
	return db
}

type connector struct{ driver.Connector }

// Connect takes a connection from the pool.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := inner.(*stdlib.Conn)
	if !ok {
		return nil, fmt.Errorf("feed: a connection is a %T", inner)
	}
	for _, end := range [...][2]string{{beginName, beginSQL}, {commitName, commitSQL}} { // once for each of the pool's
		if _, err := conn.Conn().Prepare(ctx, end[0], end[1]); err != nil {
			return nil, errors.Join(fmt.Errorf("prepare %s: %w", end[1], err), conn.Close())
		}
	}
	return &session{Conn: conn}, nil
}

// session is one connection. database/sql uses it for one thing at a time.
type session struct {
	*stdlib.Conn

	ctx   context.Context // of the transaction
	state transactionState
}

type transactionState int

const (
	noTransaction transactionState = iota
	notBegun                       // BEGIN goes with the first statement
	begun
)

// BeginTx sends nothing yet. The level is the one that SubscribeIsolationLevel names.
func (s *session) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	if s.Conn.Conn().IsClosed() {
		return nil, driver.ErrBadConn
	}
	s.ctx, s.state = ctx, notBegun
	return transaction{s}, nil
}

// together sends statements in one round trip; read gets the results.
func (s *session) together(ctx context.Context, both *pgx.Batch, read func(pgx.BatchResults) error) error {
	results := s.Conn.Conn().SendBatch(ctx, both)
	err := read(results)
	if closing := results.Close(); err == nil {
		err = closing
	}
	return err
}

// QueryContext begins the transaction where that is still to be done.
func (s *session) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if s.state != notBegun {
		return s.Conn.QueryContext(ctx, query, args)
	}
	var both pgx.Batch
	both.Queue(beginName)
	both.Queue(query, valuesOf(args)...)
	found := &readRows{}
	s.state = begun
	err := s.together(ctx, &both, func(results pgx.BatchResults) error {
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

// ExecContext commits with the acknowledgement, and begins the transaction where that is
// still to be done.
func (s *session) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if s.state == notBegun {
		if _, err := s.Conn.ExecContext(ctx, beginSQL, nil); err != nil {
			return nil, err
		}
		s.state = begun
	}
	if s.state != begun || query != ackSQL {
		return s.Conn.ExecContext(ctx, query, args)
	}
	var both pgx.Batch
	both.Queue(query, valuesOf(args)...)
	both.Queue(commitName)
	var moved int64
	err := s.together(ctx, &both, func(results pgx.BatchResults) error {
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
	s.state = noTransaction
	return driver.RowsAffected(moved), nil
}

func valuesOf(args []driver.NamedValue) []any {
	values := make([]any, len(args))
	for n, a := range args {
		values[n] = a.Value
	}
	return values
}

// transaction is the session's present one.
type transaction struct{ s *session }

// Commit has nothing to do behind an acknowledgement.
func (t transaction) Commit() error { return t.end(commitSQL) }

// Rollback has nothing to do before the first statement.
func (t transaction) Rollback() error { return t.end(rollbackSQL) }

// end leaves a connection on which it fails within the transaction: the pool closes it.
func (t transaction) end(statement string) error {
	state := t.s.state
	t.s.state = noTransaction
	if state != begun {
		return nil
	}
	tag, err := t.s.Conn.Conn().Exec(t.s.ctx, statement)
	if err == nil && statement == commitSQL && tag.String() != "COMMIT" {
		err = pgx.ErrTxCommitRollback
	}
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
