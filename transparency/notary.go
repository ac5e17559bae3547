package transparency

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"golang.org/x/mod/sumdb/tlog"

	"daftar/eventstore"
	"daftar/internal/failpoint"
	"daftar/internal/postgres"
	"daftar/internal/worker"
)

const (
	// maxAge is how long an event may be in the tree before a checkpoint covers it.
	maxAge = time.Second
	// checkEvery is how often a Notary checks for new events while there are any, and
	// restEvery, with all that Polls asks, while the newest checkpoint covers the log.
	checkEvery = maxAge / 4
	restEvery  = maxAge
	// spacing is the least time between two checkpoints: together with one checkEvery it is
	// maxAge.
	spacing = maxAge - checkEvery
	// roundLimit bounds one check on a silent network.
	roundLimit = 10 * time.Second
	// reportEvery is how often a lasting error is logged.
	reportEvery = time.Minute
	// signAtMost is how many events a checkpoint may cover that the one before did not: so
	// many are hashed well within roundLimit.
	signAtMost = 4 * chunkSize
)

// ErrForked says that the log does not contain what was signed before. Nothing
// is signed until an operator has acted: a second history must not get a signature.
var ErrForked = errors.New("the log contradicts a checkpoint that was signed before")

// Config is what a Notary needs.
type Config struct {
	// Pool reaches the tables with the rights of the service; its sessions commit
	// synchronously. A Notary uses at most one connection at a time to sign, one for each
	// destination, and one to delete old checkpoints.
	Pool  *pgxpool.Pool
	Polls *worker.Polls // nil: the Notary polls alone
	Key   Key
	// Now is the database's present time.
	Now func() time.Time
	// Dir is where each new checkpoint is written to the file "latest", and one a minute to a
	// file that stays; "": nowhere.
	Dir string
	// URL is where every new checkpoint is sent by POST; "": nowhere.
	URL string
	// Witnesses are asked to cosign every new checkpoint.
	Witnesses []Witness
	Log       zerolog.Logger
	// Registerer takes the metrics; nil: they are not exposed.
	Registerer prometheus.Registerer
}

// Notary signs checkpoints and publishes them. Run one per server: one of them
// signs, all publish.
type Notary struct {
	pool    *pgxpool.Pool
	polls   *worker.Polls
	due     worker.Signal // a poll has found that something differs from last
	key     Key
	now     func() time.Time
	log     zerolog.Logger
	metrics metrics
	outlets []outlet
	dir     *directory // one of the outlets; nil: none

	mu     sync.Mutex
	last   Checkpoint // the newest that this server has signed or verified; zero: none yet
	forked error      // why nothing is signed any more; nil: checkpoints are signed

	watch   watch // used by the goroutine that signs
	thinned int64 // size up to which checkpoints were thinned; used by that goroutine

	reported   string // the error that was logged last, and when
	reportedAt time.Time
}

