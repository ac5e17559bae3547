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

	"daftar/internal/worker"
)

const (
	latestFile = "latest"
	// publishEvery is how soon a new checkpoint is published; longestPause bounds the
	// pause while that fails.
	publishEvery = checkEvery
	longestPause = time.Minute
	// publishAtOnce is how many checkpoints are read at once.
	publishAtOnce = 100
	postLimit     = 10 * time.Second
	// claimLimit is how long one server may take to send a checkpoint.
	claimLimit = 2 * postLimit
)

// outlet is a destination of checkpoints.
type outlet interface {
	name() string
	// publish publishes the newest checkpoint, and older ones that the outlet lacks and
	// wants.
	publish(ctx context.Context, n *Notary, newest Checkpoint) error
}

// publishTo publishes checkpoints to an outlet until ctx ends.
func (n *Notary) publishTo(ctx context.Context, o outlet) {
	backoff := worker.Backoff{First: 2 * publishEvery, Longest: longestPause}
	for wait := publishEvery; worker.Sleep(ctx, wait); {
		err := n.publishNewest(ctx, o)
		if err == nil || ctx.Err() != nil {
			backoff.Reset()
			wait = publishEvery
			continue
		}
		wait = backoff.Next()
		n.metrics.failures.WithLabelValues(o.name()).Inc()
		n.log.Error().Err(err).Str("to", o.name()).Dur("pause", wait).Msg("transparency: checkpoint not published")
	}
}

func (n *Notary) publishNewest(ctx context.Context, o outlet) error {
	newest, err := Latest(ctx, n.pool)
	if errors.Is(err, ErrNoCheckpoint) {
		return nil
	}
	if err != nil {
		return err
	}
	return o.publish(ctx, n, newest)
}

// directory is a folder in which each checkpoint is a file. Servers may share it.
type directory struct {
	path      string
	published int64 // size of the newest that this server has written or found
}

func (d *directory) name() string { return "directory" }

// latest is the file with the newest checkpoint.
func (d *directory) latest() string { return filepath.Join(d.path, latestFile) }

// read is the newest checkpoint that the directory has, unverified; ErrNoCheckpoint
// where it has none.
func (d *directory) read() (Checkpoint, error) {
	text, err := os.ReadFile(d.latest())
	if errors.Is(err, fs.ErrNotExist) {
		return Checkpoint{}, ErrNoCheckpoint
	}
	if err != nil {
		return Checkpoint{}, fmt.Errorf("read published checkpoint: %w", err)
	}
	c, err := ParseCheckpoint(string(text))
	if err != nil {
		return Checkpoint{}, fmt.Errorf("read %s: %w", d.latest(), err)
	}
	return c, nil
}

func (d *directory) publish(ctx context.Context, n *Notary, newest Checkpoint) error {
	if newest.Size == d.published {
		return nil
	}
	there, err := d.read()
	var all []Checkpoint
	switch {
	case errors.Is(err, ErrNoCheckpoint):
		all = []Checkpoint{newest} // its tree contains those before it
	case err != nil:
		return err
	case there.Size > newest.Size:
		return nil // another server is ahead; or at the start CheckPublished has refused
	default:
		if err := n.contains(ctx, there); err != nil {
			return fmt.Errorf("%s: %w", d.latest(), err)
		}
		if all, err = checkpointsAfter(ctx, n.pool, there.Size, newest.Size, publishAtOnce); err != nil {
			return err
		}
		d.published = there.Size
	}
	for _, c := range all {
		for _, name := range []string{fmt.Sprintf("%020d", c.Size), latestFile} {
			if err := writeFile(d.path, name, c.Note); err != nil {
				return err
			}
		}
		d.published = c.Size
	}
	return nil
}

// writeFile writes a whole file or none, also after a crash.
func writeFile(dir, name, text string) error {
	f, err := os.CreateTemp(dir, ".new-")
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone after the rename
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Chmod(0o644) // public, unlike other files of the server
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err == nil {
		err = syncDir(dir)
	}
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	return nil
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// post sends checkpoints to a URL. What was accepted is noted in the database, so
// that servers share the work and a new one continues.
type post struct {
	url         string
	destination [sha256.Size]byte
	client      *http.Client
	known       int64 // size that was accepted, by this server's or another's sending
}

func newPost(address string) *post {
	return &post{url: address, destination: sha256.Sum256([]byte(address)), client: &http.Client{
		Timeout:       postLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (p *post) name() string { return "url" }

const (
	createPostSQL = `INSERT INTO transparency_posts (destination, size, posted_at) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING`
	// The claim fails where that checkpoint was sent already, or another server is sending.
	claimPostSQL = `
WITH claimed AS (
    UPDATE transparency_posts SET claimed_until = $3
    WHERE destination = (
        SELECT destination FROM transparency_posts
        WHERE destination = $1 AND size < $2 AND (claimed_until IS NULL OR claimed_until <= $4) FOR UPDATE SKIP LOCKED
    ) RETURNING 1
)
SELECT size, EXISTS (SELECT FROM claimed) FROM transparency_posts WHERE destination = $1`
	releasePostSQL = `UPDATE transparency_posts SET claimed_until = NULL WHERE destination = $1 AND claimed_until = $2`
	donePostSQL    = `
UPDATE transparency_posts SET size = greatest(size, $2), posted_at = $3, claimed_until = NULL WHERE destination = $1`
)

// publish sends the newest checkpoint, whose tree contains those of older ones that
// were not accepted in time. No transaction is open meanwhile: the destination is
// claimed, so other servers do not send the same. Where the server that claimed it
// dies, the next one may send a checkpoint a second time; so may one of the version
// before, which locks the row while it sends and knows no claims.
func (p *post) publish(ctx context.Context, n *Notary, newest Checkpoint) error {
	if newest.Size == p.known {
		return nil
	}
	now := n.now().Truncate(time.Microsecond) // as the database keeps it
	until := now.Add(claimLimit)
	if _, err := n.pool.Exec(ctx, createPostSQL, p.destination[:], now); err != nil {
		return fmt.Errorf("note destination: %w", err)
	}
	var claimed bool
	if err := n.pool.QueryRow(ctx, claimPostSQL, p.destination[:], newest.Size, until, now).Scan(&p.known, &claimed); err != nil {
		return fmt.Errorf("claim destination: %w", err)
	}
	if !claimed {
		return nil // sent already, or another server is sending it
	}
	if err := p.send(ctx, newest); err != nil {
		p.release(ctx, n, until)
		return err
	}
	if _, err := n.pool.Exec(ctx, donePostSQL, p.destination[:], newest.Size, n.now()); err != nil {
		return fmt.Errorf("note what was sent: %w", err)
	}
	p.known = newest.Size
	return nil
}

// release gives the destination back after a failure, also while the server stops.
// Where that fails, too, the claim ends by itself.
func (p *post) release(ctx context.Context, n *Notary, until time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = n.pool.Exec(ctx, releasePostSQL, p.destination[:], until)
}

func (p *post) send(ctx context.Context, c Checkpoint) error {
	ctx, cancel := context.WithTimeout(ctx, postLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(c.Note))
	if err != nil {
		return errors.New("the address for checkpoints cannot be used")
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	response, err := p.client.Do(request)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the address, which may hold a secret, is left out
		}
		return fmt.Errorf("send checkpoint: %w", err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 4<<10)) // so that the connection can be used again
	_ = response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("send checkpoint: answered %s", response.Status)
	}
	return nil
}
