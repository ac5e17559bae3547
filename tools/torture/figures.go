package torture

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/tools/torture/history"
)

// Figure is a measurement with its limit, if it has one.
type Figure struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Mark   string `json:"mark,omitempty"`
	Passed bool   `json:"passed"`
}

// Limits of what clients may notice.
const (
	windowMark  = time.Second     // without an answer after a server was killed, p99
	revivalMark = 5 * time.Second // from PostgreSQL back to the first good create
	answerMark  = 6 * time.Second // the service's own deadline of 5 s, with a margin
	drainMark   = drainLimit
	// clockError is the largest error of a server's reading of the database's clock: half of
	// the round trip in which it was read, which is long on a slow link.
	clockError = 300 * time.Millisecond
)

// measure turns what was recorded into figures.
func (n *nemesis) measure(ctx context.Context, run *history.Run) ([]Figure, error) {
	var all []Figure
	figure := func(name, value string) { all = append(all, Figure{Name: name, Value: value, Passed: true}) }
	atMost := func(name string, got, mark time.Duration, more string) {
		all = append(all, Figure{
			Name: name, Value: seconds(got) + more, Mark: "at most " + seconds(mark), Passed: got <= mark,
		})
	}
	none := func(name string, got int) {
		all = append(all, Figure{Name: name, Value: fmt.Sprint(got), Mark: "none", Passed: got == 0})
	}
	acknowledged := n.acknowledged.Load()
	figure("acknowledged creates",
		fmt.Sprintf("%d (%.0f a second)", acknowledged, float64(acknowledged)/n.Length.Seconds()))
	figure("requests in all", fmt.Sprint(len(run.Requests)))

	windows := killWindows(run, n.struggles)
	atMost("without an answer when one server is killed, p99", quantile(windows, 0.99), windowMark,
		fmt.Sprintf(" (p50 %s, longest %s, of %d)",
			seconds(quantile(windows, 0.5)), seconds(quantile(windows, 1)), len(windows)))
	all = append(all, n.promotionFigures(run)...)
	if n.Promotions == 0 {
		firsts := revivals(run, n.revivals)
		atMost("PostgreSQL back to the first good create, longest", quantile(firsts, 1), revivalMark,
			fmt.Sprintf(" (p50 %s, of %d)", seconds(quantile(firsts, 0.5)), len(firsts)))
		each := revivalsOfEach(run, n.revivals)
		atMost("PostgreSQL back to the first good create of each server, longest",
			quantile(each, 1), 2*revivalMark,
			fmt.Sprintf(" (p50 %s, of %d)", seconds(quantile(each, 0.5)), len(each)))
	}
	slowest, overrun := slowestAnswer(run)
	atMost("slowest definite answer of the API", slowest, answerMark, "")
	none("requests of the API without any answer in "+seconds(apiLimit), overrun)
	atMost("SIGTERM to the end of the server, longest", quantile(n.drains, 1), drainMark,
		fmt.Sprintf(" (of %d)", len(n.drains)))
	none("5xx of a server that drains", brokenByDrains(run))
	gaveUp := 0
	for _, s := range n.struggles {
		if s.gaveUp {
			gaveUp++
		}
	}
	figure("creates given up after "+seconds(patience), fmt.Sprint(gaveUp))

	hooks, err := n.webhookDelays(ctx, run)
	if err != nil {
		return nil, err
	}
	figure("event to first webhook at a healthy endpoint", fmt.Sprintf("p50 %s, p99 %s, longest %s, of %d",
		seconds(quantile(hooks, 0.5)), seconds(quantile(hooks, 0.99)), seconds(quantile(hooks, 1)), len(hooks)))
	lags, early, err := n.expiryLags(ctx)
	if err != nil {
		return nil, err
	}
	figure("expires_at to canceled, no attempt open",
		fmt.Sprintf("p50 %s, p99 %s, longest %s, earliest %s, of %d",
			seconds(quantile(lags, 0.5)), seconds(quantile(lags, 0.99)),
			seconds(quantile(lags, 1)), seconds(quantile(lags, 0)), len(lags)))
	none("canceled before expires_at (F9)", early)
	return append(all, n.memoryFigures(run)...), nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

// quantile is 0 if there are no values.
func quantile(all []time.Duration, q float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// killWindows are the times without an answer of merchants whose first try went to a server
// that was just killed, while there was no other fault.
func killWindows(run *history.Run, struggles []struggle) []time.Duration {
	var windows []time.Duration
	for _, s := range struggles {
		killed, other := false, false
		for _, f := range run.Faults {
			switch f.Name {
			case "F1", "F2":
				// A server needs a moment to be back.
				if f.Target == s.server && s.from < f.Ended+2*time.Second && s.to > f.Began {
					killed = true
				}
			case "F3", "F4", "F5", "F6", "F7", "F8", "F16", "F19", "F20", "F21", "F22", "F23":
				if s.from < f.Ended+2*time.Second && s.to > f.Began-time.Second {
					other = true
				}
			}
		}
		if killed && !other {
			windows = append(windows, s.to-s.from)
		}
	}
	return windows
}

func good(q history.Request) bool {
	return q.Kind == history.Create && (q.Status == 200 || q.Status == 201)
}

// revivals are the times from each restart of PostgreSQL to the first good create, unless
// PostgreSQL was ended again before.
func revivals(run *history.Run, back []time.Duration) []time.Duration {
	var all []time.Duration
	for _, at := range back {
		first := time.Duration(-1)
		for _, q := range run.Requests {
			if good(q) && q.Ended > at && (first < 0 || q.Ended-at < first) {
				first = q.Ended - at
			}
		}
		gone := slices.ContainsFunc(run.Faults, func(f history.Fault) bool {
			return f.Target == "postgres" && f.Began >= at-10*time.Millisecond && f.Ended > at && f.Began < at+first
		})
		if first >= 0 && !gone {
			all = append(all, first)
		}
	}
	return all
}

// revivalsOfEach are the same times for each server that had no other fault until then, so
// that it was not restarted itself.
func revivalsOfEach(run *history.Run, back []time.Duration) []time.Duration {
	const watched = 15 * time.Second
	var all []time.Duration
	for _, at := range back {
		for _, server := range []string{"a", "b", "c"} {
			first := watched
			for _, q := range run.Requests {
				if good(q) && q.Server == server && q.Ended > at {
					first = min(first, q.Ended-at)
				}
			}
			struck := slices.ContainsFunc(run.Faults, func(f history.Fault) bool {
				own := f.Target == server && f.Ended > at-2*time.Second
				again := f.Target == "postgres" && f.Began >= at-10*time.Millisecond && f.Ended > at
				return (own || again) && f.Began < at+first
			})
			if !struck {
				all = append(all, first)
			}
		}
	}
	return all
}

// slowestAnswer returns the longest time to a definite answer, and how many requests to a
// running server got none within the limit.
func slowestAnswer(run *history.Run) (slowest time.Duration, overrun int) {
	for _, q := range run.Requests {
		took := q.Ended - q.Began
		switch {
		case q.Kind == history.Pay:
		case q.Status != 0:
			slowest = max(slowest, took)
		case took >= apiLimit-50*time.Millisecond && q.Server != "front":
			overrun++
		}
	}
	return slowest, overrun
}

// brokenByDrains counts the 5xx answers of servers between SIGTERM and their end.
func brokenByDrains(run *history.Run) int {
	broken := 0
	for _, f := range run.Faults {
		if f.Name != "F3" {
			continue
		}
		for _, q := range run.Requests {
			if q.Server == f.Target && q.Status >= 500 && q.Began >= f.Began && q.Began <= f.Ended {
				broken++
			}
		}
	}
	return broken
}

const recordedSQL = `
SELECT e.stream_id, e.version, e.recorded_at
FROM events e
JOIN intents i ON i.uuid = e.stream_id
WHERE i.application_uuid = ANY ($1)`

// webhookDelays are the times from the recording of an event to the first arrival of its
// webhook at a healthy endpoint.
func (n *nemesis) webhookDelays(ctx context.Context, run *history.Run) ([]time.Duration, error) {
	type event struct {
		intent  uuid.UUID
		version int
	}
	arrived := map[event]time.Duration{}
	for _, d := range run.Deliveries {
		var webhook struct {
			Data struct {
				UUID     uuid.UUID `json:"uuid"`
				Sequence int       `json:"sequence"`
			} `json:"data"`
		}
		if !behaviour(d.Sink).healthy() || json.Unmarshal(d.Body, &webhook) != nil {
			continue
		}
		e := event{webhook.Data.UUID, webhook.Data.Sequence}
		if before, known := arrived[e]; !known || d.Arrived < before {
			arrived[e] = d.Arrived
		}
	}
	var healthy [][16]byte
	for _, t := range n.tenants {
		if behaviour(t.Sink).healthy() {
			healthy = append(healthy, t.UUID)
		}
	}
	rows, err := n.pool.Query(ctx, recordedSQL, healthy)
	if err != nil {
		return nil, fmt.Errorf("read when events were recorded: %w", err)
	}
	var all []time.Duration
	var stream [16]byte
	var version int
	var at time.Time
	_, err = pgx.ForEachRow(rows, []any{&stream, &version, &at}, func() error {
		if when, ok := arrived[event{stream, version}]; ok {
			all = append(all, max(0, run.Started.Add(when).Sub(at)))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read when events were recorded: %w", err)
	}
	return all, nil
}

const expiredSQL = `
SELECT e.recorded_at - i.expires_at
FROM events e
JOIN intents i ON i.uuid = e.stream_id
WHERE e.type = 'intent.expired'
  AND NOT EXISTS (
      SELECT FROM events a
      WHERE a.stream_id = e.stream_id
        AND a.type = 'intent.attempt_failed'
        AND a.recorded_at > i.expires_at)`

// expiryLags are the times from expires_at to the cancellation of intents without an open
// attempt; early counts the intents that were canceled before expires_at.
func (n *nemesis) expiryLags(ctx context.Context) (lags []time.Duration, early int, err error) {
	rows, err := n.pool.Query(ctx, expiredSQL)
	if err != nil {
		return nil, 0, fmt.Errorf("read when intents expired: %w", err)
	}
	var lag time.Duration
	_, err = pgx.ForEachRow(rows, []any{&lag}, func() error {
		if lag < -clockError {
			early++
		}
		lags = append(lags, lag)
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read when intents expired: %w", err)
	}
	return lags, early, nil
}

// memoryFigures are the peak memory of all servers, and the memory of the server that is
// never killed, early and late in the run.
func (n *nemesis) memoryFigures(run *history.Run) []Figure {
	var most int64
	var first, last []int64
	var end time.Duration
	for _, s := range run.Samples {
		most = max(most, s.RSS)
		end = max(end, s.At)
	}
	for _, s := range run.Samples {
		if s.Server != "early" {
			continue
		}
		if s.At > end/4 && s.At <= end/2 {
			first = append(first, s.RSS)
		}
		if s.At > end*3/4 {
			last = append(last, s.RSS)
		}
	}
	return []Figure{
		{Name: "memory of a server, most", Value: mebibytes(most), Passed: true},
		{
			Name:  "memory of the server that was never killed, second quarter and last",
			Value: mebibytes(mean(first)) + ", " + mebibytes(mean(last)), Passed: true,
		},
	}
}

func mean(all []int64) int64 {
	if len(all) == 0 {
		return 0
	}
	var sum int64
	for _, v := range all {
		sum += v
	}
	return sum / int64(len(all))
}

func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }
