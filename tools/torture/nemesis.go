package torture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"daftar/tools/torture/history"
)

// nemesis carries out the strikes of a plan.
type nemesis struct {
	*crowd
	plan   []Strike
	points []string // crash points that the program was built with

	struck atomic.Int64
	turn   [killable]sync.Mutex // of each server: one strike at a time ends its process
	noLog  bool                 // F8 is left out

	note       sync.Mutex
	revivals   []time.Duration // when PostgreSQL was back
	promotions []promotion
	drains     []time.Duration // how long servers took to stop
	kept       int             // drains that took too long
	pollution  []string        // faults that could not be made or healed
	crashAt    int             // index of the next crash point
}

// errAgain reports that a strike had no target, for example because another fault has just
// ended it.
var errAgain = errors.New("nothing to strike at")

// errLeftOut reports that a strike is not possible on this machine.
var errLeftOut = errors.New("left out")

// Strikes without a target are tried again: every run must contain each fault, because a
// run without one proves nothing about it.
const (
	strikeTries = 10
	strikePause = 500 * time.Millisecond
)

// strike carries out the plan, each track in its order, and returns when all strikes have
// healed.
func (n *nemesis) strike(ctx context.Context) {
	var tracks sync.WaitGroup
	for _, track := range []string{trackKills, trackInfrastructure, trackClients, trackPromotions} {
		tracks.Go(func() {
			for _, s := range n.plan {
				if s.Track != track {
					continue
				}
				if !wait(ctx, time.Until(n.began.Add(s.At))) {
					return
				}
				n.carryOut(ctx, s)
			}
		})
	}
	tracks.Wait()
}

// carryOut makes a strike, again if it has no target, and records it.
func (n *nemesis) carryOut(ctx context.Context, s Strike) {
	f := history.Fault{Name: s.Fault, Target: n.servers[s.Server].name, Detail: s.How, Began: n.recorder.Now()}
	target, err := n.perform(ctx, s)
	for tries := 1; errors.Is(err, errAgain) && tries < strikeTries && wait(ctx, strikePause); tries++ {
		f.Began = n.recorder.Now()
		target, err = n.perform(ctx, s)
	}
	f.Ended = n.recorder.Now()
	if target != "" {
		f.Target = target
	}
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, errAgain), errors.Is(err, errLeftOut):
		return
	case err != nil:
		n.note.Lock()
		n.pollution = append(n.pollution, fmt.Sprintf("%s %s: %v", s.Fault, s.How, err))
		n.note.Unlock()
		n.progressf("%6.1fs %-4s %-8s %s: %v", n.recorder.Now().Seconds(), f.Name, f.Target, f.Detail, err)
		return
	}
	n.recorder.Fault(f)
	n.recorder.Count("fault "+s.Fault, 1)
	n.struck.Add(1)
	if n.Verbose {
		n.progressf("%6.1fs %-4s %-8s %s (%.1f s)",
			f.Began.Seconds(), f.Name, f.Target, f.Detail, (f.Ended - f.Began).Seconds())
	}
}

