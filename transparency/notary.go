package transparency

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/internal/failpoint"
)

const (
	// maxAge is how long an event may be in the tree without a checkpoint over it.
	maxAge = time.Second
	// checkEvery is how often a Notary checks for new events.
	checkEvery = maxAge / 4
	// spacing is the least time between two checkpoints: with one checkEvery it is
	// maxAge.
	spacing = maxAge - checkEvery
	// roundLimit bounds one check on a silent network.
	roundLimit = 10 * time.Second
	// reportEvery is how often an error that lasts is logged.
	reportEvery = time.Minute
)

// ErrForked says that the tree does not contain what was signed before. Nothing
// is signed until an operator has acted: a second history must not get a signature.
var ErrForked = errors.New("the tree contradicts a checkpoint that was signed before")

// Config is what a Notary needs.
type Config struct {
	// Pool reaches the tables with the rights of the service; its sessions commit
	// synchronously. A Notary uses one connection at a time, two where URL is set.
	Pool *pgxpool.Pool
	Key  Key
	// Now is the database's present time.
	Now func() time.Time
	// Dir takes every checkpoint as a file of its own, the newest also as
	// "latest"; "": nowhere.
	Dir string
	// URL is sent every new checkpoint by POST; "": none is.
	URL string
	Log zerolog.Logger
	// Registerer takes the metrics; nil: they are not exposed.
	Registerer prometheus.Registerer
}

// Notary signs checkpoints and publishes them. Run one per server: one of them
// signs, all publish.
type Notary struct {
	pool    *pgxpool.Pool
	key     Key
	now     func() time.Time
	log     zerolog.Logger
	metrics metrics
	outlets []outlet
	dir     *directory // among the outlets; nil: none

	reported   string // the error that was logged last, and when
	reportedAt time.Time
}

// New makes a Notary, registers its metrics and notes its public key in the
// database. It panics if the metrics are registered already.
func New(ctx context.Context, c Config) (*Notary, error) {
	if _, err := c.Pool.Exec(ctx, recordKeySQL, c.Key.Public(), c.Now()); err != nil {
		return nil, fmt.Errorf("record public key: %w", err)
	}
	n := &Notary{pool: c.Pool, key: c.Key, now: c.Now, log: c.Log, metrics: newMetrics(c.Registerer)}
	if c.Dir != "" {
		n.dir = &directory{path: c.Dir}
		n.outlets = append(n.outlets, n.dir)
	}
	if c.URL != "" {
		n.outlets = append(n.outlets, newPost(c.URL))
	}
	for _, o := range n.outlets {
		n.metrics.failures.WithLabelValues(o.name())
	}
	return n, nil
}

// Run signs and publishes until ctx ends.
func (n *Notary) Run(ctx context.Context) {
	var publishing sync.WaitGroup
	for _, o := range n.outlets { // each at its own pace
		publishing.Go(func() { n.publishTo(ctx, o) })
	}
	defer publishing.Wait()
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := n.signIfDue(ctx); err != nil && ctx.Err() == nil {
			n.reportThrottled(err)
		}
	}
}

// reportThrottled logs an error when it begins, when it changes, and every
// reportEvery while it lasts.
func (n *Notary) reportThrottled(err error) {
	if err.Error() == n.reported && time.Since(n.reportedAt) < reportEvery {
		return
	}
	n.reported, n.reportedAt = err.Error(), time.Now()
	n.log.Error().Err(err).Msg("transparency: no checkpoint signed")
}

const dueSQL = `
SELECT t.size, h.head, coalesce(c.size, 0), c.signed_at
FROM transparency_tree t
CROSS JOIN (SELECT coalesce(max(position), 0) AS head FROM events) h
LEFT JOIN (SELECT size, signed_at FROM transparency_checkpoints ORDER BY size DESC LIMIT 1) c ON true`

// signIfDue signs a checkpoint where one is due.
func (n *Notary) signIfDue(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	var size, head, signed int64
	var at *time.Time
	if err := n.pool.QueryRow(ctx, dueSQL).Scan(&size, &head, &signed, &at); err != nil {
		return fmt.Errorf("check for new events: %w", err)
	}
	now := n.now()
	n.metrics.show(size, head, signed, at, now)
	if size == signed || (at != nil && now.Sub(*at) < spacing) {
		return nil
	}
	err := n.signOne(ctx, now)
	failpoint.Here("transparency_after_checkpoint")
	n.metrics.forked.Set(0)
	if errors.Is(err, ErrForked) {
		n.metrics.forked.Set(1)
	}
	return err
}

const (
	trySignLockSQL = `SELECT pg_try_advisory_xact_lock($1)`
	storeSQL       = `INSERT INTO transparency_checkpoints (size, root, note, signed_at) VALUES ($1, $2, $3, $4)`
)

// signOne signs the tree as it is, unless another server is doing so. This
// commit is synchronous, and flushes what the feed committed asynchronously before
// it: a crash cannot lose the tree of a published checkpoint.
func (n *Notary) signOne(ctx context.Context, now time.Time) error {
	return pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, trySignLockSQL, signLock).Scan(&mine); err != nil || !mine {
			return err
		}
		before, err := Latest(ctx, tx)
		if err != nil && !errors.Is(err, ErrNoCheckpoint) {
			return err
		}
		size, err := treeSize(ctx, tx)
		if err != nil || size == before.Size || now.Sub(before.SignedAt) < spacing {
			return err
		}
		if size < before.Size {
			return fmt.Errorf("%w: it has %d events, the checkpoint %d", ErrForked, size, before.Size)
		}
		if before.Size > 0 {
			if err := checkRoot(ctx, tx, before); err != nil {
				return err
			}
		}
		root, err := rootAt(ctx, tx, size)
		if err != nil {
			return err
		}
		c, err := n.key.sign(size, root)
		if err != nil {
			return err
		}
		failpoint.Here("transparency_before_checkpoint")
		_, err = tx.Exec(ctx, storeSQL, c.Size, c.Root[:], c.Note, now)
		return err
	})
}
