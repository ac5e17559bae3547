package figures

import (
	"slices"
	"time"
)

// Result is the result of one round of a measurement.
type Result struct {
	Value      float64         // in the unit of its Spec
	Latencies  []time.Duration // sorted; empty where they were not measured
	Operations int             // by which Cost is divided; 0: not counted
	Cost       Cost            // of all operations together
}

// Cost is processor time and heap allocations.
type Cost struct {
	Server, Postgres, Client time.Duration // of processor time
	Allocations, Bytes       float64       // on the heap of the server
}

// Plus adds two costs.
func (c Cost) Plus(d Cost) Cost {
	return Cost{
		c.Server + d.Server, c.Postgres + d.Postgres, c.Client + d.Client,
		c.Allocations + d.Allocations, c.Bytes + d.Bytes,
	}
}

// Minus subtracts d from c.
func (c Cost) Minus(d Cost) Cost {
	return Cost{
		c.Server - d.Server, c.Postgres - d.Postgres, c.Client - d.Client,
		c.Allocations - d.Allocations, c.Bytes - d.Bytes,
	}
}

// Percentile returns the latency that a share p of the operations did not exceed.
func (r Result) Percentile(p float64) time.Duration {
	if len(r.Latencies) == 0 {
		return 0
	}
	return r.Latencies[min(len(r.Latencies)-1, int(p*float64(len(r.Latencies))))]
}

func (r Result) value() float64 { return r.Value }

// p99 is in milliseconds; 0 where it was not measured.
func (r Result) p99() float64 { return milliseconds(r.Percentile(0.99)) }

// median of a value of all results; 0 if there are none.
func median[T any](results []T, of func(T) float64) float64 {
	if len(results) == 0 {
		return 0
	}
	values := make([]float64, len(results))
	for n, r := range results {
		values[n] = of(r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
