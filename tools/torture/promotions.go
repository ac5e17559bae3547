package torture

import (
	"context"
	"fmt"
	"time"

	"daftar/internal/pgcluster"
)

// How the primary is lost, or its standby.
const (
	howPrimaryKilled  = "kill -9 of the primary"
	howPrimaryPaused  = "primary paused and woken up after the promotion"
	howPrimaryStarted = "primary killed and started again after the promotion"
	howPrimaryCutOff  = "standby cut off and promoted next to the primary"
	howStandbyCutOff  = "standby cut off"
	howStandbyLost    = "standby killed, creates wait"
	howStandbyLeft    = "standby killed and not waited for"
)

// Counters of a run with promotions.
const (
	countPromotions = "promotions"
	countSplit      = "promotions next to a primary that lives"
	countRewinds    = "rewinds of an old primary"
	countAtOld      = "commits that waited at an old primary for nobody"
	countWaited     = "times that commits waited for a standby"
	countWentOn     = "times that creates went on without a standby"
)

// promotion is one that happened. Times are by the recorder's clock.
type promotion struct {
	how         string
	struck      time.Duration // when the fault of the primary began
	began, done time.Duration // of the promotion itself
}

// losePrimary kills, pauses or isolates the primary, promotes the standby, and makes the old
// primary its standby.
func (n *nemesis) losePrimary(ctx context.Context, s Strike, d dice) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*pairLimit)
	defer cancel()
	old, _ := n.pair.now()
	struck := n.recorder.Now()
	heal := func() error { return nil }
	switch s.How {
	case howPrimaryKilled, howPrimaryStarted:
		old.cluster.Kill()
	case howPrimaryPaused:
		if err := old.cluster.Pause(); err != nil {
			return err
		}
		wait(ctx, d.between(0, 800*time.Millisecond))
	case howPrimaryCutOff:
		heal = old.stream.cut()
		wait(ctx, d.between(200*time.Millisecond, 1500*time.Millisecond))
		n.noteWaiting(ctx, old, countWaited)
	}
	if err := n.promote(ctx, s.How, struck); err != nil {
		return err
	}
	if err := n.splitBrain(ctx, s, d, old); err != nil {
		return err
	}
	old.cluster.Kill()
	if err := heal(); err != nil {
		return err
	}
	return n.rejoin(ctx, old)
}

// promote makes the standby the primary. Until rejoin its commits wait for no standby.
func (n *nemesis) promote(ctx context.Context, how string, struck time.Duration) error {
	_, standby := n.pair.now()
	p := promotion{how: how, struck: struck, began: n.recorder.Now()}
	if err := standby.cluster.Promote(ctx); err != nil {
		return err
	}
	p.done = n.recorder.Now()
	n.pair.swap()
	n.note.Lock()
	n.promotions = append(n.promotions, p)
	n.note.Unlock()
	n.recorder.Count(countPromotions, 1)
	return nil
}

// splitBrain leaves two primaries running, and every server can reach both. The old one must
// not acknowledge any commit.
func (n *nemesis) splitBrain(ctx context.Context, s Strike, d dice, old *node) error {
	switch s.How {
	case howPrimaryPaused:
		wait(ctx, d.between(0, 1500*time.Millisecond))
		if err := old.cluster.Resume(); err != nil {
			return err
		}
	case howPrimaryStarted:
		// As a supervisor would. It recovers commits that the standby never confirmed.
		if err := old.cluster.Start(ctx); err != nil {
			return err
		}
	case howPrimaryCutOff:
	default:
		return nil
	}
	n.recorder.Count(countSplit, 1)
	for until := time.Now().Add(s.Length); time.Now().Before(until) && wait(ctx, 200*time.Millisecond); {
		if n.noteWaiting(ctx, old, countAtOld) {
			break
		}
	}
	wait(ctx, d.between(500*time.Millisecond, 2*time.Second))
	return nil
}

const waitingCommitsSQL = `
SELECT count(*)
FROM pg_stat_activity
WHERE wait_event = 'SyncRep'
  AND application_name LIKE 'daftar%'`

// noteWaiting reports whether a commit waits for a standby, and increments counter if so.
func (n *nemesis) noteWaiting(ctx context.Context, at *node, counter string) bool {
	waiting, err := queryNode(ctx, at, waitingCommitsSQL)
	if err != nil || waiting == 0 {
		return false
	}
	n.recorder.Count(counter, 1)
	return true
}

// rejoin makes an old primary the synchronous standby of the new one.
func (n *nemesis) rejoin(ctx context.Context, old *node) error {
	primary, _ := n.pair.now()
	upstream := pgcluster.Upstream{Of: primary.cluster, Addr: primary.stream.address, Name: standbyName}
	if err := old.cluster.Rewind(ctx, upstream); err != nil {
		return err
	}
	n.recorder.Count(countRewinds, 1)
	if err := old.cluster.Start(ctx); err != nil {
		return err
	}
	// When it is promoted later, its commits must wait for no standby.
	if err := old.cluster.Set(ctx, map[string]string{"synchronous_standby_names": ""}); err != nil {
		return err
	}
	return n.synchronize(ctx)
}

// loseStandby kills or isolates the standby for a while. Creates wait for it, unless the
// strike configures the primary to wait for no standby.
func (n *nemesis) loseStandby(ctx context.Context, s Strike) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*pairLimit)
	defer cancel()
	primary, standby := n.pair.now()
	if s.How == howStandbyCutOff {
		heal := primary.stream.cut()
		wait(ctx, s.Length)
		n.noteWaiting(ctx, primary, countWaited)
		if err := heal(); err != nil {
			return err
		}
		return n.synchronize(ctx)
	}
	standby.cluster.Kill()
	wait(ctx, s.Length)
	waited := n.noteWaiting(ctx, primary, countWaited)
	if s.How == howStandbyLeft {
		if err := n.continueAlone(ctx, primary); err != nil {
			return err
		}
	}
	if err := standby.cluster.Start(ctx); err != nil {
		return err
	}
	if err := n.synchronize(ctx); err != nil {
		return err
	}
	if !waited {
		return errAgain
	}
	return nil
}

// continueAlone configures the primary to wait for no standby, and returns when creates are
// acknowledged again.
func (n *nemesis) continueAlone(ctx context.Context, primary *node) error {
	if err := primary.cluster.Set(ctx, map[string]string{"synchronous_standby_names": ""}); err != nil {
		return err
	}
	before := n.acknowledged.Load()
	for until := time.Now().Add(pairLimit); n.acknowledged.Load() < before+10; {
		if time.Now().After(until) || !wait(ctx, 50*time.Millisecond) {
			return fmt.Errorf("no create within %v of a primary that waits for nobody", pairLimit)
		}
	}
	n.recorder.Count(countWentOn, 1)
	return nil
}
