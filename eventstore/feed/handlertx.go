package feed

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// connection is embedded under this name, as pgx.Tx has a method Conn.
type connection = pgx.Conn

// handlerTx is the transaction that a handler gets: the connection, on which the feed begins
// and ends the transaction.
type handlerTx struct{ *connection }

var errFeedsTransaction = errors.New("feed: a handler neither begins nor ends a transaction")

// Begin fails.
func (handlerTx) Begin(context.Context) (pgx.Tx, error) { return nil, errFeedsTransaction }

// Commit fails.
func (handlerTx) Commit(context.Context) error { return errFeedsTransaction }

// Rollback fails.
func (handlerTx) Rollback(context.Context) error { return errFeedsTransaction }

// LargeObjects panics: events have none.
func (handlerTx) LargeObjects() pgx.LargeObjects { panic(errFeedsTransaction) }

// Conn is the connection.
func (t handlerTx) Conn() *pgx.Conn { return t.connection }