// perform makes one strike and returns when it has healed. target names what was struck if
// that is not the server of the strike.
func (n *nemesis) perform(ctx context.Context, s Strike) (target string, err error) {
	d := newDice(s.Seed, 0)
	one := n.servers[s.Server]
	switch s.How {
	case howKill, howCrashPoint:
		return n.killOne(s)
	case howDrain:
		return n.drainOne(s)
	case howPostmaster:
		return "postgres", n.endPostgres(ctx, d, n.cluster.Kill)
	case howImmediate:
		return "postgres", n.endPostgres(ctx, d, n.cluster.Abort)
	case howBackend:
		return "postgres", n.killBackend(ctx, d)
	case howAnswersCut:
		return "", n.spoil(ctx, s, one.database,
			badness{"limit_data", answers, map[string]int64{"bytes": 50 + d.Int64N(1500)}})
	case howRequestsCut:
		return "", n.spoil(ctx, s, one.database,
			badness{"limit_data", requests, map[string]int64{"bytes": 200 + d.Int64N(4000)}})
	case howReset:
		return "", n.spoil(ctx, s, one.database, badness{"reset_peer", answers, map[string]int64{"timeout": 0}})
	case howClientsCut:
		return "front", n.cutClients(ctx, s, d)
	case howSlow:
		return "", n.spoil(ctx, s, one.database,
			badness{"latency", answers, map[string]int64{"latency": 500, "jitter": 50}})
	case howBlackHole:
		return "", n.spoil(ctx, s, one.database, silence(answers), silence(requests))
	case howExhaustion:
		return "", n.exhaust(ctx, s, one)
	case howDiskFull:
		return "postgres", n.fillDisk(ctx, s)
	case howAcquirerSlow:
		return "acquirers", n.spoil(ctx, s, n.acquirerLinks(),
			badness{"latency", answers, map[string]int64{"latency": 2500, "jitter": 1500}})
	case howAcquirerCut:
		return "acquirers", n.spoil(ctx, s, n.acquirerLinks(),
			badness{"limit_data", answers, map[string]int64{"bytes": 10}})
	case howAcquirerGone:
		return "acquirers", n.cutAcquirers(ctx, s)
	case howIdleCut:
		return "all", n.cutIdle()
	case howNotifications:
		return "front", n.sendFalseNotifications(ctx, s, d)
	case howExpiryRace:
		n.raceExpiry(ctx, s, d)
		return "all", nil
	case howSameReference:
		return "all", n.race(ctx, d)
	case howRebuild:
		return "intents", n.rebuild(ctx, s, d)
	case howHostile:
		return one.name, n.hostile(ctx, s, one)
	case howPrimaryKilled, howPrimaryPaused, howPrimaryStarted, howPrimaryCutOff:
		return "postgres", n.losePrimary(ctx, s, d)
	case howStandbyCutOff, howStandbyLost, howStandbyLeft:
		return "postgres", n.loseStandby(ctx, s)
	}
	panic("torture: unknown strike " + s.How)
}

// killOne kills a server. With a crash point its next process ends there.
func (n *nemesis) killOne(s Strike) (string, error) {
	n.turn[s.Server].Lock()
	defer n.turn[s.Server].Unlock()
	crashAt := ""
	if s.How == howCrashPoint && len(n.points) > 0 {
		n.note.Lock()
		crashAt = n.points[n.crashAt%len(n.points)]
		n.note.Unlock()
		// Not the first time that the server reaches it: the server should be under load.
		crashAt += fmt.Sprintf(":%d", 1+s.Seed%20)
	}
	one := n.servers[s.Server]
	if !one.kill(s.Length, crashAt) {
		return "", errAgain
	}
	if crashAt != "" {
		n.note.Lock()
		n.crashAt++
		n.note.Unlock()
	}
	n.recorder.Count(countKills, 1)
	return one.name, nil
}

// drainOne stops a server with SIGTERM; it is started again at once.
func (n *nemesis) drainOne(s Strike) (string, error) {
	n.turn[s.Server].Lock()
	defer n.turn[s.Server].Unlock()
	one := n.servers[s.Server]
	took, inTime, ok := one.drain()
	if !ok {
		return "", errAgain
	}
	n.note.Lock()
	defer n.note.Unlock()
	n.drains = append(n.drains, took)
	if !inTime {
		n.kept++
	}
	return one.name, nil
}

// endPostgres ends PostgreSQL and starts it again a moment later.
func (n *nemesis) endPostgres(ctx context.Context, d dice, end func()) error {
	end()
	wait(ctx, d.between(100*time.Millisecond, 1500*time.Millisecond))
	return n.bringBack()
}

