//go:build long

package acceptance_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

var superuserOptions = postgres.Options{MaxConns: 1}

// balancer is haproxy with the configuration of deploy/cluster in front of two servers.
type balancer struct {
	process
	base  string
	admin string // its socket
}

func balance(t *testing.T, a, b *rolling) *balancer {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy" // where Debian has it, which need not be in PATH
	}
	dir, err := os.MkdirTemp("", "daftar-haproxy-") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	f := &balancer{admin: filepath.Join(dir, "admin.sock")}
	public := address(t)
	f.base = "http://" + public + "/api/v1"
	text := read(t, "../../deploy/cluster/haproxy.cfg")
	for _, c := range [][2]string{
		{"bind :8080\n", "bind " + public + "\n"},
		{"/run/haproxy/admin.sock", f.admin},
		{"daftar-a:8080 check port 9090", a.listen + " check port " + portOf(a.ops)},
		{"daftar-b:8080 check port 9090", b.listen + " check port " + portOf(b.ops)},
		{"daftar-a:8080", a.listen},
		{"daftar-b:8080", b.listen},
	} {
		if !strings.Contains(text, c[0]) {
			t.Fatalf("haproxy.cfg lacks %q", c[0])
		}
		text = strings.ReplaceAll(text, c[0], c[1])
	}
	command := exec.CommandContext(t.Context(), program, "-W", "-db", "-f", write(t, dir, "haproxy.cfg", text))
	f.process = process{programtest.Start(t, command)}
	f.awaitUp(t, "a", "b")
	return f
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// awaitUp waits until haproxy considers these servers up.
func (f *balancer) awaitUp(t *testing.T, servers ...string) {
	t.Helper()
	pgtest.WaitFor(t, fmt.Sprintf("haproxy to find %v ready", servers), func() bool {
		up := map[string]bool{}
		for _, row := range f.statistics() {
			if len(row) > 17 && row[0] == "api" && row[17] == "UP" {
				up[row[1]] = true
			}
		}
		return !slices.ContainsFunc(servers, func(s string) bool { return !up[s] })
	})
}

// statistics asks haproxy for its statistics: the first column is the backend, the second the server, the
// eighteenth its state.
func (f *balancer) statistics() [][]string {
	conn, err := net.Dial("unix", f.admin)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "show stat\n"); err != nil {
		return nil
	}
	r := csv.NewReader(conn)
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil
	}
	return rows
}

// restart restarts one of the servers, and waits until requests go to it again.
func (f *balancer) restart(t *testing.T, r *rolling, name string) {
	t.Helper()
	r.restart(t)
	f.awaitUp(t, name)
}

// reload does what systemctl reload haproxy does. It returns after the old worker has exited.
func (f *balancer) reload(t *testing.T) {
	t.Helper()
	before := workers(f.Process.Pid)
	if err := f.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "another worker of haproxy alone", func() bool {
		now := workers(f.Process.Pid)
		return len(now) == 1 && !slices.Contains(before, now[0])
	})
}

func workers(master int) []string {
	pid := strconv.Itoa(master)
	text, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// load is a set of merchants that create and retrieve at a steady rate, over persistent
// connections.
type load struct {
	base   string
	who    shop
	client *http.Client
	quit   chan struct{}
	wg     sync.WaitGroup

	mu      sync.Mutex
	current measured
	total   int
	uuids   []string
}

// measured is the result of the requests.
type measured struct {
	took   []time.Duration
	failed []string // those that a merchant would have to repeat
}

func (m measured) and(other measured) measured {
	return measured{slices.Concat(m.took, other.took), slices.Concat(m.failed, other.failed)}
}

func (m measured) quantile(q float64) time.Duration {
	if len(m.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(m.took))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func (m measured) String() string {
	q := func(part float64) time.Duration { return m.quantile(part).Round(100 * time.Microsecond) }
	return fmt.Sprintf("%5d requests, %d failed, p50 %v, p99 %v, longest %v",
		len(m.took), len(m.failed), q(0.5), q(0.99), q(1))
}

const (
	merchants = 4
	pace      = 100 * time.Millisecond // of each, for a create and a retrieve
)

// startLoad starts to create and retrieve; the test's end stops it.
func startLoad(t *testing.T, base string, who shop) *load {
	t.Helper()
	l := &load{
		base: base, who: who, quit: make(chan struct{}),
		client: &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: merchants}},
	}
	for m := range merchants {
		l.wg.Go(func() {
			ticker := time.NewTicker(pace)
			defer ticker.Stop()
			for n := 0; ; n++ {
				uuid := l.send(http.MethodPost, "/payment-intents",
					order(fmt.Sprintf("c-%d-%d", m, n)), http.StatusCreated, http.StatusOK)
				if uuid != "" {
					l.send(http.MethodGet, "/payment-intents/"+uuid, "", http.StatusOK)
				}
				select {
				case <-ticker.C:
				case <-l.quit:
					return
				}
			}
		})
	}
	t.Cleanup(l.stop)
	return l
}

func (l *load) stop() {
	l.mu.Lock()
	select {
	case <-l.quit:
	default:
		close(l.quit)
	}
	l.mu.Unlock()
	l.wg.Wait()
}

// send sends a request and records its result; it returns the uuid of the answer.
func (l *load) send(method, path, body string, wanted ...int) (uuid string) {
	began := time.Now()
	status, uuid, text := l.try(method, path, body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total++
	l.current.took = append(l.current.took, time.Since(began))
	if !slices.Contains(wanted, status) {
		l.current.failed = append(l.current.failed,
			fmt.Sprintf("%d to %s after %v: %s", status, method, time.Since(began).Round(time.Millisecond), text))
		return ""
	}
	if method == http.MethodPost {
		l.uuids = append(l.uuids, uuid)
	}
	return uuid
}

func (l *load) try(method, path, body string) (status int, uuid, text string) {
	request, err := http.NewRequest(method, l.base+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err.Error()
	}
	request.Header = http.Header{
		"X-Api-Key": {l.who.key}, "Authorization": {"Bearer " + l.who.token},
		"Content-Type": {"application/json"},
	}
	response, err := l.client.Do(request)
	if err != nil {
		return 0, "", err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, "", err.Error()
	}
	var data struct {
		Data struct {
			UUID string `json:"uuid"`
		} `json:"data"`
	}
	_ = json.Unmarshal(answered, &data) // the status reports whether there is one
	return response.StatusCode, data.Data.UUID, string(answered)
}

// since returns the measurements since its last call.
func (l *load) since() measured {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.current
	l.current = measured{}
	return m
}

// awaitMore waits for that many more requests.
func (l *load) awaitMore(t *testing.T, n int) {
	t.Helper()
	count := func() int {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.total
	}
	wanted := count() + n
	pgtest.WaitFor(t, "more requests", func() bool { return count() >= wanted })
}

func (l *load) acknowledged() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.uuids)
}
