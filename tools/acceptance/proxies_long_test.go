//go:build long

package acceptance_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// payExample is the service's name in the guide's files, sandboxExample that of its sandbox.
const (
	payExample     = "pay.example"
	sandboxExample = "sandbox." + payExample
)

// proxy is nginx or Caddy with the configuration of deploy, in front of servers. It is reached by
// the service's name.
type proxy struct {
	process
	dir           string
	plain, secure string // the addresses for http and https
	roots         *x509.CertPool
	sandbox       string // the address of a sandbox that is behind it, too; empty: none is
	strict        bool   // its limits are low enough for a test to reach
}

// newProxy creates a certificate, and reserves two addresses.
func newProxy(t *testing.T) *proxy {
	t.Helper()
	p := &proxy{dir: t.TempDir(), plain: address(t), secure: address(t), roots: x509.NewCertPool()}
	certify := exec.CommandContext(t.Context(), "openssl", "req", "-x509",
		"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
		"-subj", "/CN="+payExample,
		"-addext", "subjectAltName=DNS:"+payExample+",DNS:"+sandboxExample+",IP:127.0.0.1",
		"-keyout", p.file("privkey.pem"), "-out", p.file("fullchain.pem"))
	if out, err := certify.CombinedOutput(); err != nil {
		t.Fatalf("openssl: %v: %s", err, out)
	}
	if !p.roots.AppendCertsFromPEM([]byte(read(t, p.file("fullchain.pem")))) {
		t.Fatal("openssl made no certificate")
	}
	return p
}

func (p *proxy) file(name string) string { return filepath.Join(p.dir, name) }

func startNginx(t *testing.T, p *proxy, servers ...string) {
	t.Helper()
	startNginxWith(t, p, "../../deploy/nginx/daftar.conf", servers...)
}

// startNginxWith uses Debian's nginx.conf, which includes the guide's file.
func startNginxWith(t *testing.T, p *proxy, file string, servers ...string) {
	t.Helper()
	upstream := "    server 127.0.0.1:8080 max_fails=1 fail_timeout=1s;\n"
	var lines strings.Builder
	for _, server := range servers {
		lines.WriteString(strings.Replace(upstream, "127.0.0.1:8080", server, 1))
	}
	site := write(t, p.dir, "daftar.conf", substituted(t, file,
		upstream, lines.String(),
		"listen 80;", "listen "+p.plain+";",
		"listen 443 ", "listen "+p.secure+" ",
		"/etc/letsencrypt/live/pay.example", p.dir,
		"/var/www/html", p.dir,
		"/var/log/nginx", p.dir,
	))
	if p.sandbox != "" {
		site = write(t, p.dir, "daftar.conf", substituted(t, site,
			"/etc/letsencrypt/live/"+sandboxExample, p.dir, "127.0.0.1:8090", p.sandbox))
	}
	if p.strict {
		site = write(t, p.dir, "daftar.conf", substituted(t, site,
			"rate=200r/s", "rate=5r/s",
			"burst=400", "burst=40",
			"daftar_connections 512", "daftar_connections 8",
		))
	}
	main := substituted(t, "/etc/nginx/nginx.conf",
		"/run/nginx.pid", p.file("nginx.pid"),
		"/var/log/nginx", p.dir,
		"/etc/nginx/sites-enabled/*", site,
		"include /etc/nginx/conf.d/*.conf;",
		"client_body_temp_path "+p.dir+"/body; proxy_temp_path "+p.dir+"/proxied;")
	if os.Geteuid() == 0 {
		if err := os.Chmod(filepath.Dir(p.dir), 0o755); err != nil { // nginx workers have another user
			t.Fatal(err)
		}
	}
	command := exec.Command(programOf(t, "nginx"), "-e", p.file("error.log"),
		"-c", write(t, p.dir, "nginx.conf", main), "-g", "daemon off;")
	p.await(t, command)
}

// startCaddy starts it in front of servers, all of which have the same operators' port.
func startCaddy(t *testing.T, p *proxy, opsPort string, servers ...string) {
	t.Helper()
	startCaddyWith(t, p, "../../deploy/caddy/Caddyfile", opsPort, servers...)
}

