package export_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/export"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/natstest"
)

func TestParseServers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"nats://a:4222":                         {"nats://a:4222"},
		"tls://user:secret@a, nats://[::1]:1/":  {"tls://user:secret@a", "nats://[::1]:1/"},
		"":                                      nil,
		"a:4222":                                nil,
		"nats://":                               nil,
		"nats://:4222":                          nil,
		"nats://user:secret@":                   nil,
		"http://user:secret@a":                  nil,
		"nats://a,,nats://b":                    nil,
		"nats://user:secret@a/stream":           nil,
		"nats://user:secret@a?x=1":              nil,
		"nats://user:secret%zz@a:port":          nil,
		"nats://a,nats://user:secret@b:4222#xx": nil,
	} {
		got, err := export.ParseServers(text)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error repeats a secret: %v", text, err)
		}
	}
	servers := []string{
		"nats://127.0.0.1:4222", "nats://u:secret@10.0.0.1:4222", "tls://10.0.0.1", "nats://localhost",
		"nats://[::1]:4222", "nats://nats",
	}
	if got := export.Exposed(servers); !slices.Equal(got, []string{"10.0.0.1:4222", "nats"}) {
		t.Errorf("exposed are %v", got)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{
		"DAFTAR": true, "a-b_1": true, "": false, "a.b": false, "a b": false, "a*": false, ">": false,
		"a/b": false, "دفتر": false,
	} {
		if err := export.CheckStream(name); (err == nil) != ok {
			t.Errorf("stream %q: %v", name, err)
		}
	}
	for prefix, ok := range map[string]bool{
		"daftar.events": true, "x": true, "": false, "a..b": false, ".a": false, "a.*": false, "a.>": false,
		"$JS.API": false, "a b": false,
	} {
		if err := export.CheckSubjects(prefix); (err == nil) != ok {
			t.Errorf("subjects %q: %v", prefix, err)
		}
	}
}

// certificate creates a self-signed certificate for 127.0.0.1, and its key, as files.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, bytes []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", secret)
}

// The log is exported over TLS only to a server with a certificate that the given roots sign.
func TestTLS(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cert, key := certificate(t)
	w.nats = natstest.Start(t, "--tls", "--tlscert", cert, "--tlskey", key)
	w.add(3)
	stranger := w.exporter()
	pgtest.WaitFor(t, "the stranger to be refused", func() bool {
		return strings.Contains(stranger.log.String(), "certificate signed by unknown authority")
	})
	if stranger.metric(t, "connected") != 0 {
		t.Error("it connected all the same")
	}
	w.follow(w.exporter(func(c *export.Config) { c.CA = cert }), 10)
	w.waitFor(export.GroupName, 3)
}

// A wrong password is reported without the password, and the attempts continue.
func TestWrongPassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.nats = natstest.Start(t, "--user", "exporter", "--pass", "right")
	w.add(3)
	r := w.follow(w.exporter(func(c *export.Config) {
		c.Servers = []string{w.nats.Address("exporter:mistaken")}
	}), 10)
	pgtest.WaitFor(t, "the refusal in the log", func() bool {
		return strings.Contains(r.log.String(), "Authorization Violation")
	})
	// By default, the client library closes a connection after the same refusal twice.
	pgtest.WaitFor(t, "more attempts", func() bool { return r.metric(t, "failures_total", "connection") > 3 })
	if log := r.log.String(); strings.Contains(log, "mistaken") || strings.Contains(log, "connection closed") {
		t.Errorf("the log: %s", log)
	}
	w.wantQuiet()
}
