package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"daftar/internal/postgres/primary"
)

// Kind is what an error of the database means to its caller.
type Kind int

// The kinds. After Unavailable or Canceled at a commit it is unknown whether the
// work was done: read, never guess.
const (
	// None is the kind of a nil error.
	None Kind = iota
	// Unavailable: the server is out of reach, starting, stopping, out of
	// resources or read-only, or the connection broke.
	Unavailable
	// Retryable: nothing was done, because of concurrent transactions; the same
	// transaction may succeed when it is run again.
	Retryable
	// BadData: the server refuses the values (class 22) or a constraint does
	// (class 23, see ConstraintName).
	BadData
	// Canceled: the caller's context ended, or the statement timed out.
	Canceled
	// OutOfDate: a table, column, function or schema is missing; the schema is
	// not the one that this binary needs.
	OutOfDate
	// Other is everything else: a defect of this program.
	Other
)

var kindNames = [...]string{
	None:        "none",
	Unavailable: "unavailable",
	Retryable:   "retryable",
	BadData:     "bad data",
	Canceled:    "canceled",
	OutOfDate:   "schema out of date",
	Other:       "other",
}

// String names the kind, for messages.
func (k Kind) String() string { return kindNames[k] }

// Classify returns what an error of a query, a commit, a pool or a connection means.
// It uses types and SQLSTATE, never text.
func Classify(err error) Kind {
	if err == nil {
		return None
	}
	// A server that refuses a connection for any reason (wrong password, no such
	// database, too many clients) is out of reach. So is one after a connect timeout:
	// that is ours, although it looks like a deadline of the caller.
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		if errors.Is(err, context.Canceled) {
			return Canceled
		}
		return Unavailable
	}
	if server, ok := errors.AsType[*pgconn.PgError](err); ok {
		return kindOfState(server.Code)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Canceled
	}
	if connectionBroke(err) {
		return Unavailable
	}
	return Other
}

// kindOfState is the table of SQLSTATEs; PostgreSQL's documentation, appendix A.
func kindOfState(code string) Kind {
	switch code {
	case "40001", // serialization_failure
		"40P01", // deadlock_detected
		"55P03": // lock_not_available
		return Retryable
	case "57014": // query_canceled, statement_timeout too
		return Canceled
	case "57P01", // admin_shutdown
		"57P02", // crash_shutdown
		"57P03", // cannot_connect_now
		"57P04", // database_dropped
		"57P05", // idle_session_timeout
		"25P03", // idle_in_transaction_session_timeout: the session was ended
		"25P04", // transaction_timeout: the session was ended
		"25006": // read_only_sql_transaction: we talk to a standby
		return Unavailable
	case "42P01", // undefined_table
		"42703", // undefined_column
		"42883", // undefined_function
		"3F000": // invalid_schema_name
		return OutOfDate
	}
	if len(code) < 2 {
		return Other
	}
	switch code[:2] {
	case "08", // connection exceptions
		"53", // insufficient resources: disk, memory, connections
		"58": // system errors outside PostgreSQL: I/O
		return Unavailable
	case "22", "23":
		return BadData
	}
	return Other
}

func connectionBroke(err error) bool {
	for _, broken := range []error{
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, pgconn.ErrConnClosed,
		puddle.ErrClosedPool, errDoubtfulCommit, primary.ErrOld, ErrBehind,
	} {
		if errors.Is(err, broken) {
			return true
		}
	}
	_, network := errors.AsType[net.Error](err)
	return network
}

// RefusedWrite says why the server refuses a write, if it would refuse every other write, too. It is
// empty after success, if a repetition or other values may succeed, and if the connection broke.
func RefusedWrite(err error) string {
	server, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || server.SeverityUnlocalized != "ERROR" {
		return ""
	}
	switch kindOfState(server.Code) {
	case Retryable, BadData, Canceled:
		return ""
	}
	why := "it refuses them; the log has its words"
	switch {
	case server.Code == "53100": // disk_full
		why = "its disk is full"
	case server.Code == "25006": // read_only_sql_transaction
		why = "it is read-only"
	case server.Code == "42501": // insufficient_privilege
		why = "a right is missing; daftar doctor names it"
	case strings.HasPrefix(server.Code, "58"):
		why = "it cannot read or write its files"
	}
	return why + " (SQLSTATE " + server.Code + ")"
}

// IsDenied reports whether the server refused because of missing rights.
func IsDenied(err error) bool {
	server, ok := errors.AsType[*pgconn.PgError](err)
	return ok && server.Code == "42501" // insufficient_privilege
}

// ConstraintName returns the constraint that refused a row, "" if err is not
// about one.
func ConstraintName(err error) string {
	if server, ok := errors.AsType[*pgconn.PgError](err); ok {
		return server.ConstraintName
	}
	return ""
}
