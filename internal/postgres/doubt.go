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

// breakOnDoubt has a connection break before the answer to a commit whose wait for the
// standbys was canceled. PostgreSQL has committed then, here alone, answers COMMIT, and
// says in a warning that this may not last: taken for a success it would be an
// acknowledgement that a promotion makes untrue. On a connection that breaks the outcome
// is unknown, which is what it is.
func breakOnDoubt(config *pgx.ConnConfig) {
	// Whatever a role or a database has set: without the warning nobody would know.
	config.RuntimeParams["client_min_messages"] = "warning"
	build := config.BuildFrontend
	config.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		return build(&doubtReader{from: r}, w)
	}
}

// doubtReader reads messages of PostgreSQL up to the warning.
type doubtReader struct {
	from io.Reader
	err  error // after the warning

	ready  bool    // the session has begun; before, there is nothing to be lost
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
			// The last byte of the warning and what comes after it are withheld.
			c.err = errDoubtfulCommit
			return at - 1, nil
		}
	}
	return n, err
}

// take reads on in the header or the body of a message, and returns by how many bytes.
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

// ended looks at a whole message, and makes ready for the next. It is true for the warning.
func (c *doubtReader) ended() bool {
	kind, notice := c.header[0], c.notice
	c.have, c.notice = 0, nil
	c.ready = c.ready || kind == 'Z'
	return kind == 'N' && c.ready && isDoubt(notice)
}

// isDoubt goes by severity, SQLSTATE and the function of PostgreSQL that warns, none of which
// is translated. The wait was canceled by a person (warning) or with the session
// (admin_shutdown). An owner's ANALYZE warns with the same code of tables that are not its
// own, from another function. A warning that names none, such as a proxy's, is doubted:
// what that costs is an outcome that has to be found out.
func isDoubt(notice []byte) bool {
	var m pgproto3.NoticeResponse
	if m.Decode(notice) != nil {
		return true
	}
	return m.SeverityUnlocalized == "WARNING" && (m.Code == "01000" || m.Code == "57P01") &&
		(m.Routine == "" || m.Routine == "SyncRepWaitForLSN")
}

// neverCancel keeps a configuration's connections from asking the server to cancel what
// they no longer wait for. At a commit that would end the wait for the standbys: what
// nobody has confirmed would be seen by others, and be gone after a promotion. What takes
// too long is ended by statement_timeout, which does not hold for a commit.
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

// undialable is where pgx is led that dials the address of a connection again, to have it
// canceled.
const undialable = "none"

var errNeverCanceled = errors.New("a session that commits is not canceled")

// uncancelableConn is a connection that pgx cannot have canceled.
type uncancelableConn struct {
	net.Conn

	abandoned atomic.Bool
}

// NetConn is for who looks for the connection below.
func (u *uncancelableConn) NetConn() net.Conn { return u.Conn }

// RemoteAddr is asked for by pgx when it gives the connection up.
func (u *uncancelableConn) RemoteAddr() net.Addr {
	u.abandoned.Store(true)
	return undialableAddr{u.Conn.RemoteAddr()}
}

// closeLimit bounds how long a server is waited for that was not canceled.
const closeLimit = 100 * time.Millisecond

// SetDeadline has pgx not wait for the last words of a server that it has not canceled:
// meanwhile the connection would keep its place in the pool.
func (u *uncancelableConn) SetDeadline(t time.Time) error {
	if soon := time.Now().Add(closeLimit); u.abandoned.Load() && t.After(soon) {
		t = soon
	}
	return u.Conn.SetDeadline(t)
}

type undialableAddr struct{ net.Addr }

func (undialableAddr) Network() string { return undialable }
