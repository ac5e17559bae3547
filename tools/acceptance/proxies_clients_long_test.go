//go:build long

package acceptance_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// With the guide's nginx in front: a customer pays, limits are enforced, client addresses are
// right, and the operators' address is not reachable.
func TestLongNginx(t *testing.T) {
	t.Parallel()
	b, p := newBackend(t), newProxy(t)
	p.strict = true
	startNginx(t, p, b.host())
	secret := b.pays(t, p)
	b.bodyLimits(t, p)
	b.closedPaths(t, p)
	b.rateLimits(t, p)
	b.longRequests(t, p)
	b.clientAddresses(t, p)
	b.withoutServer(t, p, secret)
	for _, log := range []string{"daftar.log", "daftar-error.log", "error.log"} {
		if strings.Contains(read(t, p.file(log)), secret) {
			t.Errorf("%s has the address of a checkout", log)
		}
	}
	log := read(t, p.file("daftar.log"))
	if !strings.Contains(log, " POST /pay 303 ") || !strings.Contains(log, "127.0.0.7 ") {
		t.Errorf("the log is\n%s", log)
	}
}

// The same with Caddy.
func TestLongCaddy(t *testing.T) {
	t.Parallel()
	b, p := newBackend(t), newProxy(t)
	startCaddy(t, p, b.opsPort(), b.host())
	secret := b.pays(t, p)
	b.bodyLimits(t, p)
	b.closedPaths(t, p)
	b.longRequests(t, p)
	b.clientAddresses(t, p)
	b.withoutServer(t, p, secret)
	log := p.Logged()
	if strings.Contains(log, secret) || !strings.Contains(log, `"status":303`) ||
		!strings.Contains(log, `"remote_ip":"127.0.0.7"`) {
		t.Errorf("the log has the address of a checkout, or lacks requests:\n%s", log)
	}
}

// rateLimits checks that nginx refuses excess requests of one address, whatever headers it sends, and
// leaves others alone.
func (b backend) rateLimits(t *testing.T, p *proxy) {
	t.Helper()
	refused := 0
	client := p.from("127.0.0.8")
	for n := range 80 {
		header := http.Header{"X-Forwarded-For": {fmt.Sprintf("203.0.113.%d", n)}}
		switch got := send(t, client, http.MethodGet, "/api/v1/payment-intents", header, nil); {
		case got.status == http.StatusUnauthorized:
		case got.status == http.StatusTooManyRequests &&
			got.body == `{"message":"Too many requests. Please slow down."}` && got.header.Get("Retry-After") == "1":
			refused++
		default:
			t.Errorf("%d %v %s", got.status, got.header, got.body)
		}
	}
	if refused == 0 {
		t.Error("80 requests of an address at once were served; the limit is 40 and 5 a second")
	}
	got := send(t, p.from("127.0.0.9"), http.MethodGet, "/api/v1/payment-intents", b.who.signed(), nil)
	if got.status != http.StatusOK {
		t.Errorf("another address: %d %s", got.status, got.body)
	}
	b.connections(t, p)
}

