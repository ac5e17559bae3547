package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

// Settings name the server that sends mail. The zero value has none: mail is off.
type Settings struct {
	Server   string // HOST:PORT, or smtps://HOST:PORT; see implicitTLS
	User     string // empty: the server requires no sign-in
	Password string
	From     netmail.Address
	// InClear lets mail go without STARTTLS; for a server on this machine (IsLocal).
	InClear bool
	// Roots vouch for the server's certificate; nil: those of the machine.
	Roots *x509.CertPool
}

// On reports whether there is a server.
func (s Settings) On() bool { return s.Server != "" }

// ParseServer reads HOST:PORT, which may have smtps:// before it.
func ParseServer(s string) (string, error) {
	if host, port := split(s); host == "" || port == 0 {
		return "", fmt.Errorf("%q is no HOST:PORT", s)
	}
	return s, nil
}

// smtps before an address means that its server expects TLS from the first byte.
const smtps = "smtps://"

// implicitTLS reports whether the server expects TLS from the first byte (RFC 8314) rather
// than STARTTLS: such a server sends no greeting that a client could wait for. Port 465 is
// registered for it; cloud providers offer 2465 where 465 is closed.
func (s Settings) implicitTLS() bool {
	_, port := split(s.Server)
	return strings.HasPrefix(s.Server, smtps) || port == 465 || port == 2465
}

// Security says for people how the connection to the server is encrypted.
func (s Settings) Security() string {
	switch {
	case s.implicitTLS():
		return "TLS from the first byte"
	case s.InClear:
		return "STARTTLS if it is offered, as on this machine"
	}
	return "STARTTLS"
}

// ParseFrom reads an address, with or without a name before it.
func ParseFrom(s string) (netmail.Address, error) {
	from, err := netmail.ParseAddress(s)
	if err != nil {
		return netmail.Address{}, fmt.Errorf("%q is no address such as Daftar <no-reply@pay.example>", s)
	}
	return *from, nil
}

// split returns the host and the port, "" and 0 if the address is invalid.
func split(server string) (host string, port int) {
	host, text, err := net.SplitHostPort(strings.TrimPrefix(server, smtps))
	if err != nil {
		return "", 0
	}
	n, _ := strconv.ParseUint(text, 10, 16) // 0 where it is no port
	return host, int(n)
}

// IsLocal reports whether the server is on this machine, where no network can be tapped.
func IsLocal(server string) bool {
	host, _ := split(server)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// sendLimit bounds the whole conversation with the server about one mail.
const sendLimit = 30 * time.Second

// client makes a client that connects when it is used. Its connection ends with ctx at the
// latest.
func (s Settings) client(ctx context.Context) (*mail.Client, error) {
	host, port := split(s.Server)
	security := &tls.Config{ServerName: host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12}
	policy := mail.TLSMandatory
	if s.InClear {
		policy = mail.TLSOpportunistic
		security.InsecureSkipVerify = true // plain text would do
	}
	options := []mail.Option{
		mail.WithPort(port),
		mail.WithTimeout(sendLimit),
		mail.WithTLSPolicy(policy),
		mail.WithTLSConfig(security),
		mail.WithDialContextFunc(func(dialing context.Context, network, address string) (net.Conn, error) {
			var dialer net.Dialer
			conn, err := dialer.DialContext(dialing, network, address)
			if err != nil {
				return nil, err
			}
			// The library does not close a connection on which no mail was begun.
			context.AfterFunc(ctx, func() { _ = conn.Close() })
			if !s.implicitTLS() {
				return conn, nil
			}
			secured := tls.Client(conn, security)
			if err := secured.HandshakeContext(dialing); err != nil {
				return nil, err
			}
			return secured, nil
		}),
	}
	if s.implicitTLS() {
		options = append(options, mail.WithSSL()) // no STARTTLS within
	}
	if s.User != "" {
		options = append(options, mail.WithUsername(s.User), mail.WithPassword(s.Password),
			mail.WithOpportunisticSMTPAuth(mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthPlain, mail.SMTPAuthLogin))
	}
	return mail.NewClient(host, options...)
}

// Check connects to the server and signs in, and sends nothing.
func (s Settings) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	c, err := s.client(ctx)
	if err != nil {
		return err
	}
	connected, err := c.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return fmt.Errorf("reach %s: %w", s.Server, s.explain(err))
	}
	return c.CloseWithSMTPClient(connected)
}

// explain adds the likely cause to an error: client and server disagree on when TLS begins.
func (s Settings) explain(err error) error {
	if _, plain := errors.AsType[tls.RecordHeaderError](err); plain && s.implicitTLS() {
		return fmt.Errorf("the server does not speak TLS from the first byte; "+
			"one that offers STARTTLS is on port 587: %w", err)
	}
	if failed, is := errors.AsType[*net.OpError](err); is && failed.Op == "read" && !s.implicitTLS() {
		return fmt.Errorf("no answer; a server that expects TLS from the first byte, as on port 465, "+
			"is given as %sHOST:PORT: %w", smtps, err)
	}
	return err
}
