package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
)

// errDoubtfulCommit ends a connection on which PostgreSQL has warned that a commit may be
// lost with the primary.
var errDoubtfulCommit = errors.New("PostgreSQL warns of a commit that no standby has confirmed")

// breakOnDoubt makes a connection break before the answer to a commit whose wait for the
// standbys was canceled. PostgreSQL has then committed on the primary only, answers COMMIT,
// and warns that the commit may not last. If that were a success, a promotion could lose
// what was acknowledged. After a broken connection the outcome is unknown, which is the
// truth.
func breakOnDoubt(config *pgx.ConnConfig) {
	// A role or a database may have another setting, and would suppress the warning.
	config.RuntimeParams["client_min_messages"] = "warning"
	build := config.BuildFrontend
	config.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		return build(&doubtReader{from: r}, w)
	}
}

// doubtReader passes on messages of PostgreSQL up to the warning.
type doubtReader struct {
	from io.Reader
	err  error // after the warning

	ready  bool    // the session has begun; before that nothing can be lost
	header [5]byte // of the present message: its type and its length
	have   int     // of the header
	left   int     // of the body
	notice []byte  // the body of a notice, as far as it was read
}

// Read reads from the server.
func (c *doubtReader) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.from.Read(p)
	for at := 0; at < n; {
		taken := c.take(p[at:n])
		if at += taken; c.have == len(c.header) && c.left == 0 && c.ended() {
			// The last byte of the warning and everything after it are withheld.
			c.err = errDoubtfulCommit
			return at - 1, nil
		}
	}
	return n, err
}

// take reads more of the header or the body of a message, and returns how many bytes.
func (c *doubtReader) take(p []byte) int {
	if c.have < len(c.header) {
		n := copy(c.header[c.have:], p)
		if c.have += n; c.have == len(c.header) {
			c.left = int(binary.BigEndian.Uint32(c.header[1:])) - 4
		}
		return n
	}
	n := min(c.left, len(p))
	if c.left -= n; c.header[0] == 'N' {
		c.notice = append(c.notice, p[:n]...)
	}
	return n
}

// ended finishes a whole message, and prepares for the next. It reports whether that was the
// warning.
func (c *doubtReader) ended() bool {
	kind, notice := c.header[0], c.notice
	c.have, c.notice = 0, nil
	c.ready = c.ready || kind == 'Z'
	return kind == 'N' && c.ready && isDoubt(notice)
}

// isDoubt compares the severity, the SQLSTATE and the function of PostgreSQL that warns, none
// of which is translated. A person canceled the wait (warning), or the session was ended
// (admin_shutdown). ANALYZE warns with the same code, from another function, of tables that
// the user does not own. A warning that names no function, such as a proxy's, counts as
// doubt: the price is an outcome that has to be read again.
func isDoubt(notice []byte) bool {
	var m pgproto3.NoticeResponse
	if m.Decode(notice) != nil {
		return true
	}
	return m.SeverityUnlocalized == "WARNING" && (m.Code == "01000" || m.Code == "57P01") &&
		(m.Routine == "" || m.Routine == "SyncRepWaitForLSN")
}

// neverCancel keeps a configuration's connections from asking the server to cancel a
// statement whose caller has left. At a commit that would end the wait for the standbys:
// other sessions would see what no standby has, and a promotion would lose it. Long
// statements are ended by statement_timeout, which does not apply to a commit.
func neverCancel(config *pgx.ConnConfig) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if network == undialable {
			return nil, errNeverCanceled
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &uncancelableConn{Conn: conn}, nil
	}
}

// undialable is the network of a connection's address after pgx has given it up: pgx dials
// that address to cancel the statement, and must fail.
const undialable = "none"

var errNeverCanceled = errors.New("a session that commits is not canceled")

// uncancelableConn is a connection whose statements pgx cannot cancel.
type uncancelableConn struct {
	net.Conn

	abandoned atomic.Bool
}

// NetConn returns the connection below, as tls.Conn does.
func (u *uncancelableConn) NetConn() net.Conn { return u.Conn }

// RemoteAddr is called by pgx when it gives the connection up.
func (u *uncancelableConn) RemoteAddr() net.Addr {
	u.abandoned.Store(true)
	return undialableAddr{u.Conn.RemoteAddr()}
}

// closeLimit bounds the wait for a server that was not canceled.
const closeLimit = 100 * time.Millisecond

// SetDeadline keeps pgx from waiting for the answer of a server that it has not canceled:
// the connection would keep its place in the pool meanwhile.
func (u *uncancelableConn) SetDeadline(t time.Time) error {
	if soon := time.Now().Add(closeLimit); u.abandoned.Load() && t.After(soon) {
		t = soon
	}
	return u.Conn.SetDeadline(t)
}

type undialableAddr struct{ net.Addr }

func (undialableAddr) Network() string { return undialable }
