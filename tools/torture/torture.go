package torture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"daftar/internal/failpoint"
	"daftar/tools/torture/checker"
	"daftar/tools/torture/history"
)

// Config of a run.
type Config struct {
	Seed   uint64
	Length time.Duration // of the faults; at least Shortest
	// Daftar is the program under test, an absolute path. With the build tag
	// failpoints it also dies where a crash hurts most (F2). daftar-dev, which runs the
	// acquirers, is in the same folder.
	Daftar string
	// CrashPoints says that Daftar was built with that tag.
	CrashPoints bool
	// Rate is how many creates a second merchants make when all is well; 0: 90.
	Rate float64
	// Dir is where the run's own directory is made; empty: the system's place.
	Dir string
	// Keep keeps that directory also after a run that passed.
	Keep bool
	// Verbose prints every strike.
	Verbose bool
	// QuietLimit is how long it may take until nothing is left to be done; 0: 60 s.
	QuietLimit time.Duration
	// Progress takes the progress, for people; nil: nobody reads it.
	Progress io.Writer
	// Promotions is how often the standby takes the primary's place, besides all else; 0:
	// there is one PostgreSQL, which is killed and started again.
	Promotions int
	// Creates is how many must be acknowledged before the run ends; 0: any number.
	Creates int64
	// Marks says that missing a mark of time fails the run. A machine that has other
	// work to do misses some.
	Marks bool
}

const (
	defaultRate  = 90
	defaultQuiet = time.Minute
	longRun      = 10 * time.Minute
	tellEvery    = 5 * time.Second
)

// ErrTooShort is returned for a run in which not every fault would have its turn.
var ErrTooShort = fmt.Errorf("the faults need at least %v", Shortest)

// oneAtATime is a writer for many goroutines.
type oneAtATime struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneAtATime) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(b)
}

func (c Config) progressf(format string, args ...any) {
	fmt.Fprintf(c.Progress, format+"\n", args...)
}

// Run tortures the service and reports. The error says that the suite could not
// work; a service that broke a promise is a report that is not OK.
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
	c.Progress = &oneAtATime{to: c.Progress}
	c.progressf("SEED=%d, faults for %v; preparing PostgreSQL, four servers and the acquirer", c.Seed, c.Length)
	s, err := prepare(ctx, c)
	if err != nil {
		if s.dir != "" {
			err = fmt.Errorf("%w (logs are kept in %s)", err, s.dir)
		}
		return Report{}, err
	}
	defer s.close()
	n := &nemesis{crowd: gather(s), plan: Plan(c.Seed, c.Length), points: servingPoints(c.CrashPoints)}
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

// servingPoints are the names of crash points, none where the program has none.
func servingPoints(has bool) []string {
	var names []string
	for _, p := range failpoint.Points {
		if has {
			names = append(names, p.Name)
		}
	}
	return names
}