// bringBack starts PostgreSQL even if the run was interrupted, because the checker needs it.
func (n *nemesis) bringBack() error {
	if err := n.revive(context.Background()); err != nil {
		return err
	}
	n.note.Lock()
	defer n.note.Unlock()
	n.revivals = append(n.revivals, n.recorder.Now())
	n.recorder.Count(countRestarts, 1)
	return nil
}

const appendingSQL = `
SELECT pid
FROM pg_stat_activity
WHERE application_name = 'daftar append'
ORDER BY random()
LIMIT 1`

// killBackend kills a session; PostgreSQL then ends all others and recovers.
func (n *nemesis) killBackend(ctx context.Context, _ dice) error {
	var pid int
	for tries := 0; ; tries++ {
		err := n.pool.QueryRow(ctx, appendingSQL).Scan(&pid)
		if err == nil {
			break
		}
		// Servers and PostgreSQL may be down for a moment.
		if tries == 50 || !wait(ctx, 100*time.Millisecond) {
			return fmt.Errorf("find a session: %w", err)
		}
	}
	victim, err := os.FindProcess(pid)
	if err != nil {
		return fmt.Errorf("find the session's process: %w", err)
	}
	if err := victim.Kill(); err != nil {
		return fmt.Errorf("kill a session: %w", err)
	}
	return n.bringBack()
}

// spoil degrades links for the length of the strike.
func (n *nemesis) spoil(ctx context.Context, s Strike, links []*link, how ...badness) error {
	heal, err := spoilAll(links, how...)
	defer heal()
	if err != nil {
		return err
	}
	n.recorder.Count(countCuts, 1)
	wait(ctx, s.Length)
	return nil
}

// cutClients makes merchants use the front door and truncates their answers there.
func (n *nemesis) cutClients(ctx context.Context, s Strike, d dice) error {
	n.throughFront.Store(true)
	defer n.throughFront.Store(false)
	return n.spoil(ctx, s, []*link{n.front},
		badness{"limit_data", answers, map[string]int64{"bytes": 600 + d.Int64N(900)}})
}

// cutAcquirers makes all acquirers refuse connections for the length of the strike.
func (n *nemesis) cutAcquirers(ctx context.Context, s Strike) error {
	var heals []func() error
	for _, l := range n.acquirerLinks() {
		heals = append(heals, l.cut())
	}
	wait(ctx, s.Length)
	var failures []error
	for _, heal := range heals {
		failures = append(failures, heal())
	}
	return errors.Join(failures...)
}

// cutIdle closes all connections to the database at the same time.
func (n *nemesis) cutIdle() error {
	var failures []error
	for _, one := range n.all() {
		for _, l := range one.database {
			failures = append(failures, l.cut()())
		}
	}
	n.recorder.Count(countCuts, 1)
	return errors.Join(failures...)
}

// fillDisk leaves no space for PostgreSQL's write-ahead log, and writes until PostgreSQL
// notices.
func (n *nemesis) fillDisk(ctx context.Context, s Strike) error {
	if n.wal == nil {
		n.noLog = true
		return errLeftOut
	}
	free, err := n.wal.fill()
	if err != nil {
		return err
	}
	defer free()
	until := time.Now().Add(s.Length)
	refused := ""
	// PostgreSQL has segments for reuse, so each one is used up at once.
	const switchSQL = `SELECT pg_logical_emit_message(false, 'torture', 'x'), pg_switch_wal()`
	for time.Now().Before(until) && ctx.Err() == nil {
		if _, err := n.pool.Exec(ctx, switchSQL); err != nil {
			refused = err.Error()
		}
		wait(ctx, 50*time.Millisecond)
	}
	free()
	if err := n.bringBack(); err != nil {
		return err
	}
	if refused == "" && ctx.Err() == nil {
		return errors.New("PostgreSQL never noticed that its disk was full")
	}
	if strings.Contains(refused, "No space left") {
		n.recorder.Count("refused for want of room", 1)
	}
	return nil
}
