package export_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/export"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// exporterEnv makes this test binary a server of its own: the database's URL, a
// space, and that of NATS.
const exporterEnv = "DAFTAR_TEST_EXPORTER"

// exporter publishes two batches and stays for ever before it acknowledges the
// second.
func exporter() {
	database, server, _ := strings.Cut(os.Getenv(exporterEnv), " ")
	pool, err := postgres.Open(context.Background(), database, feedOptions)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := export.New(export.Config{Servers: []string{server}, Stream: streamName, Subjects: subjects, Log: zerolog.Nop()})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, calls := x.Group(), 0
	publish := g.Handle
	g.Handle = func(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) error {
		if err := publish(ctx, tx, events); err != nil {
			return err
		}
		if calls++; calls == 2 {
			fmt.Println("published")
			select {}
		}
		return nil
	}
	f, err := feed.New(feed.Config{Pool: pool, Batch: 100, Groups: []feed.Group{g}})
	if err == nil {
		err = f.Run(context.Background())
	}
	fmt.Println(err)
}

// The exporting server is killed between what it published and the move of its
// offset. Another, that stands by, takes over.
func TestExporterIsKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.addMany(350)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), exporterEnv+"="+w.db.ServiceURL()+" "+w.nats.URL())
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
	select {
	case line := <-said:
		if line != "published\n" {
			t.Fatalf("the exporter says %q", line)
		}
	case <-time.After(time.Minute):
		t.Fatal("the exporter says nothing")
	}
	if at := w.lag(export.GroupName).Position; at != 100 {
		t.Fatalf("the offset is at %d before the second batch is acknowledged", at)
	}
	r := w.run(100)
	kill()
	w.arrived()
	if got := r.value(t, "duplicates_total"); got != 100 {
		t.Errorf("%v were published before, want the 100 of the second batch", got)
	}
}

// Servers come and go while events are appended; the one that is active hands over
// in the middle of everything.
func TestServersTakeOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 150 {
			w.add(10)
		}
	}()
	one, other := w.run(15), w.run(15)
	for n := range 6 {
		at := w.lag(export.GroupName).Position
		pgtest.WaitFor(t, "the export to go on", func() bool { return w.lag(export.GroupName).Position > at || at == 1500 })
		if n%2 == 0 {
			one.stop()
			one = w.run(15)
		} else {
			other.stop()
			other = w.run(15)
		}
	}
	<-done
	w.arrived()
	w.wantQuiet()
}

// A server that still believes itself active, although another has taken over,
// changes nothing: both publish the same events at the same time.
func TestTwoBelieveThemselvesActive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats.Start()
	w.addMany(600)
	events, err := eventstore.NewReader(w.pool).ReadRange(t.Context(), 0, 600, 600)
	if err != nil {
		t.Fatal(err)
	}
	db := stdlib.OpenDBFromPool(w.pool)
	var both sync.WaitGroup
	for range 2 {
		x := w.exporter()
		pgtest.WaitFor(t, "a connection", func() bool { return x.value(t, "connected") == 1 })
		both.Go(func() {
			for n := 0; n < len(events); {
				tx, err := db.BeginTx(t.Context(), nil)
				if err != nil {
					t.Errorf("begin: %v", err)
					return
				}
				// One that was too late at one place tries again, as the feed would.
				if x.Group().Handle(t.Context(), tx, events[n:n+50]) == nil {
					n += 50
				}
				_ = tx.Rollback()
			}
		})
	}
	both.Wait()
	if _, err := w.super.Exec(t.Context(), `INSERT INTO consumer_offsets VALUES ('nats', 600, now())`); err != nil {
		t.Fatal(err)
	}
	w.arrived()
}