// New makes a Notary, registers its metrics and notes its public key in the
// database. It panics if the metrics are registered already.
func New(ctx context.Context, c Config) (*Notary, error) {
	if _, err := c.Pool.Exec(ctx, recordKeySQL, c.Key.Public(), c.Now()); err != nil {
		return nil, fmt.Errorf("record public key: %w", err)
	}
	n := &Notary{
		pool:    c.Pool,
		polls:   cmp.Or(c.Polls, worker.NewPolls(c.Pool, restEvery)),
		due:     worker.NewSignal(),
		key:     c.Key,
		now:     c.Now,
		log:     c.Log,
		metrics: newMetrics(c.Registerer),
	}
	if n.dir = newDirectory(c.Dir); n.dir != nil {
		n.outlets = append(n.outlets, n.dir)
	}
	if c.URL != "" {
		n.outlets = append(n.outlets, newPost(c.URL))
	}
	for _, w := range c.Witnesses {
		n.outlets = append(n.outlets, newSubmission(w))
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
	publishing.Go(func() { n.thin(ctx) })
	defer publishing.Wait()
	publishing.Go(func() { n.polls.Watch(ctx, n.askForNew, func(error) { n.due.Set() }) })
	var covered bool
	var err error
	for n.pause(ctx, covered) {
		covered, err = n.signIfDue(ctx)
		if err != nil && ctx.Err() == nil {
			n.reportThrottled(err)
		}
	}
}

// pause returns when the next check is due; false if ctx has ended.
func (n *Notary) pause(ctx context.Context, covered bool) bool {
	if covered {
		return n.due.Wait(ctx, worker.SafetyPoll)
	}
	return worker.Sleep(ctx, checkEvery)
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

// remembered is the newest checkpoint that this server has signed or verified, and the error
// for which it signs no more.
func (n *Notary) remembered() (Checkpoint, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last, n.forked
}

func (n *Notary) remember(c Checkpoint) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = c
}

// stop ends the signing until the server is restarted, if err is ErrForked. The first reason is
// kept.
func (n *Notary) stop(err error) error {
	if !errors.Is(err, ErrForked) {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.forked = cmp.Or(n.forked, err)
	n.metrics.forked.Set(1)
	return err
}

// advance remembers the newest checkpoint of other servers, once the log proves that
// it extends the one that this server remembers, and returns the newest checkpoint.
func (n *Notary) advance(ctx context.Context, q postgres.Querier) (Checkpoint, error) {
	last, err := n.remembered()
	if err != nil {
		return last, err
	}
	stored, err := n.key.newest(ctx, q)
	if err != nil && !errors.Is(err, ErrNoCheckpoint) {
		return last, err
	}
	switch {
	case stored.Note == last.Note:
		return last, nil
	case last.Size == 0: // after a start
		err = contains(ctx, q, stored)
	case stored.Size < last.Size:
		return last, n.stop(stillStored(ctx, q, last))
	case stored.Size == last.Size:
		err = sameRoot(stored, last.Root)
	default:
		var root tlog.Hash
		if root, err = extendedRoot(ctx, q, last, stored.Size); err == nil {
			err = sameRoot(stored, root)
		}
	}
	if err == nil || last.Size == 0 && errors.Is(err, ErrForked) {
		n.remember(stored)
		last = stored
	}
	return last, n.stop(err)
}

func sameRoot(c Checkpoint, root tlog.Hash) error {
	if c.Root != root {
		return fmt.Errorf("%w: at size %d its root is %s, signed was %s", ErrForked, c.Size, root, c.Root)
	}
	return nil
}

const isStoredSQL = `SELECT FROM transparency_checkpoints WHERE size = $1 AND note = $2`

// stillStored returns ErrForked if a checkpoint is gone from the database, whose
// newest rows may all be forged.
func stillStored(ctx context.Context, q postgres.Querier, c Checkpoint) error {
	gone := fmt.Errorf("%w: the one of size %d is gone from the database", ErrForked, c.Size)
	scan := func(pgx.CollectableRow) (struct{}, error) { return struct{}{}, nil }
	_, err := postgres.Find(ctx, q, "look for a checkpoint", gone, scan, isStoredSQL, c.Size, c.Note)
	return err
}

const dueSQL = `
SELECT t.size, h.head,
       coalesce((SELECT c.note
                 FROM transparency_checkpoints c
                 ORDER BY c.size DESC
                 LIMIT 1), '')
FROM transparency_tree t
CROSS JOIN (` + eventstore.HeadSQL + `) AS h(head)`

// signIfDue signs a checkpoint if one is due. It returns true if the newest one
// covered the whole log already.
func (n *Notary) signIfDue(ctx context.Context) (covered bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	covered, err = n.round(ctx)
	n.showForked(err)
	return covered, err
}

func (n *Notary) round(ctx context.Context) (covered bool, err error) {
	var size, head int64
	var newest string
	switch err := n.pool.QueryRow(ctx, dueSQL).Scan(&size, &head, &newest); {
	case errors.Is(err, pgx.ErrNoRows):
		return false, asFork(errNoTree)
	case postgres.Classify(err) == postgres.OutOfDate: // a table is gone
		return false, fmt.Errorf("%w: %w", ErrForked, err)
	case err != nil:
		return false, fmt.Errorf("check for new events: %w", err)
	}
	if err := n.findLost(ctx); err != nil {
		return false, err
	}
	now := n.now()
	last, err := n.remembered()
	if err == nil && last.Note != newest {
		last, err = n.advance(ctx, n.pool)
	}
	covered = err == nil && last.Size == head
	n.metrics.show(size, head, last, now)
	if err == nil && isDue(last, size, now) {
		err = n.signOne(ctx, now)
		failpoint.Here("transparency_after_checkpoint")
	} else if err == nil {
		err = n.checkTree(ctx, last, now)
	}
	return covered, err
}

// isDue reports whether a tree of a size gets a checkpoint.
func isDue(last Checkpoint, size int64, now time.Time) bool {
	return size != last.Size && now.Sub(last.SignedAt) >= spacing
}

const storeSQL = `
INSERT INTO transparency_checkpoints (size, root, note, signed_at)
VALUES ($1, $2, $3, $4)`

// signOne signs the log as far as it is in the tree, unless another server is doing so. Its
// commit is synchronous, and also flushes earlier asynchronous commits of the feed:
// a crash cannot lose the tree of a published checkpoint.
func (n *Notary) signOne(ctx context.Context, now time.Time) error {
	var signed Checkpoint
	err := pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, tryLockSQL, signLock).Scan(&mine); err != nil || !mine {
			return err
		}
		last, err := n.advance(ctx, tx)
		if err != nil {
			return err
		}
		size, err := treeSize(ctx, tx)
		if err != nil || !isDue(last, size, now) {
			return err
		}
		if size < last.Size { // a tree that is built again grows back, and must have the same root
			return fmt.Errorf("%w: the tree has %d events, the checkpoint %d", ErrForked, size, last.Size)
		}
		size = min(size, last.Size+signAtMost)
		root, err := extendedRoot(ctx, tx, last, size)
		if err != nil {
			return n.stop(err)
		}
		if signed, err = n.key.sign(size, root); err != nil {
			return err
		}
		signed.SignedAt = now
		failpoint.Here("transparency_before_checkpoint")
		if _, err = tx.Exec(ctx, storeSQL, signed.Size, signed.Root[:], signed.Note, now); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, noteSignedSQL, storedHere[:], signed.Size, now)
		return err
	})
	if err == nil && signed.Size > 0 {
		n.remember(signed)
	}
	return err
}
