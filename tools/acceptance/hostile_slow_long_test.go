//go:build long

package acceptance_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// Each of these waits for a timeout, so they run in parallel. Little else runs then, so that only
// the timeout is measured.
func TestLongTimeLimits(t *testing.T) { //nolint:tparallel // alone: it measures
	for name, run := range map[string]func(*testing.T){
		"slow headers":        slowHeaders,
		"slow bodies":         slowBodies,
		"slowhttptest":        slowHTTPTest,
		"a silent database":   answersDespiteASilentDatabase,
		"a silent acquirer":   stopsDespiteASilentAcquirer,
		"a demo that is over": stopsAndStartsTheDemo,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t)
		})
	}
}

// While many clients send their headers byte by byte, a normal client is served without delay, and
// each slow connection is closed.
func slowHeaders(t *testing.T) {
	const connections = 1500
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	began := time.Now()
	slow := make([]net.Conn, 0, connections)
	for n := range connections {
		c, err := net.DialTimeout("tcp", s.host(), patience)
		if err != nil {
			t.Fatalf("connection %d: %v", n, err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_, _ = c.Write([]byte("POST /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\nX-A: "))
		slow = append(slow, c)
	}
	var worst time.Duration
	for n := range 30 {
		asked := time.Now()
		r := s.ask(t, who, http.MethodPost, "/payment-intents", order(fmt.Sprint("meanwhile-", n)))
		if r.status != http.StatusCreated {
			t.Fatalf("a normal client gets %d %s", r.status, r.body)
		}
		worst = max(worst, time.Since(asked))
	}
	t.Logf("%d silent connections; of 30 requests meanwhile the slowest took %v", len(slow), worst)
	var ending sync.WaitGroup
	for n, c := range slow {
		ending.Go(func() {
			_ = c.SetReadDeadline(time.Now().Add(patience))
			var answer [512]byte
			for {
				if _, err := c.Read(answer[:]); err != nil {
					if errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("connection %d is still open %v after it began", n, time.Since(began))
					}
					return
				}
			}
		})
	}
	ending.Wait()
	if worst > 2*time.Second {
		t.Errorf("a normal request took %v", worst)
	}
}

// A body that comes byte by byte, to each kind of address, is ended by the server and not by the
// client: the limit for a request with its body is 10 s.
func slowBodies(t *testing.T) {
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	created := s.ask(t, who, http.MethodPost, "/payment-intents", order("slow"))
	page := strings.TrimPrefix(created.data.CheckoutURL, "http://"+s.host())
	const form = "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
	var longest time.Duration // of an open connection
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, row := range []struct{ path, headers string }{
		{"/api/v1/payment-intents", "Content-Type: application/json\r\n" + who.credentials()},
		{"/api/v1/payment-intents", ""},
		{page + "/attempts", form},
		{"/dashboard/sign-in", form},
		{"/acquirers/sandbox/notifications", ""},
		{"/transparency/checkpoint", ""},
		{"/nowhere", ""},
	} {
		all.Go(func() {
			w := s.wire(t)
			began := time.Now()
			w.write("POST " + row.path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n" + row.headers + "\r\n")
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				tick := time.NewTicker(250 * time.Millisecond)
				defer tick.Stop()
				for range tick.C {
					if _, err := w.Write([]byte("a")); err != nil { // closed, or timed out
						return
					}
				}
			}()
			if !w.closesInTime() {
				t.Errorf("POST %s: the connection is open after %v", row.path, time.Since(began))
			}
			took := time.Since(began)
			_ = w.Close()
			<-ended
			mu.Lock()
			defer mu.Unlock()
			longest = max(longest, took)
			t.Logf("POST %s: the connection was open for %v", row.path, took.Round(time.Millisecond))
		})
	}
	all.Wait()
	if longest > 13*time.Second {
		t.Errorf("a connection was open for %v", longest)
	}
}

// closesInTime reads until the server closes the connection; an answer may come first. It returns false
// if the server does not close it in time.
func (w *wire) closesInTime() bool {
	for {
		if _, err := w.in.ReadByte(); err != nil {
			return !errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
}

// slowhttptest is a third-party load generator with slow clients. In each of its modes it also
// checks once a second whether the service is available; its table shows the result.
func slowHTTPTest(t *testing.T) {
	tool, err := exec.LookPath("slowhttptest")
	if err != nil {
		t.Fatal("slowhttptest is missing: make deps-test installs it")
	}
	s := serve(t, pgtest.Database(t).ServiceURL())
	created := s.ask(t, newShop(t, s.env), http.MethodPost, "/payment-intents", order("slow"))
	page := strings.TrimPrefix(created.data.CheckoutURL, "http://"+s.host())
	dir := t.TempDir()
	var all sync.WaitGroup
	for _, row := range []struct {
		mode, url string
		more      []string
	}{
		{"-H", "/api/v1/openapi.yaml", nil},
		{"-B", page + "/attempts",
			[]string{"-t", "POST", "-s", "15000"}}, // without credentials the API does not read the body
		{"-R", "/api/v1/openapi.yaml", []string{"-t", "GET", "-a", "5", "-b", "3000"}},
		{"-X", "/api/v1/openapi.yaml", []string{"-k", "3", "-n", "3", "-w", "8", "-y", "16", "-z", "8"}},
	} {
		all.Go(func() {
			report := filepath.Join(dir, "report"+row.mode)
			arguments := append([]string{
				row.mode, "-u", "http://" + s.host() + row.url,
				"-c", "300", "-r", "150", "-l", "10", "-i", "2", "-p", "3", "-g", "-o", report,
			}, row.more...)
			said, err := exec.CommandContext(t.Context(), tool, arguments...).CombinedOutput()
			if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
				t.Errorf("slowhttptest %s: %v", row.mode, err)
				return
			}
			available, asked := availability(t, report+".csv")
			t.Logf("slowhttptest %s: available in %d of %d seconds", row.mode, available, asked)
			if asked < 3 || available < asked {
				t.Errorf("slowhttptest %s found the service available in %d of %d seconds:\n%s",
					row.mode, available, asked, said)
			}
		})
	}
	all.Wait()
	if got := s.status("/readyz"); got != http.StatusOK {
		t.Errorf("afterwards the server is not ready: %d", got)
	}
}

// availability reads slowhttptest's table: the last column is above 0 in the seconds in which the
// service answered.
func availability(t *testing.T, path string) (available, asked int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return 0, 0
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil || len(rows) < 2 {
		t.Errorf("read %s: %d rows, %v", path, len(rows), err)
		return 0, 0
	}
	for _, row := range rows[1:] {
		asked++
		if n, err := strconv.Atoi(strings.TrimSpace(row[len(row)-1])); err == nil && n > 0 {
			available++
		}
	}
	return available, asked
}