func startCaddyWith(t *testing.T, p *proxy, file, opsPort string, servers ...string) {
	t.Helper()
	text := substituted(t, file,
		"health_port 9090", "health_port "+opsPort,
		"reverse_proxy 127.0.0.1:8080 {", "reverse_proxy "+strings.Join(servers, " ")+" {",
		"pay.example {", "pay.example {\n\ttls "+p.file("fullchain.pem")+" "+p.file("privkey.pem"),
		"{\n\tservers {", "{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port "+portOf(p.plain)+
			"\n\thttps_port "+portOf(p.secure)+"\n\tservers {")
	config := write(t, p.dir, "Caddyfile", text)
	if p.sandbox != "" {
		config = write(t, p.dir, "Caddyfile", substituted(t, config, "127.0.0.1:8090", p.sandbox))
	}
	command := exec.Command(programOf(t, "caddy"), "run", "--config", config, "--adapter", "caddyfile")
	command.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH")}
	p.await(t, command)
}

// await starts the proxy. The command has no context, because its cancellation kills the process,
// and nginx's workers survive that.
func (p *proxy) await(t *testing.T, command *exec.Cmd) {
	t.Helper()
	p.process = process{programtest.Start(t, command)}
	pgtest.WaitFor(t, "the proxy to listen", func() bool {
		if p.Ended() {
			t.Fatalf("it ended: %s", p.Logged())
		}
		conn, err := net.Dial("tcp", p.secure)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// from returns a client at an address of this machine. Its requests to the service go to the proxy.
func (p *proxy) from(address string) *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			ForceAttemptHTTP2: true,
			TLSClientConfig:   &tls.Config{RootCAs: p.roots, MinVersion: tls.VersionTLS12},
			DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
				if portOf(to) == "443" {
					return dialer.DialContext(ctx, network, p.secure)
				}
				return dialer.DialContext(ctx, network, p.plain)
			},
		},
	}
}

// exchanged is an answer that came through a proxy.
type exchanged struct {
	status int
	header http.Header
	body   string
}