// connections opens more concurrent requests from one address than the limit.
func (b backend) connections(t *testing.T, p *proxy) {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.10")}}
	slow := func(body string) net.Conn {
		conn, err := tls.DialWithDialer(&dialer, "tcp", p.secure,
			&tls.Config{ServerName: payExample, RootCAs: p.roots, MinVersion: tls.VersionTLS12})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, err = io.WriteString(conn,
			"POST /api/v1/payment-intents HTTP/1.1\r\nHost: "+payExample+"\r\n"+
				"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n"+body)
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	for range 8 {
		slow("")
	}
	pgtest.WaitFor(t, "a connection too many to be refused", func() bool {
		answer := make([]byte, 12)
		_, err := io.ReadFull(slow("0123456789"), answer)
		return err == nil && string(answer) == "HTTP/1.1 429"
	})
}

// longRequests checks that a request that waits in Daftar gets its own answer.
func (b backend) longRequests(t *testing.T, p *proxy) {
	t.Helper()
	client := p.from("127.0.0.1")
	page := parse[struct {
		Next string `json:"next"`
	}](t, send(t, client, http.MethodGet, "/api/v1/webhook-deliveries", b.who.signed(), nil).body)
	began := time.Now()
	got := send(t, client, http.MethodGet, "/api/v1/webhook-deliveries?after="+page.Next, b.who.signed(), nil)
	if took := time.Since(began); got.status != http.StatusOK || page.Next == "" || took < 2*time.Second {
		t.Errorf("a request that waits: %d after %v: %s", got.status, took, got.body)
	}
}

// clientAddresses checks that Daftar sees a client's address, and ignores the client's own headers.
func (b backend) clientAddresses(t *testing.T, p *proxy) {
	t.Helper()
	type token struct {
		UUID        string
		AccessToken string `json:"access_token"`
	}
	for address, header := range map[string][]string{
		"127.0.0.6": nil,
		"127.0.0.7": {"X-Forwarded-For", "203.0.113.9", "X-Real-Ip", "203.0.113.9", "Forwarded", "for=203.0.113.9"},
	} {
		made := answer[token](t, b.env, "token", "create", "--org", b.who.org, "--name", address)
		who := b.who
		who.token = made.AccessToken
		got := send(t, p.from(address), http.MethodGet, "/api/v1/payment-intents", who.signed(header...), nil)
		if got.status != http.StatusOK {
			t.Errorf("from %s: %d %s", address, got.status, got.body)
		}
		pool := b.db.Pool(t)
		pgtest.WaitFor(t, "the use of the token to be noted", func() bool {
			seen, err := postgres.Find(t.Context(), pool, "read the address", nil, pgx.RowTo[string],
				`SELECT coalesce(last_used_from, '') FROM access_tokens WHERE uuid = $1`, made.UUID)
			if err != nil || seen != "" && seen != address {
				t.Fatalf("a client at %s is seen as %q: %v", address, seen, err)
			}
			return seen == address
		})
	}
}

func (b backend) opsPort() string { return portOf(strings.TrimPrefix(b.ops, "http://")) }

// withoutServer checks the proxy's answer without a server: it has the form of the API's errors.
func (b backend) withoutServer(t *testing.T, p *proxy, secret string) {
	t.Helper()
	b.Stop(t, syscall.SIGTERM)
	client := p.from("127.0.0.1")
	got := send(t, client, http.MethodGet, "/api/v1/payment-intents", b.who.signed(), nil)
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") != "1" ||
		got.body != `{"message":"The service is not available at the moment. `+
			`Please send the same request again."}` {
		t.Errorf("without a server: %d %v %s", got.status, got.header, got.body)
	}
	got = send(t, client, http.MethodGet, "/pay/"+secret, nil, nil)
	if got.status < http.StatusInternalServerError {
		t.Errorf("a page without a server: %d", got.status)
	}
}

// Two servers behind a proxy are restarted one after the other, and no request of merchants fails.
func TestLongProxiesWithSeveralServers(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(*testing.T, *proxy, string, ...string){
		"nginx": func(t *testing.T, p *proxy, _ string, servers ...string) {
			t.Helper()
			startNginx(t, p, servers...)
		},
		"caddy": startCaddy,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.Database(t)
			public, ops := portOf(address(t)), portOf(address(t))
			machine := func(ip string) *rolling {
				r := &rolling{
					listen: net.JoinHostPort(ip, public), ops: net.JoinHostPort(ip, ops), database: db.ServiceURL(),
				}
				r.start(t)
				return r
			}
			a, b := machine("127.0.0.2"), machine("127.0.0.3")
			p, who := newProxy(t), newShop(t, a.env)
			begin(t, p, ops, a.listen, b.listen)
			p.servesDuring(t, who, func() { a.restart(t); b.restart(t) })
		})
	}
}

// A single server behind Caddy is restarted, and no request of merchants fails: Caddy waits for it.
func TestLongCaddyWaitsForALoneServer(t *testing.T) {
	t.Parallel()
	r, p := newRolling(t, pgtest.Database(t).ServiceURL()), newProxy(t)
	patient := substituted(t, "../../deploy/caddy/Caddyfile",
		"lb_try_duration 10s", "lb_try_duration 50s", // because the tests' machine may be slow
		"write 40s", "write 60s")
	slow := write(t, p.dir, "patient", patient)
	startCaddyWith(t, p, slow, portOf(r.ops), r.listen)
	p.servesDuring(t, newShop(t, r.env), func() { r.restart(t) })
}

// servesDuring makes merchants create during an action, at half the rate that nginx allows one address.
func (p *proxy) servesDuring(t *testing.T, who shop, do func()) {
	t.Helper()
	quit := make(chan struct{})
	stop := sync.OnceFunc(func() { close(quit) })
	defer stop()
	var sent atomic.Int64
	var all sync.WaitGroup
	for k := range 2 {
		client := p.from("127.0.0.1")
		all.Go(func() {
			pace := time.NewTicker(20 * time.Millisecond)
			defer pace.Stop()
			for n := 0; ; n++ {
				got, err := trySend(t, client, http.MethodPost, "/api/v1/payment-intents", who.signed(),
					strings.NewReader(order(fmt.Sprintf("u-%d-%d", k, n))))
				if err != nil || got.status != http.StatusCreated {
					t.Errorf("create: %d %s %v", got.status, got.body, err)
					return
				}
				sent.Add(1)
				select {
				case <-quit:
					return
				case <-pace.C:
				}
			}
		})
	}
	more := func() {
		had := sent.Load()
		pgtest.WaitFor(t, "more requests", func() bool { return sent.Load() > had+20 })
	}
	more()
	do()
	more()
	stop()
	all.Wait()
	t.Logf("%d requests, each answered", sent.Load())
}
