package expiry_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/expiry"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// childURL is the environment variable that makes the test program a server with only
// a worker, to be killed.
const childURL = "EXPIRY_TEST_DATABASE_URL"

// childLease does not lapse by itself.
const childLease = time.Hour

func runChild(url string) {
	pool, err := postgres.Open(context.Background(), url, postgres.Options{SetServiceRole: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
	s, _ := newServer(pool, eventstore.Options{Clock: &eventstore.Clock{Offset: window}})
	s.worker.SetLease(childLease)
	s.worker.SetBatch(smallBatch)
	s.worker.Run(context.Background())
}

// smallBatch is how many timers a worker claims at once where several batches are
// the subject.
const smallBatch = 50

// lockAppends blocks the appends of every server until unlock is called.
func (w *world) lockAppends() (unlock func()) {
	w.t.Helper()
	tx, err := w.pool.Begin(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := eventstore.LockAppends(w.t.Context(), tx); err != nil {
		w.t.Fatal(err)
	}
	return func() { _ = tx.Rollback(context.Background()) }
}

func (w *world) busy() int {
	w.t.Helper()
	return w.count(`SELECT count(*) FROM expiry_timers WHERE busy_until IS NOT NULL`)
}

// Two servers share what is due; one is killed with -9 in the middle of a batch.
func TestKilledServerIsReplaced(t *testing.T) {
	t.Parallel()
	const n = smallBatch + 30
	w := newWorld(t)
	w.createMany(n, window)
	unlock := w.lockAppends()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), program)
	child.Env = append(os.Environ(), childURL+"="+w.db.ServiceURL())
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the child to claim a batch", func() bool { return w.busy() == smallBatch })
	s := w.serve(w.db.ServiceURL(), window)
	s.worker.SetLease(time.Second)
	s.worker.SetBatch(smallBatch)
	w.run(s)
	pgtest.WaitFor(t, "the second to claim the rest", func() bool { return w.busy() == n })
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed
	w.exec(`UPDATE expiry_timers SET busy_until = busy_until - $2::interval WHERE busy_until > $1`,
		s.Now().Add(childLease/2), childLease)
	unlock()
	pgtest.WaitFor(t, "all intents to be canceled", func() bool { return w.canceled() == n })
	if events := w.count(`SELECT count(*) FROM events`); events != 2*n {
		t.Errorf("%d events of %d intents", events, n)
	}
	pgtest.WaitFor(t, "the timers to go", func() bool {
		return w.count(`SELECT count(*) FROM expiry_timers`) == 0
	})
}

func TestTwoServersShare(t *testing.T) {
	t.Parallel()
	const n = 4 * smallBatch
	w := newWorld(t)
	w.createMany(n, window)
	a, b := w.serve(w.db.ServiceURL(), window), w.serve(w.db.ServiceURL(), window)
	a.worker.SetBatch(smallBatch)
	b.worker.SetBatch(smallBatch)
	unlock := w.lockAppends()
	w.run(a)
	w.run(b)
	pgtest.WaitFor(t, "both to claim", func() bool { return w.busy() == 2*smallBatch })
	unlock()
	pgtest.WaitFor(t, "all timers to go", func() bool {
		return w.count(`SELECT count(*) FROM expiry_timers`) == 0
	})
	if canceled := w.canceled(); canceled != n {
		t.Errorf("%d canceled", canceled)
	}
	if by := a.outcomes(t, "expired") + b.outcomes(t, "expired"); by != n {
		t.Errorf("%d by a, %d by b, want %d in all", a.outcomes(t, "expired"), b.outcomes(t, "expired"), n)
	}
}

// The next server handles timers that became due while no server ran, and timers that the
// feed wrote late.
func TestServerStartsAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.serve(w.db.ServiceURL(), window)
	first.worker.SetLease(time.Second)
	stop := w.run(first)
	w.create(window)
	pgtest.WaitFor(t, "the first", func() bool { return w.canceled() == 1 })
	stop()
	w.createMany(30, window)
	second := w.serve(w.db.ServiceURL(), window+time.Minute)
	second.worker.SetLease(time.Second)
	w.run(second)
	pgtest.WaitFor(t, "what came due meanwhile", func() bool { return w.canceled() == 31 })
	// Its timer is below everything that the worker has claimed.
	w.create(window - time.Second)
	pgtest.WaitFor(t, "the late one", func() bool { return w.canceled() == 32 })
}

