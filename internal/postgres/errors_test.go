package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestClassifyTable(t *testing.T) {
	t.Parallel()
	state := func(code string) error {
		return fmt.Errorf("append events: %w", &pgconn.PgError{Code: code, Message: "deadlock detected"})
	}
	for name, c := range map[string]struct {
		err  error
		want postgres.Kind
	}{
		"nil":                       {nil, postgres.None},
		"connection failure":        {state("08006"), postgres.Unavailable},
		"admin shutdown":            {state("57P01"), postgres.Unavailable},
		"crash shutdown":            {state("57P02"), postgres.Unavailable},
		"cannot connect now":        {state("57P03"), postgres.Unavailable},
		"disk full":                 {state("53100"), postgres.Unavailable},
		"too many connections":      {state("53300"), postgres.Unavailable},
		"I/O error":                 {state("58030"), postgres.Unavailable},
		"standby":                   {state("25006"), postgres.Unavailable},
		"idle in transaction":       {state("25P03"), postgres.Unavailable},
		"serialization":             {state("40001"), postgres.Retryable},
		"deadlock":                  {state("40P01"), postgres.Retryable},
		"lock not available":        {state("55P03"), postgres.Retryable},
		"value too large":           {state("22003"), postgres.BadData},
		"unique":                    {state("23505"), postgres.BadData},
		"statement timeout":         {state("57014"), postgres.Canceled},
		"no table":                  {state("42P01"), postgres.OutOfDate},
		"no column":                 {state("42703"), postgres.OutOfDate},
		"no function":               {state("42883"), postgres.OutOfDate},
		"no rights":                 {state("42501"), postgres.Other},
		"syntax":                    {state("42601"), postgres.Other},
		"empty code":                {state(""), postgres.Other},
		"context canceled":          {fmt.Errorf("get: %w", context.Canceled), postgres.Canceled},
		"deadline":                  {context.DeadlineExceeded, postgres.Canceled},
		"end of file":               {io.EOF, postgres.Unavailable},
		"cut in a message":          {fmt.Errorf("read: %w", io.ErrUnexpectedEOF), postgres.Unavailable},
		"closed socket":             {net.ErrClosed, postgres.Unavailable},
		"reset":                     {&net.OpError{Op: "read", Err: syscall.ECONNRESET}, postgres.Unavailable},
		"closed by the driver":      {fmt.Errorf("exec: %w", pgconn.ErrConnClosed), postgres.Unavailable},
		"no rows":                   {pgx.ErrNoRows, postgres.Other},
		"text proves nothing":       {errors.New("FATAL: deadlock detected (SQLSTATE 40P01)"), postgres.Other},
		"joined with a plain error": {errors.Join(errors.New("close"), state("40001")), postgres.Retryable},
	} {
		if got := postgres.Classify(c.err); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The same with errors of a real server and of the driver.
func TestClassifyRealErrors(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	pool := db.OwnerPool(t)
	exec := func(sql string) error { _, err := pool.Exec(t.Context(), sql); return err }
	if err := exec(`CREATE TABLE notes (n int CONSTRAINT notes_n_positive CHECK (n > 0))`); err != nil {
		t.Fatal(err)
	}
	refused := exec(`INSERT INTO notes VALUES (0)`)
	if got := postgres.ConstraintName(refused); got != "notes_n_positive" {
		t.Errorf("constraint %q, want notes_n_positive", got)
	}
	if got := postgres.ConstraintName(io.EOF); got != "" {
		t.Errorf("constraint of a broken connection: %q", got)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, errCanceled := pool.Exec(canceled, `SELECT 1`)
	closed := pgtest.Open(t, db.URL(), postgres.Options{})
	closed.Close()
	_, errClosed := closed.Exec(t.Context(), `SELECT 1`)
	_, errPort := postgres.Open(t.Context(), "postgres://daftar:pw@127.0.0.1:1/daftar", postgres.Options{})
	_, errDatabase := postgres.Open(t.Context(), db.URL()+"&dbname=none_such", postgres.Options{})
	slow := pgtest.Open(t, db.URL(), postgres.Options{StatementTimeout: time.Second})
	_, errSlow := slow.Exec(t.Context(), `SELECT pg_sleep(10)`)

	for name, c := range map[string]struct {
		err  error
		want postgres.Kind
	}{
		"check constraint":  {refused, postgres.BadData},
		"division by zero":  {exec(`SELECT 1 / 0`), postgres.BadData},
		"missing table":     {exec(`SELECT FROM nowhere`), postgres.OutOfDate},
		"missing column":    {exec(`SELECT absent FROM notes`), postgres.OutOfDate},
		"session ended":     {exec(`SELECT pg_terminate_backend(pg_backend_pid())`), postgres.Unavailable},
		"canceled":          {errCanceled, postgres.Canceled},
		"statement timeout": {errSlow, postgres.Canceled},
		"closed pool":       {errClosed, postgres.Unavailable},
		"nothing listens":   {errPort, postgres.Unavailable},
		"no such database":  {errDatabase, postgres.Unavailable},
	} {
		if got := postgres.Classify(c.err); got != c.want {
			t.Errorf("%s: %v is %v, want %v", name, c.err, got, c.want)
		}
	}
}
