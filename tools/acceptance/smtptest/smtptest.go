package smtptest

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	_ "embed"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"daftar/tools/acceptance/programtest"
)

//go:embed server.py
var program []byte

// patience ends what hangs: it is longer than any step takes, also on a busy machine.
const patience = time.Minute

// Options are the settings of a Server.
type Options struct {
	// TLS makes it offer STARTTLS, with a certificate for 127.0.0.1.
	TLS bool
	// ImplicitTLS makes it expect TLS from the first byte, with such a certificate.
	ImplicitTLS bool
	// User and Password are required from clients if they are set.
	User, Password string
}

// Server is an SMTP server, running or not.
type Server struct {
	// Address is HOST:PORT, and Roots are the roots of its certificate.
	Address string
	Roots   *x509.CertPool
	// RootsFile has the roots in PEM; empty without TLS.
	RootsFile string

	t       testing.TB
	options map[string]any
	mails   chan Mail
	process *programtest.Program
}

// Mail is a mail that the server accepted.
type Mail struct {
	From, User string
	To         []string
	TLS        bool
	Header     netmail.Header
	Subject    string // decoded
	Text, HTML string
	Data       []byte
}

// Start starts a server.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{t: t, mails: make(chan Mail, 100)}
	s.options = map[string]any{
		"Port": 0, "User": o.User, "Password": o.Password,
		"Certificate": "", "Key": "", "ImplicitTLS": o.ImplicitTLS,
	}
	if o.TLS || o.ImplicitTLS {
		s.certify()
	}
	s.Start()
	return s
}

// Start starts the server again at the same address.
func (s *Server) Start() {
	s.t.Helper()
	options, err := json.Marshal(s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	// Debian's own Python has the module.
	python := "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		python = "python3"
	}
	script := filepath.Join(s.t.TempDir(), "server.py")
	if err := os.WriteFile(script, program, 0o600); err != nil {
		s.t.Fatal(err)
	}
	c := exec.Command(python, script, string(options)) //nolint:gosec,noctx // our own; Stop ends it
	reader, writer := io.Pipe()
	c.Stdout = writer
	s.process = programtest.Start(s.t, c)
	go func(ended <-chan struct{}) {
		<-ended
		_ = writer.Close()
	}(s.process.Done())
	ready := make(chan int, 1)
	go s.listen(reader, ready)
	select {
	case port := <-ready:
		if port == 0 {
			s.t.Fatal("smtptest: no SMTP server (make deps installs python3-aiosmtpd)")
		}
		s.options["Port"] = port
		s.Address = "127.0.0.1:" + strconv.Itoa(port)
	case <-time.After(patience):
		s.t.Fatal("smtptest: the SMTP server is not ready")
	}
}

// Stop stops the server and closes its port.
func (s *Server) Stop() {
	s.t.Helper()
	s.process.Stop(s.t, syscall.SIGKILL)
}

// Next waits for the next mail.
func (s *Server) Next() Mail {
	s.t.Helper()
	select {
	case m := <-s.mails:
		return m
	case <-time.After(patience):
		s.t.Fatal("smtptest: no mail has come")
		return Mail{}
	}
}

// Waiting is the number of mails that Next has not returned yet.
func (s *Server) Waiting() int { return len(s.mails) }

// listen reads the server's output, and reports its port; 0 if it ends without one.
func (s *Server) listen(out io.Reader, ready chan<- int) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Port int
			Mail
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			s.t.Errorf("smtptest: %s: %v", lines.Text(), err)
			continue
		}
		if line.Port != 0 {
			ready <- line.Port
			continue
		}
		if err := line.read(); err != nil {
			s.t.Errorf("smtptest: a mail that cannot be read: %v:\n%s", err, line.Data)
		}
		s.mails <- line.Mail
	}
	ready <- 0
}

// read parses the mail: a text and an HTML part.
func (m *Mail) read() error {
	message, err := netmail.ReadMessage(strings.NewReader(string(m.Data)))
	if err != nil {
		return err
	}
	m.Header = message.Header
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		return err
	}
	_, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	parts := multipart.NewReader(message.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return err
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			m.HTML = string(text)
		} else {
			m.Text = strings.ReplaceAll(string(text), "\r\n", "\n")
		}
	}
}

// certify creates a certificate that no machine trusts.
func (s *Server) certify() {
	s.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "smtptest"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		s.t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		s.t.Fatal(err)
	}
	dir := s.t.TempDir()
	write := func(name, kind string, bytes []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
			s.t.Fatal(err)
		}
		return path
	}
	s.RootsFile = write("certificate.pem", "CERTIFICATE", der)
	s.options["Certificate"], s.options["Key"] = s.RootsFile, write("key.pem", "PRIVATE KEY", private)
	s.Roots = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Roots.AddCert(parsed)
}