// send sends a request; a relative path is one of the service.
func send(t *testing.T, client *http.Client, method, path string,
	header http.Header, body io.Reader,
) exchanged {
	t.Helper()
	answer, err := trySend(t, client, method, path, header, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer
}

// trySend is send for other goroutines than the test's.
func trySend(t *testing.T, client *http.Client, method, path string,
	header http.Header, body io.Reader,
) (exchanged, error) {
	address := path
	if strings.HasPrefix(path, "/") {
		address = "https://" + payExample + path
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, body)
	if err != nil {
		return exchanged{}, err
	}
	maps.Copy(request.Header, header)
	response, err := client.Do(request)
	if err != nil {
		return exchanged{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return exchanged{response.StatusCode, response.Header, string(text)}, err
}

// signed returns a shop's credentials, with further headers.
func (s shop) signed(more ...string) http.Header {
	h := http.Header{
		"X-Api-Key": {s.key}, "Authorization": {"Bearer " + s.token}, "Content-Type": {"application/json"},
	}
	for n := 0; n+1 < len(more); n += 2 {
		h.Set(more[n], more[n+1])
	}
	return h
}

// backend is a Daftar server with a sandbox, and a shop.
type backend struct {
	*service
	who shop
	db  *pgtest.DB
}

func newBackend(t *testing.T) backend {
	t.Helper()
	db, bank := pgtest.Database(t), address(t)
	env := []string{"DAFTAR_SANDBOX_LISTEN=" + bank, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret}
	start(t, t.TempDir(), env, "sandbox-acquirer")
	s := serve(t, db.ServiceURL(), "DAFTAR_PUBLIC_URL=https://"+payExample, "DAFTAR_SANDBOX_URL=http://"+bank,
		"DAFTAR_SANDBOX_SECRET="+sandboxSecret)
	return backend{s, newShop(t, s.env, "--mode", "test"), db}
}

// pays makes a customer buy and pay through a proxy. It returns the secret part of the address.
func (b backend) pays(t *testing.T, p *proxy) (secret string) {
	t.Helper()
	customer := p.from("127.0.0.1")
	answer := send(t, customer, http.MethodPost, "/api/v1/payment-intents", b.who.signed(),
		strings.NewReader(order("paid")))
	created := parse[struct {
		Data struct {
			UUID        string
			CheckoutURL string `json:"checkout_url"`
		}
	}](t, answer.body).Data
	page := send(t, customer, http.MethodGet, created.CheckoutURL, nil, nil)
	if page.status != http.StatusOK || page.header.Get("Strict-Transport-Security") == "" ||
		page.header.Get("Content-Security-Policy") == "" {
		t.Errorf("the page: %d %v", page.status, page.header)
	}
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Sec-Fetch-Site": {"same-origin"}}
	for _, step := range []struct{ path, fields string }{
		{"/attempts", "method=wallet&phone=0912345678"},
		{"/code", "otp=111111"},
	} {
		got := send(t, customer, http.MethodPost, created.CheckoutURL+step.path, form,
			strings.NewReader(step.fields))
		if got.status != http.StatusSeeOther {
			t.Errorf("%s: %d %s", step.path, got.status, got.body)
		}
	}
	got := send(t, customer, http.MethodGet, "/api/v1/payment-intents/"+created.UUID, b.who.signed(), nil)
	if got.status != http.StatusOK || !strings.Contains(got.body, `"status":"succeeded"`) {
		t.Errorf("after the payment: %d %s", got.status, got.body)
	}
	address, err := url.Parse(created.CheckoutURL)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(address.Path, "/pay/")
}

// bodyLimits checks that Daftar refuses, in the form of its API, bodies that a proxy lets through.
func (b backend) bodyLimits(t *testing.T, p *proxy) {
	t.Helper()
	merchant := p.from("127.0.0.1")
	const path, refusal = "/api/v1/payment-intents", `{"message":"The body must be at most 128 KiB."}`
	for what, body := range map[string]io.Reader{
		"129 KiB": bytes.NewReader(make([]byte, 129<<10)), "900 KiB": bytes.NewReader(make([]byte, 900<<10)),
		"129 KiB in pieces": io.LimitReader(endless{}, 129<<10),
	} {
		got := send(t, merchant, http.MethodPost, path, b.who.signed(), body)
		if got.status != http.StatusRequestEntityTooLarge || got.body != refusal ||
			got.header.Get("X-Request-Id") == "" {
			t.Errorf("%s: %d %v %s", what, got.status, got.header, got.body)
		}
	}
	got := send(t, merchant, http.MethodPost, path, b.who.signed(), bytes.NewReader(make([]byte, 2<<20)))
	if got.status != http.StatusRequestEntityTooLarge || !strings.HasPrefix(got.body, `{"message":`) ||
		!strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
		t.Errorf("2 MiB: %d %v %s", got.status, got.header, got.body)
	}
	// A statement of 32 MiB gets through; this request has no session.
	form := http.Header{"Content-Type": {"multipart/form-data; boundary=x"}, "Sec-Fetch-Site": {"same-origin"}}
	got = send(t, merchant, http.MethodPost, "/dashboard/organizations/"+b.who.org+"/reconcile", form,
		bytes.NewReader(make([]byte, 32<<20)))
	if got.status == http.StatusRequestEntityTooLarge || got.status >= 500 ||
		got.header.Get("X-Request-Id") == "" {
		t.Errorf("32 MiB: %d %v", got.status, got.header)
	}
}

// endless is a body of letters.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for n := range p {
		p[n] = 'x'
	}
	return len(p), nil
}

// closedPaths checks that the proxy answers neither on the operators' paths nor for another name.
func (b backend) closedPaths(t *testing.T, p *proxy) {
	t.Helper()
	for _, path := range []string{"/metrics", "/readyz", "/healthz", "/debug/pprof/"} {
		if got := send(t, p.from("127.0.0.1"), http.MethodGet, path, nil, nil); got.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	// The handshake must fail before the certificate would be verified.
	another := &tls.Config{ServerName: "another.example", InsecureSkipVerify: true}
	conn, err := tls.Dial("tcp", p.secure, another)
	if err == nil {
		t.Errorf("another name gets a certificate: %v", conn.Close())
	}
	got := send(t, p.from("127.0.0.1"), http.MethodGet, "http://"+payExample+"/pay/x?y=1", nil, nil)
	target, err := url.Parse(got.header.Get("Location"))
	if err != nil || got.status != http.StatusPermanentRedirect || target.Scheme != "https" ||
		target.Hostname() != payExample || target.RequestURI() != "/pay/x?y=1" {
		t.Errorf("plain http: %d %v", got.status, got.header)
	}
}
