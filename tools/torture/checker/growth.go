package checker

import (
	"context"
	"slices"
	"time"

	"daftar/tools/torture/history"
)

const (
	// leastSamples and leastLife are the least data for a meaningful slope.
	leastSamples = 8
	leastLife    = 2 * time.Second
)

// measure is a resource that must not grow.
type measure struct {
	name string
	of   func(history.Sample) int64
	// slack is how much it may grow in any case, because caches fill and pools open.
	slack float64
	unit  string
	scale float64
}

var measures = []measure{
	{"memory", func(s history.Sample) int64 { return s.RSS }, 48 << 20, "MiB", 1 << 20},
	{"descriptors", func(s history.Sample) int64 { return s.FDs }, 96, "", 1},
	{"goroutines", func(s history.Sample) int64 { return s.Goroutines }, 256, "", 1},
}

// growthShare is the share of its first value by which a measure may grow, if that is more
// than its slack.
const growthShare = 0.25

// growth is I15. It fits a line to the samples of each process after its warm-up. Over the
// time of the samples the line must not rise by more than the slack or a share of its first
// value. Processes that were killed early have too few samples and are left out.
func (c *checker) growth(_ context.Context, f *finding) error {
	warm := c.o.WarmUp
	if warm == 0 {
		warm = c.length() / 10
	}
	type process struct {
		server string
		id     int
	}
	by := map[process][]history.Sample{}
	for _, s := range c.run.Samples {
		by[process{s.Server, s.Process}] = append(by[process{s.Server, s.Process}], s)
	}
	watched := 0
	for p, samples := range by {
		samples = settled(samples, warm)
		if len(samples) < leastSamples || samples[len(samples)-1].At-samples[0].At < leastLife {
			continue
		}
		watched++
		f.looked += int64(len(samples))
		for _, m := range measures {
			from, to := m.line(samples)
			if rise := to - from; rise > max(m.slack, growthShare*from) {
				span := samples[len(samples)-1].At - samples[0].At
				f.wrongf("%s of %s (process %d) rose from %.0f to %.0f %s in %v",
					m.name, p.server, p.id, from/m.scale, to/m.scale, m.unit, span.Round(time.Second))
			}
		}
	}
	f.notef("%d of %d processes lived long enough", watched, len(by))
	return nil
}

// length is the time of the last record of the run.
func (c *checker) length() time.Duration {
	var end time.Duration
	for _, s := range c.run.Samples {
		end = max(end, s.At)
	}
	for _, q := range c.run.Requests {
		end = max(end, q.Ended)
	}
	return end
}

// settled are the samples of a process after its warm-up, in their order.
func settled(samples []history.Sample, warm time.Duration) []history.Sample {
	slices.SortFunc(samples, func(a, b history.Sample) int { return int(a.At - b.At) })
	begin := samples[0].At + warm
	n, _ := slices.BinarySearchFunc(samples, begin, func(s history.Sample, at time.Duration) int {
		return int(s.At - at)
	})
	return samples[n:]
}

// line returns the values of the least-squares line at its two ends.
func (m measure) line(samples []history.Sample) (from, to float64) {
	var x, y, xx, xy float64
	n := float64(len(samples))
	for _, s := range samples {
		at, is := (s.At - samples[0].At).Seconds(), float64(m.of(s))
		x, y, xx, xy = x+at, y+is, xx+at*at, xy+at*is
	}
	slope := (n*xy - x*y) / (n*xx - x*x)
	from = (y - slope*x) / n
	return from, from + slope*(samples[len(samples)-1].At-samples[0].At).Seconds()
}