func TestCommitterHasNoRoom(t *testing.T) {
	t.Parallel()
	const n = 300
	w := newWorld(t)
	w.createMany(n, window)
	s := w.serveWith(w.db.ServiceURL(), eventstore.Options{Queue: 1, Clock: &eventstore.Clock{Offset: window}})
	s.worker.SetLease(2 * time.Second)
	unlock := w.lockAppends()
	w.run(s)
	// A round ends with its lease, since two of its appends wait for the lock. On a
	// busy machine the first may end before anything was refused.
	pgtest.WaitFor(t, "a refusal", func() bool {
		return s.outcomes(t, "released") > 0 && strings.Contains(s.log.String(), eventstore.ErrOverloaded.Error())
	})
	unlock()
	// The committer now writes two at a time, and the worker does not wait for the lease to
	// lapse.
	pgtest.WaitFor(t, "some to be canceled", func() bool { return w.canceled() > 2 })
}

func TestDatabaseOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	proxy := pgtest.Proxy(t, w.db.ServiceURL())
	s := w.serve(proxy.URL(), window)
	w.create(window)
	w.run(s)
	pgtest.WaitFor(t, "the first", func() bool { return w.canceled() == 1 })
	proxy.Refuse()
	w.createMany(50, window)
	pgtest.WaitFor(t, "several failures", func() bool {
		return strings.Contains(s.log.String(), `"failures":3`)
	})
	proxy.Pass()
	pgtest.WaitFor(t, "the rest", func() bool { return w.canceled() == 51 })
	pgtest.WaitFor(t, "the timers to go", func() bool { return len(w.timers()) == 0 })
}

// The worker stops also where the network swallows everything.
func TestStopOnASilentNetwork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	proxy := pgtest.Proxy(t, w.db.ServiceURL())
	s := w.serve(proxy.URL(), window)
	w.createMany(100, window)
	unlock := w.lockAppends()
	defer unlock()
	stop := w.run(s)
	pgtest.WaitFor(t, "a batch to be under way", func() bool { return w.busy() == 100 })
	proxy.Stall()
	defer proxy.Pass()
	stop()
}

// The answer to a claim, or to the statement that finishes timers, is lost: the leases
// lapse, and no intent is canceled twice.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"to a claim":  expiry.ClaimSQL,
		"to a finish": expiry.RemoveSQL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			proxy := pgtest.Proxy(t, w.db.ServiceURL())
			s := w.serve(proxy.URL(), window)
			s.worker.SetLease(time.Second)
			w.createMany(40, window)
			lost := proxy.LoseReply(executes(statement))
			w.run(s)
			pgtest.WaitFor(t, "the answer to be lost", func() bool {
				select {
				case <-lost:
					return true
				default:
					return false
				}
			})
			pgtest.WaitFor(t, "the intents", func() bool { return w.canceled() == 40 })
			pgtest.WaitFor(t, "the timers to go", func() bool { return len(w.timers()) == 0 })
			if events := w.count(`SELECT count(*) FROM events`); events != 80 {
				t.Errorf("%d events", events)
			}
		})
	}
}

// executes matches the message that runs a statement which pgx has prepared, by
// the name that pgx derives from the text.
func executes(statement string) func(pgtest.Message) bool {
	digest := sha256.Sum256([]byte(statement))
	name := pgtest.Contains("stmtcache_" + hex.EncodeToString(digest[:24]))
	return func(m pgtest.Message) bool { return m.Type == 'B' && name(m) }
}

// The group's statements wait for locked rows, the worker's skip them.
func TestWorkerSkipsLockedRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.serve(w.db.ServiceURL(), window)
	locked := w.create(window)
	w.create(window)
	tx, err := w.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	rows, err := tx.Query(t.Context(),
		`SELECT looks FROM expiry_timers WHERE intent_uuid = $1 FOR UPDATE`, locked.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int]); err != nil {
		t.Fatal(err)
	}
	s.worker.SetLease(time.Second)
	w.run(s)
	pgtest.WaitFor(t, "the other one", func() bool { return w.canceled() == 1 })
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the locked one", func() bool { return w.canceled() == 2 })
}
