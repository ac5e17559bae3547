package transparency

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daftar/internal/queue"
	"daftar/internal/wholefile"
)

const (
	latestFile = "latest"
	// publishEvery is how soon a new checkpoint is published.
	publishEvery = checkEvery
	// publishAtOnce is how many checkpoints are read at once.
	publishAtOnce = 100
	postLimit     = 10 * time.Second
	// claimLimit is how long one server may take to send a checkpoint.
	claimLimit = 2 * postLimit
)

// outlet is a destination of checkpoints.
type outlet interface {
	name() string
	// publish publishes the newest checkpoint, and older ones if the outlet keeps them.
	publish(ctx context.Context, n *Notary, newest Checkpoint) error
}

// publishTo publishes checkpoints to an outlet until ctx ends. That interrupts a request, which
// may be sent a second time.
func (n *Notary) publishTo(ctx context.Context, o outlet) {
	queue.Loop{
		Poll: publishEvery, Failing: "transparency: checkpoint not published",
		Log: n.log.With().Str("to", o.name()).Logger(),
	}.Run(ctx, func(ctx context.Context) (bool, error) {
		err := n.publishNewest(ctx, o)
		if err != nil && ctx.Err() == nil {
			n.metrics.failures.WithLabelValues(o.name()).Inc()
		}
		return false, err
	})
}

// publishNewest publishes the newest checkpoint that this server has signed or verified, not one
// that is only stored.
func (n *Notary) publishNewest(ctx context.Context, o outlet) error {
	newest, _ := n.remembered()
	if newest.Size == 0 {
		return nil
	}
	return n.stop(o.publish(ctx, n, newest))
}

// fileEvery is the interval of which one checkpoint gets a file named after its size.
const fileEvery = time.Minute

// directory is a folder with the newest checkpoint, and the first of each fileEvery, by
// the time of signing. Servers may share it.
type directory struct {
	path      string
	published int64     // size of the newest that this server has written, found or skipped
	filed     time.Time // the last fileEvery that has a file; zero: this server has written none
}

func (d *directory) name() string { return "directory" }

// Published is the newest checkpoint in a directory of published ones, unverified; zero
// if it has none.
func Published(dir string) (Checkpoint, error) { return newDirectory(dir).newest() }

// newDirectory is nil for no path.
func newDirectory(path string) *directory {
	if path == "" {
		return nil
	}
	return &directory{path: path}
}

// latest is the file with the newest checkpoint.
func (d *directory) latest() string { return filepath.Join(d.path, latestFile) }

// read is the newest checkpoint that the directory has, unverified; ErrNoCheckpoint
// if it has none.
func (d *directory) read() (Checkpoint, error) { return d.readFile(latestFile) }

func (d *directory) readFile(name string) (Checkpoint, error) {
	path := filepath.Join(d.path, name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Checkpoint{}, ErrNoCheckpoint
	}
	if err != nil {
		return Checkpoint{}, fmt.Errorf("read published checkpoint: %w", err)
	}
	c, err := ReadCheckpoint(text)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("read %s: %w", path, err)
	}
	return c, nil
}

func sizeFile(size int64) string { return fmt.Sprintf("%020d", size) }

func (d *directory) publish(ctx context.Context, n *Notary, newest Checkpoint) error {
	if newest.Size == d.published {
		return nil
	}
	existing, err := d.read()
	var all []Checkpoint
	switch {
	case errors.Is(err, ErrNoCheckpoint):
		all = []Checkpoint{newest} // its tree contains those of earlier ones
	case err != nil:
		return err
	default:
		if err := contains(ctx, n.pool, existing); err != nil {
			return fmt.Errorf("%s: %w", d.latest(), err)
		}
		if existing.Size > newest.Size {
			return nil // another server is ahead
		}
		d.published = max(d.published, existing.Size)
		if all, err = checkpointsAfter(ctx, n.pool, d.published, newest.Size, publishAtOnce); err != nil {
			return err
		}
	}
	for _, c := range all {
		if d.published = c.Size; c.Note != newest.Note && c.signedBy(n.key.own) != nil {
			continue // signed by another server with another key, or forged
		}
		if err := d.write(c); err != nil {
			d.published = existing.Size
			return err
		}
	}
	return nil
}

func (d *directory) write(c Checkpoint) error {
	var names []string
	at := c.SignedAt.Truncate(fileEvery)
	if !at.Equal(d.filed) {
		names = append(names, sizeFile(c.Size))
	}
	for _, name := range append(names, latestFile) {
		if err := wholefile.Write(filepath.Join(d.path, name), []byte(c.Note), 0o644); err != nil { // public
			return fmt.Errorf("write checkpoint: %w", err)
		}
	}
	d.filed = at
	return nil
}

