package export

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// Config is where to publish the log. The caller has checked it by ParseServers, CheckStream,
// CheckSubjects and CheckFile.
type Config struct {
	// Servers are addresses of one cluster, as ParseServers returns them.
	Servers []string
	// Stream is the stream's name, and Subjects the prefix of its subjects.
	Stream, Subjects string
	// Credentials is a file as `nsc` writes it, and CA a file with the certificates
	// of the servers' authorities; empty: none. Credentials are read for each
	// connection, so that they can be replaced.
	Credentials, CA string
	Log             zerolog.Logger
	Registerer      prometheus.Registerer // nil: the metrics are not exposed
	// BatchLimit is how long a batch may take: its transaction locks the group's offset
	// meanwhile. 0 is 15 s.
	BatchLimit time.Duration
}

// NATS publishes the log to JetStream. Its methods may be called from anywhere.
type NATS struct {
	config  Config
	log     zerolog.Logger
	conn    *nats.Conn
	js      jetstream.JetStream
	metrics metrics
	// verified says that the stream exists and is configured as the export needs it. A
	// failure or a new connection resets it.
	verified atomic.Bool
	// link ends with the connection: messages that were not acknowledged by then never
	// will be.
	link atomic.Pointer[link]
	// outageLogged limits an outage to one line of the log.
	outageLogged atomic.Bool
}

// link is a connection, which ends with its context.
type link struct {
	ctx   context.Context
	close context.CancelFunc
}

func newLink() *link {
	ctx, cancel := context.WithCancel(context.Background())
	return &link{ctx: ctx, close: cancel}
}

const (
	connectLimit = 2 * time.Second
	// reconnectWait is the pause between attempts.
	reconnectWait = 500 * time.Millisecond
	// Pings detect within 10 to 15 seconds that the other end of a connection is gone.
	pingInterval = 5 * time.Second
	pingsMissing = 2
)

// New connects, in the background where NATS is out of reach. Errors: a Config that
// cannot work; none contains a credential. It panics if the metrics are registered
// already.
func New(c Config) (*NATS, error) {
	c.BatchLimit = cmp.Or(c.BatchLimit, 15*time.Second)
	x := &NATS{
		config:  c,
		log:     c.Log.With().Str("stream", c.Stream).Logger(),
		metrics: newMetrics(c.Registerer),
	}
	x.link.Store(newLink())
	options := []nats.Option{
		nats.Name("daftar"),
		nats.Timeout(connectLimit),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.IgnoreAuthErrorAbort(),
		nats.PingInterval(pingInterval),
		nats.MaxPingsOutstanding(pingsMissing),
		// A message that cannot be sent fails at once: the feed tries the batch again.
		nats.ReconnectBufSize(-1),
		nats.ConnectHandler(x.connected),
		nats.ReconnectHandler(x.connected),
		nats.DisconnectErrHandler(x.disconnected),
		nats.ReconnectErrHandler(x.unreachable),
		nats.ErrorHandler(x.asyncError),
	}
	if c.Credentials != "" {
		options = append(options, nats.UserCredentials(c.Credentials))
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	var err error
	if x.conn, err = nats.Connect(strings.Join(c.Servers, ","), options...); err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	if x.js, err = jetstream.New(x.conn); err != nil {
		x.Close()
		return nil, fmt.Errorf("use JetStream: %w", err)
	}
	return x, nil
}

// Close ends the connection. The group must have ended before.
func (x *NATS) Close() { x.conn.Close() }

// CheckFile returns why a file cannot be read; the empty path is no file, and no error.
func CheckFile(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// CheckStream checks the name of a stream.
func CheckStream(name string) error {
	if !isSubject(name) || strings.ContainsAny(name, `./\`) {
		return fmt.Errorf("%q is no name of a stream: letters, digits, - and _", name)
	}
	return nil
}

// CheckSubjects checks the prefix of subjects.
func CheckSubjects(prefix string) error {
	if !isSubject(prefix) || strings.HasPrefix(prefix, "$") {
		return fmt.Errorf("%q is no beginning of a subject such as daftar.events", prefix)
	}
	return nil
}

// ParseServers reads the addresses of one cluster, with commas between them. The error has
// the number of the wrong one, and not its text, which may contain a credential.
func ParseServers(text string) ([]string, error) {
	var all []string
	for address := range strings.SplitSeq(text, ",") {
		address = strings.TrimSpace(address)
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Hostname() == "" || (u.Scheme != "nats" && u.Scheme != "tls") ||
			(u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "" {
			return nil, fmt.Errorf("address %d is not of the form nats://HOST:4222 or "+
				"tls://USER:PASSWORD@HOST:4222", len(all)+1)
		}
		all = append(all, address)
	}
	return all, nil
}

// Exposed are the servers to which the log would go unencrypted over a network, without
// their credentials.
func Exposed(servers []string) []string {
	var all []string
	for _, address := range servers {
		u, err := url.Parse(address)
		if err != nil || u.Scheme == "tls" || u.Hostname() == "localhost" {
			continue
		}
		if ip, err := netip.ParseAddr(u.Hostname()); err == nil && ip.IsLoopback() {
			continue
		}
		all = append(all, u.Host)
	}
	return all
}

func (x *NATS) connected(c *nats.Conn) {
	x.link.Swap(newLink()).close()
	x.verified.Store(false)
	x.outageLogged.Store(false)
	x.metrics.connected.Set(1)
	x.log.Info().Str("server", c.ConnectedUrlRedacted()).Msg("connected to NATS")
}

func (x *NATS) disconnected(_ *nats.Conn, err error) {
	x.link.Load().close()
	x.verified.Store(false)
	x.metrics.connected.Set(0)
	if err != nil { // nil after Close
		x.log.Warn().Err(err).Msg("connection to NATS lost")
	}
}

func (x *NATS) unreachable(_ *nats.Conn, err error) {
	if !x.outageLogged.Swap(true) {
		x.log.Warn().Err(err).Msg("NATS is out of reach, trying again; the export waits")
	}
}

// asyncError logs errors that belong to no call, such as a missing permission.
func (x *NATS) asyncError(_ *nats.Conn, _ *nats.Subscription, err error) {
	x.log.Warn().Err(err).Msg("NATS reports an error")
}
