package figures

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Units of a figure.
const (
	PerSecond = "/s"
	Megabytes = "MB"
	Bytes     = "B"
	OfACore   = "% of a core"
	Switch    = "µs" // of one switch between processes; two are a round trip
)

// Names of the figures that say what the machine of a run costs everybody.
const (
	Fdatasync     = "disk: fdatasync of 8 kB"
	SwitchOnACore = "a process switch: on one core"
	SwitchOfCores = "a process switch: to another core"
	SwitchOverTCP = "a process switch: to another core over TCP"
)

// Spec defines a measurement and its marks. A mark of 0 is not checked.
type Spec struct {
	Name string
	Unit string // "": PerSecond
	// Reference names the measurement with which the figure is compared. Ratio is the least
	// ratio of both values.
	Reference string
	Ratio     float64
	// LatencyOnly compares only latencies. It is for measurements at a given rate, in which
	// the numbers of operations are equal.
	LatencyOnly bool
	// P99Ratio is the largest ratio of the p99 to the reference's.
	P99Ratio float64
	// Ceiling names the measurement that shows the most that a server of this kind can reach.
	Ceiling     string
	Least       float64       // smallest value
	Most        float64       // largest value
	P50         time.Duration // largest p50
	P99         time.Duration // largest p99
	Processor   time.Duration // most time of the server and PostgreSQL together per operation
	Allocations float64       // most allocations on the server's heap per operation
}

// Figure is the result of all rounds of a Spec.
type Figure struct {
	Name      string   `json:"name"`
	Unit      string   `json:"unit"`
	Value     float64  `json:"value"`
	Low       float64  `json:"low"` // of the rounds
	High      float64  `json:"high"`
	Latency   *Latency `json:"latency,omitempty"`
	Reference string   `json:"reference,omitempty"`
	Ratio     float64  `json:"ratio,omitempty"`
	// P99Reference is in milliseconds; P99Ratio is the median of the rounds' ratios.
	P99Reference float64    `json:"p99_reference,omitempty"`
	P99Ratio     float64    `json:"p99_ratio,omitempty"`
	Ceiling      string     `json:"ceiling,omitempty"`
	OfCeiling    float64    `json:"of_ceiling,omitempty"`
	Marks        []Mark     `json:"marks,omitempty"`
	Cost         *Operation `json:"cost,omitempty"`
}

// Latency is in milliseconds.
type Latency struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

// Operation is what one operation costs: microseconds of processor time, and
// what the server allocates.
type Operation struct {
	Server      float64 `json:"server_us"`
	Postgres    float64 `json:"postgres_us"`
	Client      float64 `json:"client_us"`
	Allocations float64 `json:"allocations"`
	Bytes       float64 `json:"allocated_bytes"`
}

// Mark is one requirement of a figure and whether the figure meets it.
type Mark struct {
	Wanted  string `json:"wanted"`
	Reached bool   `json:"reached"`
}

// Missed reports whether the figure misses one of its marks.
func (f Figure) Missed() bool {
	return slices.ContainsFunc(f.Marks, func(m Mark) bool { return !m.Reached })
}

// Rounds collects the results of each measurement, by its name.
type Rounds map[string][]Result

// Add keeps the result of one round.
func (r Rounds) Add(name string, result Result) { r[name] = append(r[name], result) }

// Figure makes one figure of all rounds.
func (r Rounds) Figure(s Spec) Figure {
	results := r[s.Name]
	f := Figure{
		Name: s.Name, Unit: cmp.Or(s.Unit, PerSecond), Value: median(results, Result.value),
		Latency: latencyOf(results), Cost: operationOf(results),
	}
	for n, result := range results {
		if n == 0 || result.Value < f.Low {
			f.Low = result.Value
		}
		f.High = max(f.High, result.Value)
	}
	if of := r.ratio(s.Name, s.Reference, Result.value); of > 0 {
		f.Reference = s.Reference
		if !s.LatencyOnly {
			f.Ratio = of
		}
	}
	if of := r.ratio(s.Name, s.Reference, Result.p99); of > 0 {
		f.P99Reference, f.P99Ratio = median(r[s.Reference], Result.p99), of
	}
	if of := r.ratio(s.Name, s.Ceiling, Result.value); of > 0 {
		f.Ceiling, f.OfCeiling = s.Ceiling, of
	}
	f.Marks = f.marks(s)
	return f
}

// marks checks a figure against the marks of its Spec.
func (f Figure) marks(s Spec) []Mark {
	var marks []Mark
	mark := func(reached bool, wanted string) { marks = append(marks, Mark{wanted, reached}) }
	if s.Ratio > 0 && f.Reference != "" {
		mark(f.Ratio >= s.Ratio, fmt.Sprintf(">= %.2f", s.Ratio))
	}
	if s.Least > 0 {
		mark(f.Value >= s.Least, ">= "+f.amount(s.Least))
	}
	if s.Most > 0 {
		mark(f.Value <= s.Most, "<= "+f.amount(s.Most))
	}
	if s.P50 > 0 && f.Latency != nil {
		mark(f.Latency.P50 <= milliseconds(s.P50), "p50 <= "+s.P50.String())
	}
	if s.P99 > 0 && f.Latency != nil {
		mark(f.Latency.P99 <= milliseconds(s.P99), "p99 <= "+s.P99.String())
	}
	if s.P99Ratio > 0 && f.P99Ratio > 0 {
		mark(f.P99Ratio <= s.P99Ratio, fmt.Sprintf("p99 ratio <= %.2f", s.P99Ratio))
	}
	if most := microseconds(s.Processor); most > 0 && f.Cost != nil {
		mark(f.Cost.Server+f.Cost.Postgres <= most, "CPU <= "+Grouped(most)+" µs")
	}
	if s.Allocations > 0 && f.Cost != nil {
		mark(f.Cost.Allocations <= s.Allocations, "allocations <= "+Grouped(s.Allocations))
	}
	return marks
}

// ratio is the median of the ratios of the rounds that have both; 0 if none has.
func (r Rounds) ratio(name, reference string, of func(Result) float64) float64 {
	others := r[reference]
	var ratios []float64
	for n, result := range r[name] {
		if len(others) == 0 {
			break
		}
		// The last round of a reference that has fewer is compared with all later ones.
		if other := of(others[min(n, len(others)-1)]); other > 0 && of(result) > 0 {
			ratios = append(ratios, of(result)/other)
		}
	}
	return median(ratios, func(v float64) float64 { return v })
}

func latencyOf(results []Result) *Latency {
	at := func(p float64) float64 {
		return median(results, func(r Result) float64 { return milliseconds(r.Percentile(p)) })
	}
	l := Latency{P50: at(0.50), P90: at(0.90), P99: at(0.99), P999: at(0.999), Max: at(1)}
	if l == (Latency{}) {
		return nil
	}
	return &l
}

func operationOf(results []Result) *Operation {
	of := func(total func(Cost) float64) float64 {
		return median(results, func(r Result) float64 {
			if r.Operations == 0 {
				return 0
			}
			return max(0, total(r.Cost)) / float64(r.Operations)
		})
	}
	o := Operation{
		Server:      of(func(c Cost) float64 { return microseconds(c.Server) }),
		Postgres:    of(func(c Cost) float64 { return microseconds(c.Postgres) }),
		Client:      of(func(c Cost) float64 { return microseconds(c.Client) }),
		Allocations: of(func(c Cost) float64 { return c.Allocations }),
		Bytes:       of(func(c Cost) float64 { return c.Bytes }),
	}
	if o == (Operation{}) {
		return nil
	}
	return &o
}
