package torture

import (
	"fmt"
	"time"

	"daftar/tools/torture/history"
)

// Limits from the loss of the primary to the first good create, without the time that the
// promotion itself takes.
const (
	promotionMark        = time.Second
	longestPromotionMark = 3 * time.Second
)

// promotionFigures are the figures of a run with promotions; none for other runs.
func (n *nemesis) promotionFigures(run *history.Run) []Figure {
	if n.Promotions == 0 {
		return nil
	}
	n.note.Lock()
	defer n.note.Unlock()
	killed, all, promoting := firstAfter(run, n.promotions)
	count := func(name string, got, wanted int64) Figure {
		return Figure{
			Name: name, Value: fmt.Sprint(got), Mark: fmt.Sprintf("at least %d", wanted), Passed: got >= wanted,
		}
	}
	within := func(name string, got []time.Duration, q float64, mark time.Duration) Figure {
		value := quantile(got, q)
		return Figure{
			Name: name, Value: fmt.Sprintf("%s (of %d)", seconds(value), len(got)),
			Mark: "at most " + seconds(mark), Passed: len(got) > 0 && value <= mark,
		}
	}
	return []Figure{
		count("promotions under load", int64(len(n.promotions)), int64(n.Promotions)),
		count("acknowledged creates, of which none may be lost or doubled (I1, I2)",
			n.acknowledged.Load(), n.Creates),
		within("primary killed to the first good create, without the promotion itself, p50",
			killed, 0.5, promotionMark),
		within("primary killed to the first good create, without the promotion itself, longest",
			killed, 1, longestPromotionMark),
		within("promoted to the first good create, however the primary was lost, longest",
			all, 1, longestPromotionMark),
		{
			Name: "the promotion itself", Passed: true,
			Value: fmt.Sprintf("p50 %s, longest %s",
				seconds(quantile(promoting, 0.5)), seconds(quantile(promoting, 1))),
		},
	}
}

// firstAfter returns the times to the first good create: killed from the kill of the primary
// without the promotion itself, all from the end of any promotion. promoting are the times
// of the promotions.
func firstAfter(run *history.Run, promotions []promotion) (killed, all, promoting []time.Duration) {
	for _, p := range promotions {
		promoting = append(promoting, p.done-p.began)
		first := time.Duration(-1)
		for _, q := range run.Requests {
			if good(q) && q.Ended > p.done && (first < 0 || q.Ended < first) {
				first = q.Ended
			}
		}
		if first < 0 {
			first = p.done + time.Hour // there was none
		}
		all = append(all, first-p.done)
		if p.how == howPrimaryKilled {
			killed = append(killed, first-p.struck-(p.done-p.began))
		}
	}
	return killed, all, promoting
}
