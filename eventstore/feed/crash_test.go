package feed_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// helperEnv makes this test binary a separate server: it is the database's URL.
const helperEnv = "DAFTAR_TEST_FEED_HELPER"

// helper runs the group "g" and blocks for ever in the middle of the second batch.
func helper(url string) {
	pool, err := postgres.Open(context.Background(), url, feedOptions)
	if err != nil {
		fmt.Println(err)
		return
	}
	calls := 0
	f, err := feed.New(feed.Config{Pool: pool, Batch: 100, Groups: []feed.Group{{Name: "g",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			calls++
			if calls == 1 {
				return record(ctx, tx, "g", events)
			}
			if err := record(ctx, tx, "g", events[:len(events)/2]); err != nil {
				return err
			}
			fmt.Println("in mid-batch")
			select {}
		}}}})
	if err == nil {
		err = f.Run(context.Background())
	}
	fmt.Println(err)
}

// The active server is killed with -9 in the middle of a batch; the standby continues after the
// last commit.
func TestActiveServerIsKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 250)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperEnv+"="+w.db.ServiceURL())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		said <- line
	}()
	if line := receive(t, "the helper's second batch", said); line != "in mid-batch\n" {
		t.Fatalf("the helper says %q", line)
	}

	pool := feedPool(t, w.db.ServiceURL())
	w.run(t, feed.Config{Pool: pool, Batch: 100, Poll: 20 * time.Millisecond},
		feed.Group{Name: "g", Handle: recordAs("g")})
	polls := pool.Stat().AcquireCount()
	pgtest.WaitFor(t, "the second server to poll a few times", func() bool {
		return pool.Stat().AcquireCount() > polls+20
	})
	checkEffects(t, w.pool, "g", 100) // it stands by, and no partial batch is visible
	kill()
	w.wantEffects(t, "g", 250)
}

// The connection breaks at the worst times: in the middle of a batch, and just before and just
// after COMMIT takes effect.
func TestConnectionBreaks(t *testing.T) {
	t.Parallel()
	for name, arm := range map[string]func(*pgtest.ProxyServer) <-chan struct{}{
		"in the handler": func(p *pgtest.ProxyServer) <-chan struct{} {
			return p.LoseRequest(pgtest.Contains("effects"))
		},
		"before the acknowledgement": func(p *pgtest.ProxyServer) <-chan struct{} {
			return p.LoseRequest(pgtest.Contains("greatest"))
		},
		"committed, answer lost": func(p *pgtest.ProxyServer) <-chan struct{} {
			return p.LoseReply(pgtest.Nth(3, pgtest.IsCommit))
		},
		"commit did not reach server": func(p *pgtest.ProxyServer) <-chan struct{} {
			return p.LoseRequest(pgtest.Nth(3, pgtest.IsCommit))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.add(t, 200)
			proxy := pgtest.Proxy(t, w.db.ServiceURL())
			pool := feedPool(t, proxy.URL())
			broken := arm(proxy)
			w.run(t, feed.Config{Pool: pool, Batch: 50}, feed.Group{Name: "g", Handle: recordAs("g")})
			receive(t, "the connection to break", broken)
			w.wantEffects(t, "g", 200)
		})
	}
}

// Two servers, handlers that fail at random in every way, backends that are killed, and appends
// meanwhile: each event has its effect once.
func TestEffectsHappenOnce(t *testing.T) {
	t.Parallel()
	effectsHappenOnce(t, 10)
}

func effectsHappenOnce(t *testing.T, rounds int) {
	t.Helper()
	const atOnce = 10
	w := newWorld(t, nil)
	for server := range 2 {
		random := rand.New(rand.NewPCG(uint64(server), 7))
		c := feed.Config{Batch: 25, Poll: 10 * time.Millisecond, HaltRetry: 10 * time.Millisecond}
		w.run(t, c, feed.Group{Name: "g", OnFailure: feed.Halt,
			Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
				half := random.IntN(len(events) + 1)
				if err := record(ctx, tx, "g", events[:half]); err != nil {
					return err
				}
				switch random.IntN(12) {
				case 0:
					return errTest
				case 1:
					panic("test panic")
				case 2:
					_, err := tx.Exec(ctx, `SELECT 1/0`)
					return err
				case 3:
					_, err := tx.Exec(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
					return err
				}
				return record(ctx, tx, "g", events[half:])
			}})
	}
	var appends sync.WaitGroup
	for range atOnce {
		appends.Go(func() {
			for range rounds {
				_, err := w.store.Append(context.Background(),
					eventstore.Append{Stream: uuid.New(), Events: []eventstore.Event{
						{Type: "test.happened", SchemaVersion: 1, Payload: []byte(`{}`)},
						{Type: "test.happened", SchemaVersion: 1, Payload: []byte(`{}`)},
					}})
				if err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
	}
	appends.Wait()
	w.wantEffects(t, "g", int64(rounds*atOnce*2))
}

// A handler that takes longer than many polls keeps its batch: other polls meanwhile, here and on
// another server, get nothing.
func TestSlowHandlerKeepsItsBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 10)
	entered, release := make(chan struct{}, 10), make(chan struct{})
	slow := feed.Group{Name: "g",
		Handle: func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
			entered <- struct{}{}
			<-release
			return record(ctx, tx, "g", events)
		}}
	c := feed.Config{Poll: 5 * time.Millisecond}
	f := w.run(t, c, slow)
	receive(t, "the handler", entered)
	c.Pool = feedPool(t, w.db.ServiceURL())
	w.run(t, c, slow)
	polls := c.Pool.Stat().AcquireCount()
	for range 20 {
		f.Wake()
	}
	pgtest.WaitFor(t, "the other server to poll often", func() bool {
		return c.Pool.Stat().AcquireCount() > polls+40
	})
	close(release)
	w.wantEffects(t, "g", 10)
	if len(entered) != 0 {
		t.Error("the batch was handed out twice")
	}
}
