package export_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/export"
	"daftar/internal/postgres"
)

// exporterEnv makes this test binary a separate server: the database's URL, a space, and the NATS
// server's URL.
const exporterEnv = "DAFTAR_TEST_EXPORTER"

// exporter publishes two batches and hangs before it acknowledges the second.
func exporter() {
	database, server, _ := strings.Cut(os.Getenv(exporterEnv), " ")
	pool, err := postgres.Open(context.Background(), database, feedOptions)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := export.New(export.Config{
		Servers: []string{server}, Stream: streamName, Subjects: subjects, Log: zerolog.Nop(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, calls := x.Group(), 0
	publish := g.Handle
	g.Handle = func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
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

// The exporting server is killed after it published and before it moved its offset. A standby
// server takes over.
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
	w.wantComplete()
	if got := r.metric(t, "duplicates_total"); got != 100 {
		t.Errorf("%v were published before, want the 100 of the second batch", got)
	}
}
