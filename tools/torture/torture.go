package torture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"daftar/internal/failpoint"
)

// Config of a run.
type Config struct {
	Seed   uint64
	Length time.Duration // of the faults; at least Shortest
	// Daftar is the absolute path of the program under test. Built with the tag failpoints it
	// also crashes at its crash points (F2). daftar-dev, which runs the acquirers, is in the
	// same folder.
	Daftar string
	// CrashPoints is set if Daftar was built with that tag.
	CrashPoints bool
	// Rate is how many creates a second merchants make while there are no faults; 0: 90.
	Rate float64
	// Dir is where the run's own directory is made; empty: os.TempDir.
	Dir string
	// Keep keeps that directory even if the run passed.
	Keep bool
	// Verbose prints every strike.
	Verbose bool
	// QuietLimit is how long it may take until nothing is left to be done; 0: 60 s.
	QuietLimit time.Duration
	// Progress receives progress messages for people; nil: none are written.
	Progress io.Writer
	// Promotions is how often the standby is promoted, in addition to other faults; 0: there
	// is a single PostgreSQL, which is killed and restarted.
	Promotions int
	// Creates is how many must be acknowledged before the run ends; 0: any number.
	Creates int64
	// Marks makes a missed time limit fail the run. On a busy machine some are missed.
	Marks bool
}

const (
	defaultRate  = 90
	defaultQuiet = time.Minute
	longRun      = 10 * time.Minute
	reportEvery  = 5 * time.Second
)

// ErrTooShort is returned for a run that is too short for every fault to happen.
var ErrTooShort = fmt.Errorf("the faults need at least %v", Shortest)

// lockedWriter is a writer for many goroutines.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *lockedWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(b)
}

func (c Config) progressf(format string, args ...any) {
	fmt.Fprintf(c.Progress, format+"\n", args...)
}

// Run runs the fault suite. An error means that the suite itself could not work; a service
// that broke a promise gives a report that is not OK.
func Run(ctx context.Context, c Config) (Report, error) {
	if c.Promotions > 0 {
		c.Length = max(c.Length, Shortest, time.Duration(c.Promotions)*promotionEvery)
	}
	if c.Length < Shortest {
		return Report{}, ErrTooShort
	}
	if c.Rate == 0 {
		c.Rate = defaultRate
	}
	if c.QuietLimit == 0 {
		c.QuietLimit = defaultQuiet
	}
	if c.Progress == nil {
		c.Progress = io.Discard
	}
	c.Progress = &lockedWriter{to: c.Progress}
	c.progressf("SEED=%d, faults for %v; preparing PostgreSQL, four servers and the acquirer", c.Seed, c.Length)
	s, err := prepare(ctx, c)
	if err != nil {
		if s.dir != "" {
			err = fmt.Errorf("%w (logs are kept in %s)", err, s.dir)
		}
		return Report{}, err
	}
	defer s.close()
	n := &nemesis{crowd: newCrowd(s), plan: Plan(c.Seed, c.Length), points: servingPoints(c.CrashPoints)}
	if c.Promotions > 0 {
		n.plan = PlanPromotions(c.Seed, c.Promotions, c.Length)
	}
	r, err := n.run(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("%w (logs are kept in %s)", err, s.dir)
	}
	if err := r.write(filepath.Join(s.dir, "report.json")); err != nil {
		return r, err
	}
	if r.OK && !c.Keep {
		s.close()
		r.Dir = ""
		return r, errors.Join(s.removeNodes(), os.RemoveAll(s.dir))
	}
	return r, nil
}

// servingPoints are the names of the crash points; none if the program has none.
func servingPoints(has bool) []string {
	var names []string
	for _, p := range failpoint.Points {
		if has {
			names = append(names, p.Name)
		}
	}
	return names
}

// run starts clients and faults, heals the faults at the end, and checks.
func (n *nemesis) run(ctx context.Context) (Report, error) {
	living, end := context.WithCancel(ctx)
	defer end()
	var others sync.WaitGroup
	n.began = time.Now()
	started := n.recorder.Now()
	others.Go(func() { n.runClients(living) })
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	var watchers sync.WaitGroup
	for _, work := range []func(context.Context){n.watch, n.checkMeanwhile, n.progress} {
		watchers.Go(func() { work(watching) })
	}
	n.strike(ctx)
	wait(ctx, time.Until(n.began.Add(n.Length)))
	// After a fault that could not be healed there may be no primary and no further create.
	for n.acknowledged.Load() < n.Creates && !n.polluted() && wait(ctx, reportEvery) {
	}
	end()
	others.Wait()
	stopWatching()
	watchers.Wait()
	if ctx.Err() != nil {
		return Report{}, fmt.Errorf("interrupted: %w", ctx.Err())
	}
	n.progressf("%6.1fs the faults are over: healing, and waiting until nothing is left to be done",
		(n.recorder.Now() - started).Seconds())
	if err := n.heal(ctx); err != nil {
		return Report{}, err
	}
	took, waiting := n.awaitQuiet(ctx, n.QuietLimit)
	n.progressf("       quiet after %.1f s %s", took.Seconds(), waiting)
	return n.verdict(ctx, took, waiting)
}

// polluted reports whether a fault failed, so that the run proves nothing.
func (n *nemesis) polluted() bool {
	n.note.Lock()
	defer n.note.Unlock()
	return len(n.pollution) > 0
}

// progress prints the progress of the run every few seconds.
func (n *nemesis) progress(ctx context.Context) {
	before := int64(0)
	for wait(ctx, reportEvery) {
		now := n.acknowledged.Load()
		n.mu.Lock()
		complained := n.complained
		n.mu.Unlock()
		up := 0
		for _, one := range n.all() {
			if one.up.Load() {
				up++
			}
		}
		n.progressf("%6.1fs %7d creates (%.0f a second), %d faults, %d of 4 servers up, %d complaints",
			time.Since(n.began).Seconds(), now, float64(now-before)/reportEvery.Seconds(),
			n.struck.Load(), up, complained)
		before = now
	}
}

// Build builds the program under test with crash points, and the acquirers' program, into a directory.
func Build(ctx context.Context, root, dir string) (daftar string, err error) {
	build := []string{"build", "-tags", "failpoints", "-o", dir, "./cmd/daftar", "./cmd/daftar-dev"}
	c := exec.CommandContext(ctx, "go", build...) //nolint:gosec // our own
	c.Dir = root
	if text, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build daftar: %w: %s", err, text)
	}
	return filepath.Join(dir, "daftar"), nil
}
