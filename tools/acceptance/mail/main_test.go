package mail_test

import (
	"context"
	netmail "net/mail"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/internal/logtest"
	"daftar/internal/mail"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/sealing"
	"daftar/tools/acceptance/smtptest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// noon is the time at which the tests begin.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is a queue of mails, with a clock that only the test moves.
type world struct {
	t    *testing.T
	pool *pgxpool.Pool
	key  sealing.Key
	now  atomic.Pointer[time.Time]
	log  logtest.Log
}

func newWorld(t *testing.T) *world {
	t.Helper()
	key, err := sealing.Parse(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, pool: pgtest.Database(t).Pool(t), key: key}
	w.set(noon)
	return w
}

func (w *world) set(at time.Time) { w.now.Store(&at) }

func (w *world) later(d time.Duration) { w.set(w.now.Load().Add(d)) }

func settings(server *smtptest.Server) mail.Settings {
	return mail.Settings{
		Server: server.Address, InClear: server.Roots == nil, Roots: server.Roots,
		From: netmail.Address{Name: "دفتر", Address: "no-reply@pay.example"},
	}
}

// run sends mails with the settings until the returned function is called.
func (w *world) run(s mail.Settings) (stop func()) {
	w.t.Helper()
	sender := mail.NewSender(mail.Config{
		Settings: s, Pool: w.pool, Key: w.key, Log: zerolog.New(&w.log),
		Now: func() time.Time { return *w.now.Load() },
	})
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		sender.Run(ctx)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-done
	})
	w.t.Cleanup(stop)
	return stop
}

// add queues a mail to an address.
func (w *world) add(m mail.Message) uuid.UUID {
	w.t.Helper()
	id := uuid.New()
	err := pgx.BeginFunc(w.t.Context(), w.pool, func(tx pgx.Tx) error {
		return mail.Add(w.t.Context(), tx, w.key, id, m, *w.now.Load())
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func to(address string) mail.Message {
	return mail.Message{To: address, Subject: "Hello", Text: "a link", HTML: "<p>a link</p>"}
}

// row is the queue's state of a mail.
type row struct {
	State    mail.State
	Error    string
	Attempts int
	Kept     bool // the message is still stored
	Next     time.Time
}

func (w *world) row(id uuid.UUID) row {
	w.t.Helper()
	rows, _ := w.pool.Query(w.t.Context(), `
		SELECT state, error, attempts, message IS NOT NULL,
			CASE WHEN isfinite(next_attempt_at) THEN next_attempt_at ELSE created_at END
		FROM mails
		WHERE uuid = $1`, id)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[row])
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// lease is how long a mail belongs to the server that has claimed it.
const lease = 70 * time.Second

// await waits until a mail has a state after that many attempts and no server has claimed it.
func (w *world) await(id uuid.UUID, state mail.State, attempts int) row {
	w.t.Helper()
	var r row
	pgtest.WaitFor(w.t, "the mail to be "+string(state), func() bool {
		r = w.row(id)
		return r.State == state && r.Attempts == attempts && !r.Next.Equal(w.now.Load().Add(lease))
	})
	return r
}

// awaitNone waits until no mail is left.
func (w *world) awaitNone() {
	w.t.Helper()
	pgtest.WaitFor(w.t, "old mails to be deleted", func() bool {
		var n int
		if err := w.pool.QueryRow(w.t.Context(), `SELECT count(*) FROM mails`).Scan(&n); err != nil {
			w.t.Fatal(err)
		}
		return n == 0
	})
}
