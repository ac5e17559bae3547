package torture

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"daftar/tools/torture/checker"
	"daftar/tools/torture/history"
)

// verdict ends the run: it runs the checker, measures the figures and makes the last fault.
func (n *nemesis) verdict(ctx context.Context, took time.Duration, waiting string) (Report, error) {
	var err error
	run := n.recorder.Run()
	run.Logs = slices.Clone(n.logs)
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
	verdicts = append(verdicts, n.poison(ctx), n.quietVerdict(took, waiting))
	n.halt()
	verdicts = append(verdicts, n.ownVerdicts()...)
	return n.report(verdicts, figures), nil
}

const (
	outcomesSQL = `
SELECT (SELECT count(*) FROM events WHERE type = 'intent.late_succeeded'),
       (SELECT count(*) FROM events WHERE type = 'intent.expired'),
       (SELECT count(*) FROM webhook_log WHERE attempt > 1)`
	resolvedSQL = `
SELECT count(*)
FROM intents i
WHERE uuid::text = ANY ($1)
  AND status <> 'processing'
  AND EXISTS (
      SELECT FROM events e
      WHERE e.stream_id = i.uuid
        AND e.type = 'intent.attempt_started')`
)

// countAfterwards counts what is known only at the end.
func (n *nemesis) countAfterwards(ctx context.Context, run *history.Run) error {
	var late, expired, retried int64
	if err := n.pool.QueryRow(ctx, outcomesSQL).Scan(&late, &expired, &retried); err != nil {
		return fmt.Errorf("count what happened: %w", err)
	}
	n.mu.Lock()
	unknown := slices.Collect(maps.Keys(n.unknown))
	n.mu.Unlock()
	var resolved int64
	if err := n.pool.QueryRow(ctx, resolvedSQL, unknown).Scan(&resolved); err != nil {
		return fmt.Errorf("count what happened: %w", err)
	}
	hits := int64(0)
	for _, one := range n.servers {
		_, byPoint := one.ends()
		for point, times := range byPoint {
			n.recorder.Count("crash at "+strings.Split(point, ":")[0], int64(times))
			hits += int64(times)
		}
	}
	for name, value := range map[string]int64{
		countLate:        late,
		countExpired:     expired,
		countRetried:     retried,
		countResolved:    resolved,
		countCrashPoints: hits,
		countKills:       hits,
		countCommits:     inLogs(run.Logs, "commit outcome unknown"),
	} {
		n.recorder.Count(name, value)
	}
	return nil
}

func (n *nemesis) quietVerdict(took time.Duration, waiting string) checker.Verdict {
	v := checker.Verdict{
		ID: "Q1", Name: "everything comes to rest by itself once the faults are over",
		OK: waiting == "", Looked: 1,
	}
	v.Detail = fmt.Sprintf("after %.1f s", took.Seconds())
	if waiting != "" {
		v.Detail += " there is still: " + waiting
	}
	return v
}

// ownVerdicts are about what the suite itself observed.
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
		died, _ := one.ends()
		deaths = append(deaths, died...)
		starts++
	}
	lives := checker.Verdict{
		ID: "Q3", Name: "no server ends by itself", OK: len(deaths) == 0,
		Looked: starts + run.Counters[countKills], Detail: strings.Join(deaths, "; "),
	}
	trapped := n.sinks.trapped.Load()
	redirects := checker.Verdict{
		ID: "Q4", Name: "no webhook follows a redirect", OK: trapped == 0,
		Looked: deliveriesTo(run, behaviourRedirect), Detail: fmt.Sprintf("%d followed", trapped),
	}
	lacking := missing(run.Counters, n.Length >= longRun, n.Promotions)
	if n.CrashPoints && n.Length >= longRun && run.Counters[countCrashPoints] == 0 {
		lacking = append(lacking, countCrashPoints)
	}
	tried := checker.Verdict{
		ID: "Q5", Name: "what was meant to be tried did happen",
		OK:     len(lacking) == 0 && len(n.pollution) == 0,
		Looked: int64(len(vital)),
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
