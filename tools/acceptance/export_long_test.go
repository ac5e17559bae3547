//go:build long

package acceptance_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/natstest"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// streamOf reads the whole stream when it has that many messages.
func streamOf(t *testing.T, address string, messages uint64) []jetstream.Msg {
	t.Helper()
	js := natstest.JetStream(t, address)
	pgtest.WaitFor(t, "the stream to have all", func() bool {
		s, err := js.Stream(t.Context(), "DAFTAR")
		return err == nil && s.CachedInfo().State.LastSeq >= messages
	})
	c, err := js.OrderedConsumer(t.Context(), "DAFTAR", jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]jetstream.Msg, messages)
	for n := range all {
		if all[n], err = c.Next(jetstream.FetchMaxWait(patience)); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// The server exports the events of the commands, while NATS is up and after it is back. Without
// NATS the server works and is ready, and the doctor reports it.
func TestLongServeExports(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	server := natstest.Start(t, "--user", "exporter", "--pass", natsPassword)
	address := server.Address("exporter:" + natsPassword)
	secret := filepath.Join(t.TempDir(), "nats-url")
	if err := os.WriteFile(secret, []byte(address+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serve(t, db.ServiceURL(), "DAFTAR_NATS_URL_FILE="+secret)
	who := newShop(t, s.env)
	for _, name := range []string{"one", "two", "three"} {
		s.ask(t, who, http.MethodPost, "/payment-intents", order(name))
	}
	got := streamOf(t, address, 3)
	for n, line := range strings.Split(strings.TrimSpace(call(t, s.env, "events", "export").out), "\n") {
		if string(got[n].Data()) != line {
			t.Errorf("message %d is\n%s\nand events export has\n%s", n+1, got[n].Data(), line)
		}
		if want := "daftar.events." + who.org + "." + who.app + ".intent.created"; got[n].Subject() != want {
			t.Errorf("message %d has the subject %s, want %s", n+1, got[n].Subject(), want)
		}
	}
	doctor := func() finding { return examined(t, s.env, "export") }
	if f := doctor(); !f.OK || !strings.Contains(f.Detail, "up to 3") {
		t.Errorf("the doctor says %+v", f)
	}
	server.Kill()
	r := s.ask(t, who, http.MethodPost, "/payment-intents", order("four"))
	if r.status != http.StatusCreated || s.status("/readyz") != http.StatusOK {
		t.Errorf("without NATS a create is answered %d, and /readyz %d", r.status, s.status("/readyz"))
	}
	pgtest.WaitFor(t, "the lag in the metrics", func() bool {
		return strings.Contains(fetch(t, s.ops+"/metrics"), `daftar_feed_lag_events{group="nats"} 1`)
	})
	if f := doctor(); f.OK || !strings.Contains(f.Detail, "NATS is out of reach") {
		t.Errorf("without NATS the doctor says %+v", f)
	}
	server.Start()
	streamOf(t, address, 4)
	s.Stop(t, syscall.SIGTERM)
	if log := s.Logged(); strings.Contains(log, natsPassword) || !strings.Contains(log, "NATS") {
		t.Errorf("the log has the password, or nothing of NATS:\n%s", log)
	}
}

// The guide's follower, unchanged, prints each event once, including those that come while it runs
// and after a restart.
func TestLongFollowerOfTheGuide(t *testing.T) {
	t.Parallel()
	text := goBlock.FindStringSubmatch(read(t, "../../docs/export.md"))
	if text == nil {
		t.Fatal("docs/export.md has no program")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"main.go": text[1], "go.mod": read(t, "../../go.mod"), "go.sum": read(t, "../../go.sum"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "follower", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	server := natstest.Start(t)
	s := serve(t, pgtest.Database(t).ServiceURL(), "DAFTAR_NATS_URL="+server.URL())
	who := newShop(t, s.env)
	create := func(name string) string {
		return s.ask(t, who, http.MethodPost, "/payment-intents", order(name)).data.UUID
	}
	ids := []string{create("before")}
	streamOf(t, server.URL(), 1)
	for round := range 2 {
		var out bytes.Buffer
		follower := exec.Command(filepath.Join(dir, "follower"))
		follower.Dir, follower.Env = dir, append(os.Environ(), "NATS_URL="+server.URL())
		pipe, err := follower.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		follower.Stderr = os.Stderr
		if err := follower.Start(); err != nil {
			t.Fatal(err)
		}
		lines, done := make(chan string, 100), make(chan struct{})
		go func() {
			defer close(done)
			for buffer := make([]byte, 4096); ; {
				n, err := pipe.Read(buffer)
				out.Write(buffer[:n])
				if err != nil {
					return
				}
				lines <- out.String()
			}
		}()
		ids = append(ids, create([]string{"while", "again"}[round]))
		want := ids[len(ids)-2+round:] // the second time, only the new ones
		seen := ""
		for limit := time.After(patience); strings.Count(seen, "\n") < len(want); {
			select {
			case seen = <-lines:
			case <-limit:
				t.Fatalf("the follower printed %q, want %v", seen, want)
			}
		}
		pgtest.WaitFor(t, "the follower to know how far it is", func() bool {
			at, err := os.ReadFile(filepath.Join(dir, "position"))
			return err == nil && string(at) == strconv.Itoa(len(ids))
		})
		_ = follower.Process.Kill()
		<-done
		_ = follower.Wait()
		for n, line := range strings.Split(strings.TrimSpace(seen), "\n") {
			if n >= len(want) || !strings.Contains(line, want[n]) || !strings.Contains(line, "intent.created") {
				t.Errorf("round %d: line %d is %q, want %v", round+1, n+1, line, want)
			}
		}
	}
}