// delivery sends checkpoints to an address. Accepted checkpoints are noted in the database, so
// that servers share the work and a new server continues it.
type delivery struct {
	kind        string
	address     string
	destination [sha256.Size]byte
	client      *http.Client
	send        func(ctx context.Context, n *Notary, c Checkpoint) error
	known       int64 // size that was accepted, from this server or another
	// unasked is true until this server has sent a checkpoint and got an answer once, whatever
	// the database says was accepted.
	unasked bool
}

func newDelivery(kind, address string) *delivery {
	return &delivery{
		kind:        kind,
		address:     address,
		destination: sha256.Sum256([]byte(address)),
		client: &http.Client{
			Timeout:       postLimit,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// newPost sends checkpoints as they are.
func newPost(address string) *delivery {
	d := newDelivery("url", address)
	d.send = func(ctx context.Context, _ *Notary, c Checkpoint) error {
		status, _, err := d.post(ctx, c.Note)
		if err == nil && (status < 200 || status > 299) {
			err = fmt.Errorf("send checkpoint: answered %d %s", status, http.StatusText(status))
		}
		return err
	}
	return d
}

func (d *delivery) name() string { return d.kind }

const (
	createPostSQL = `
INSERT INTO transparency_posts (destination, size, posted_at)
VALUES ($1, 0, $2)
ON CONFLICT DO NOTHING`
	// claimPostSQL differs from a queue.Table's claim: it claims the row of one destination, and
	// returns the size that was sent there also if the claim fails. It fails if that checkpoint was
	// sent already, or another server is sending. A size beyond the log, or a claim of more than
	// claimLimit, was not written by a server and is ignored.
	claimPostSQL = `
WITH claimed AS (
    UPDATE transparency_posts
    SET claimed_until = $3
    WHERE destination = (
        SELECT destination
        FROM transparency_posts
        WHERE destination = $1
          AND (size < $2 OR size > (SELECT max(position) FROM events))
          AND (claimed_until IS NULL
               OR claimed_until <= $4
               OR claimed_until > $3::timestamptz + interval '1 minute')
        FOR UPDATE SKIP LOCKED
    )
    RETURNING 1
)
SELECT size, EXISTS (SELECT FROM claimed)
FROM transparency_posts
WHERE destination = $1`
	donePostSQL = `
UPDATE transparency_posts
SET size = CASE WHEN size > (SELECT max(position) FROM events) THEN $2 ELSE greatest(size, $2) END,
    posted_at = $3, claimed_until = NULL
WHERE destination = $1`
)

var releasePostSQL = queue.Table{
	Name: "transparency_posts", Key: "destination", Lease: "claimed_until",
}.PutBack("")

// publish sends the newest checkpoint, whose tree contains those of older ones that
// were not accepted in time. No transaction is open meanwhile: the destination is
// claimed, so other servers do not send the same. If the server that claimed it
// dies, the next one may send a checkpoint a second time; so may a server of the previous
// version, which locks the row while it sends and has no claims.
func (d *delivery) publish(ctx context.Context, n *Notary, newest Checkpoint) error {
	if newest.Size == d.known {
		return nil
	}
	now := n.now().Truncate(time.Microsecond) // the precision of the database
	until := now.Add(claimLimit)
	if _, err := n.pool.Exec(ctx, createPostSQL, d.destination[:], now); err != nil {
		return fmt.Errorf("note destination: %w", err)
	}
	var claimed bool
	claim := n.pool.QueryRow(ctx, claimPostSQL, d.destination[:], newest.Size, until, now)
	if err := claim.Scan(&d.known, &claimed); err != nil {
		return fmt.Errorf("claim destination: %w", err)
	}
	if !claimed && !d.unasked {
		return nil // sent already, or another server is sending it
	}
	if err := d.send(ctx, n, newest); err != nil {
		// The claim is also released while the server stops. If that fails too, it expires.
		releasing, cancel := queue.Finish(ctx, time.Second, time.Second)
		defer cancel()
		_, _ = n.pool.Exec(releasing, releasePostSQL, d.destination[:], until, nil)
		return err
	}
	if _, err := n.pool.Exec(ctx, donePostSQL, d.destination[:], newest.Size, n.now()); err != nil {
		return fmt.Errorf("note what was sent: %w", err)
	}
	d.known, d.unasked = newest.Size, false
	return nil
}

// post sends a text and returns the answer. The error does not name the address, which may
// hold a secret.
func (d *delivery) post(ctx context.Context, text string) (status int, answer string, err error) {
	ctx, cancel := context.WithTimeout(ctx, postLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.address, strings.NewReader(text))
	if err != nil {
		return 0, "", errors.New("the address for checkpoints cannot be used")
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	response, err := d.client.Do(request)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err
		}
		return 0, "", fmt.Errorf("send checkpoint: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	// The body is read so that the connection can be used again.
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return 0, "", fmt.Errorf("send checkpoint: %w", err)
	}
	return response.StatusCode, string(body), nil
}