// run lets everything loose, then has it heal, and checks.
func (n *nemesis) run(ctx context.Context) (Report, error) {
	living, end := context.WithCancel(ctx)
	defer end()
	var others sync.WaitGroup
	n.began = time.Now()
	started := n.recorder.Now()
	others.Go(func() { n.live(living) })
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	var watchers sync.WaitGroup
	for _, work := range []func(context.Context){n.watch, n.checkMeanwhile, n.progress} {
		watchers.Go(func() { work(watching) })
	}
	n.strike(ctx)
	wait(ctx, time.Until(n.began.Add(n.Length)))
	// Where a fault could not be healed, there may be no primary, and never another create.
	for n.acknowledged.Load() < n.Creates && !n.polluted() && wait(ctx, tellEvery) {
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
	took, waiting := n.calm(ctx, n.QuietLimit)
	n.progressf("       quiet after %.1f s %s", took.Seconds(), waiting)
	return n.verdict(ctx, took, waiting)
}

// polluted says whether a fault failed, so that the run proves nothing.
func (n *nemesis) polluted() bool {
	n.note.Lock()
	defer n.note.Unlock()
	return len(n.pollution) > 0
}

// verdict is the end of the run: the checker's, the figures, and the last fault.
func (n *nemesis) verdict(ctx context.Context, took time.Duration, waiting string) (Report, error) {
	var err error
	run := n.settledRun()
	if run.Bank, err = n.taken(ctx); err != nil {
		return Report{}, err
	}
	n.progressf("       checking %d requests, %d webhooks, %d faults",
		len(run.Requests), len(run.Deliveries), len(run.Faults))
	began := time.Now()
	verdicts, err := checker.Check(ctx, n.pool, run, checker.Options{
		Secrets: n.secrets, Healthy: []string{string(behaviourOK), string(behaviourOK2)},
		Late: func() []history.Delivery { return n.recorder.DeliveriesAfter(len(run.Deliveries)) },
	})
	if err != nil {
		return Report{}, fmt.Errorf("checker: %w", err)
	}
	n.progressf("       checked in %.1f s", time.Since(began).Seconds())
	figures, err := n.measure(ctx, run)
	if err != nil {
		return Report{}, err
	}
	if err := n.countAfterwards(ctx, run); err != nil {
		return Report{}, err
	}
	verdicts = append(verdicts, n.poison(ctx), n.calmVerdict(took, waiting))
	n.halt()
	verdicts = append(verdicts, n.ownVerdicts()...)
	return n.report(verdicts, figures), nil
}

// settledRun is what was recorded until now: endpoints that are tried again go on
// recording.
func (n *nemesis) settledRun() *history.Run {
	run := *n.recorder.Run()
	run.Counters = maps.Clone(run.Counters)
	run.Logs = slices.Clone(n.logs)
	return &run
}

// countAfterwards counts what is known only at the end.
func (n *nemesis) countAfterwards(ctx context.Context, run *history.Run) error {
	var late, expired, retried int64
	err := n.pool.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM events WHERE type = 'intent.late_succeeded'), (SELECT count(*) FROM events WHERE type = 'intent.expired'),
		(SELECT count(*) FROM webhook_log WHERE attempt > 1)`).Scan(&late, &expired, &retried)
	if err != nil {
		return fmt.Errorf("count what happened: %w", err)
	}
	n.mu.Lock()
	unknown := slices.Collect(maps.Keys(n.unknown))
	n.mu.Unlock()
	var resolved int64
	if err := n.pool.QueryRow(ctx, `SELECT count(*) FROM intents i WHERE uuid::text = ANY ($1) AND status <> 'processing'
		AND EXISTS (SELECT FROM events e WHERE e.stream_id = i.uuid AND e.type = 'intent.attempt_started')`, unknown).Scan(&resolved); err != nil {
		return fmt.Errorf("count what happened: %w", err)
	}
	hits := int64(0)
	for _, one := range n.servers {
		_, of := one.fates()
		for point, times := range of {
			n.recorder.Count("crash at "+strings.Split(point, ":")[0], int64(times))
			hits += int64(times)
		}
	}
	for name, value := range map[string]int64{
		countLate: late, countExpired: expired, countRetried: retried, countResolved: resolved,
		countCrashPoints: hits,
		countKills:       hits, countCommits: inLogs(run.Logs, "commit outcome unknown"),
	} {
		n.recorder.Count(name, value)
	}
	return nil
}

func (n *nemesis) calmVerdict(took time.Duration, waiting string) checker.Verdict {
	v := checker.Verdict{ID: "Q1", Name: "everything comes to rest by itself once the faults are over",
		OK: waiting == "", Looked: 1}
	v.Detail = fmt.Sprintf("after %.1f s", took.Seconds())
	if waiting != "" {
		v.Detail += " there is still: " + waiting
	}
	return v
}

// ownVerdicts are what the suite itself has seen.
func (n *nemesis) ownVerdicts() []checker.Verdict {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.note.Lock()
	defer n.note.Unlock()
	run := n.recorder.Run()
	answers := checker.Verdict{
		ID: "Q2", Name: "no answer that must not be", OK: n.complained == 0, Looked: int64(len(run.Requests)),
		Detail: strings.Join(n.complaints, "; "),
	}
	var deaths []string
	starts := int64(0)
	for _, one := range n.all() {
		died, _ := one.fates()
		deaths = append(deaths, died...)
		starts++
	}
	lives := checker.Verdict{ID: "Q3", Name: "no server ends by itself",
		OK: len(deaths) == 0, Looked: starts + run.Counters[countKills], Detail: strings.Join(deaths, "; ")}
	trapped := n.sinks.trapped.Load()
	redirects := checker.Verdict{
		ID: "Q4", Name: "no webhook follows a redirect", OK: trapped == 0,
		Looked: deliveriesTo(run, behaviourRedirect),
		Detail: fmt.Sprintf("%d followed", trapped),
	}
	lacking := missing(run.Counters, n.Length >= longRun, n.Promotions)
	if n.CrashPoints && n.Length >= longRun && run.Counters[countCrashPoints] == 0 {
		lacking = append(lacking, countCrashPoints)
	}
	tried := checker.Verdict{
		ID: "Q5", Name: "what was meant to be tried did happen", OK: len(lacking) == 0 &&
			len(n.pollution) == 0, Looked: int64(len(vital)),
		Detail: strings.Join(append(slices.Clone(n.pollution), lacking...), "; "),
	}
	return []checker.Verdict{answers, lives, redirects, tried}
}

func deliveriesTo(run *history.Run, t behaviour) int64 {
	var count int64
	for _, d := range run.Deliveries {
		if d.Sink == string(t) {
			count++
		}
	}
	return count
}

// progress prints how far the run is.
func (n *nemesis) progress(ctx context.Context) {
	before := int64(0)
	for wait(ctx, tellEvery) {
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
			time.Since(n.began).Seconds(),
			now, float64(now-before)/tellEvery.Seconds(), n.struck.Load(), up, complained)
		before = now
	}
}

// Build builds the program under test, with crash points, and the acquirers' in a directory.
func Build(ctx context.Context, root, dir string) (daftar string, err error) {
	build := []string{"build", "-tags", "failpoints", "-o", dir, "./cmd/daftar", "./cmd/daftar-dev"}
	c := exec.CommandContext(ctx, "go", build...) //nolint:gosec // our own
	c.Dir = root
	if text, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build daftar: %w: %s", err, text)
	}
	return filepath.Join(dir, "daftar"), nil
}
