package webhooks_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"testing"
	"time"

	"daftar/webhooks"
)

// authority signs certificates; the zero one is none.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// issue makes an authority's certificate, signed by another or by itself.
func issue(t *testing.T, name string, by authority) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := authority{key: key}
	a.certificate = sign(t, &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}, a.key.Public(), by, a.key)
	return a
}

func sign(t *testing.T, c *x509.Certificate, public any, by authority, own crypto.Signer) *x509.Certificate {
	t.Helper()
	parent, key := c, own
	if by.certificate != nil {
		parent, key = by.certificate, by.key
	}
	c.SerialNumber = big.NewInt(time.Now().UnixNano())
	text, err := x509.CreateCertificate(rand.Reader, c, parent, public, key)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := x509.ParseCertificate(text)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// leaf is a server's certificate, and those of authorities that it sends.
func (a authority) leaf(t *testing.T, host string, from, to time.Duration,
	sends ...authority,
) tls.Certificate {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048) // old ciphers need RSA
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		Subject: pkix.Name{CommonName: host}, NotBefore: time.Now().Add(from), NotAfter: time.Now().Add(to),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment,
	}
	if ip := net.ParseIP(host); ip != nil {
		c.IPAddresses = []net.IP{ip}
	} else {
		c.DNSNames = []string{host}
	}
	made := tls.Certificate{Certificate: [][]byte{sign(t, c, key.Public(), a, key).Raw}, PrivateKey: key}
	for _, sent := range sends {
		made.Certificate = append(made.Certificate, sent.certificate.Raw)
	}
	return made
}

// listen serves connections on this machine until the test ends.
func listen(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return "https://" + l.Addr().String() + "/hook"
}

// Each kind of TLS failure has its own word, so that a merchant does not search for the fault in
// a certificate that is right.
func TestFailuresOfTLSAreDistinguished(t *testing.T) {
	t.Parallel()
	const here, hour = "127.0.0.1", time.Hour
	trusted, root := issue(t, "Trusted", authority{}), issue(t, "Root", authority{})
	inner := issue(t, "Inner", root)
	good := root.leaf(t, here, -hour, hour, root)
	with := func(c *tls.Config) func(net.Conn) {
		return func(conn net.Conn) { _ = tls.Server(conn, c).Handshake() }
	}
	sending := func(c tls.Certificate) func(net.Conn) {
		return with(&tls.Config{Certificates: []tls.Certificate{c}})
	}
	saying := func(text string) func(net.Conn) {
		return func(conn net.Conn) { _, _ = io.WriteString(conn, text) }
	}
	// A server that knows no version after TLS 1.1 chooses that and sends no alert.
	oldHello := func(conn net.Conn) {
		hello := append([]byte{22, 3, 2, 0, 42, 2, 0, 0, 38, 3, 2}, make([]byte, 32)...)
		hello = append(hello, 0, 0xc0, 0x13, 0)
		_, _ = conn.Write(hello)
		_, _ = io.Copy(io.Discard, conn)
	}
	rows := []struct {
		what, class string
		serve       func(net.Conn)
	}{
		{"TLS 1.1 at most", "tls_protocol", with(&tls.Config{
			Certificates: []tls.Certificate{good}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11,
		})},
		{"TLS 1.1, chosen", "tls_protocol", oldHello},
		{"RSA key exchange only", "tls_protocol", with(&tls.Config{
			Certificates: []tls.Certificate{good}, MaxVersion: tls.VersionTLS12,
			CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA},
		})},
		{"another name", "tls_name", sending(root.leaf(t, "other.example", -hour, hour, root))},
		{"another address", "tls_name", sending(root.leaf(t, "127.0.0.2", -hour, hour, root))},
		{"expired", "tls_expired", sending(root.leaf(t, here, -2*hour, -hour, root))},
		{"not valid yet", "tls_early", sending(root.leaf(t, here, hour, 2*hour, root))},
		{"signed by itself", "tls", sending(authority{}.leaf(t, here, -hour, hour))},
		{"unknown issuer", "tls", sending(good)},
		{"unknown issuer, with the intermediate certificates", "tls",
			sending(inner.leaf(t, here, -hour, hour, inner, root))},
		{"intermediate certificate missing", "tls_chain", sending(inner.leaf(t, here, -hour, hour))},
		{"intermediate certificate missing, with the root", "tls_chain",
			sending(inner.leaf(t, here, -hour, hour, root))},
		{"client certificate required, which has the same alert in TLS 1.2", "tls_protocol",
			with(&tls.Config{
				Certificates: []tls.Certificate{trusted.leaf(t, here, -hour, hour)},
				ClientAuth:   tls.RequireAnyClientCert,
				MaxVersion:   tls.VersionTLS12,
			})},
		{"plain HTTP", "tls_plain", saying("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")},
		{"another protocol", "tls_plain", saying("SSH-2.0-OpenSSH_9.2p1\r\n")},
		{"nothing", "broken", func(net.Conn) {}},
	}
	w := newWorld(t)
	r := w.prepare(nil)
	pool := x509.NewCertPool()
	pool.AddCert(trusted.certificate)
	r.Transport().TLSClientConfig = &tls.Config{RootCAs: pool}
	ids := make([]webhooks.DeliveryID, len(rows))
	for n, row := range rows {
		ids[n] = w.createDelivery(w.shop(listen(t, row.serve)))
	}
	r.start(t)
	for n, row := range rows {
		w.attempted(ids[n], 1)
		if try := w.tries(ids[n])[0]; try.Error != row.class {
			t.Errorf("%s: error %q, want %q", row.what, try.Error, row.class)
		}
	}
}
