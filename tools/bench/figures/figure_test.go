package figures_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/tools/bench/figures"
)

// many are latencies of 1 to n milliseconds.
func many(n int) []time.Duration {
	all := make([]time.Duration, n)
	for k := range all {
		all[k] = time.Duration(k+1) * time.Millisecond
	}
	return all
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		latencies int
		p         float64
		want      time.Duration
	}{
		{0, 0.99, 0}, // not measured
		{1, 0.5, time.Millisecond},
		{1, 1, time.Millisecond},
		{100, 0.5, 51 * time.Millisecond},
		{100, 0.99, 100 * time.Millisecond},
		{1000, 0.99, 991 * time.Millisecond},
		{1000, 0.999, time.Second},
		{1000, 1, time.Second},
	} {
		if got := (figures.Result{Latencies: many(c.latencies)}).Percentile(c.p); got != c.want {
			t.Errorf("percentile %v of %d: %s, want %s", c.p, c.latencies, got, c.want)
		}
	}
}

// A figure is the median of its rounds; a ratio is that of the rounds' ratios, so
// that a slow round of both sides changes neither.
func TestFigureOfSeveralRounds(t *testing.T) {
	t.Parallel()
	rounds := figures.Rounds{}
	for _, round := range []struct{ reference, value float64 }{{1000, 1300}, {500, 650}, {2000, 1000}} {
		rounds.Add("reference", figures.Result{Value: round.reference})
		rounds.Add("ours", figures.Result{Value: round.value})
	}
	got := rounds.Figure(figures.Spec{Name: "ours", Reference: "reference", Ratio: 1.25, Least: 1200})
	want := figures.Figure{
		Name: "ours", Unit: "/s", Value: 1000, Low: 650, High: 1300, Reference: "reference", Ratio: 1.3,
		Marks: []figures.Mark{{Wanted: ">= 1.25", Reached: true}, {Wanted: ">= 1,200/s", Reached: false}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !got.Missed() {
		t.Error("a figure that misses one of two marks counts as reached")
	}
}

// At a given rate only the latencies are compared, round by round.
func TestFigureAtARate(t *testing.T) {
	t.Parallel()
	rounds := figures.Rounds{}
	for _, round := range []struct{ reference, ours int }{{100, 50}, {1000, 200}, {10, 20}} {
		rounds.Add("reference", figures.Result{Value: 200, Latencies: many(round.reference)})
		rounds.Add("ours", figures.Result{Value: 200, Latencies: many(round.ours)})
	}
	got := rounds.Figure(figures.Spec{
		Name: "ours", Reference: "reference", LatencyOnly: true, P99Ratio: 0.4, P50: 26 * time.Millisecond,
	})
	want := figures.Figure{
		Name: "ours", Unit: "/s", Value: 200, Low: 200, High: 200,
		Latency:   &figures.Latency{P50: 26, P90: 46, P99: 50, P999: 50, Max: 50},
		Reference: "reference", P99Reference: 100, P99Ratio: 0.5,
		Marks: []figures.Mark{{Wanted: "p50 <= 26ms", Reached: true}, {Wanted: "p99 ratio <= 0.40"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	rounds.Add("no latencies", figures.Result{Value: 200})
	got = rounds.Figure(figures.Spec{Name: "ours", Reference: "no latencies", LatencyOnly: true, P99Ratio: 1})
	if got.P99Ratio != 0 || len(got.Marks) != 0 {
		t.Errorf("compared with the p99 of a reference that has none: %+v", got)
	}
}

// A reference that is measured once is compared with every round; without a reference
// there is no ratio and no mark for it.
func TestFigureWithFewerReferences(t *testing.T) {
	t.Parallel()
	rounds := figures.Rounds{}
	rounds.Add("disk", figures.Result{Value: 100})
	rounds.Add("ours", figures.Result{Value: 200})
	rounds.Add("ours", figures.Result{Value: 400})
	if got := rounds.Figure(figures.Spec{Name: "ours", Ceiling: "disk"}).OfCeiling; got != 4 {
		t.Errorf("compared with one round of the reference: %v, want the upper of 2 and 4", got)
	}
	got := rounds.Figure(figures.Spec{Name: "ours", Reference: "not measured", Ratio: 1})
	if got.Reference != "" || len(got.Marks) != 0 {
		t.Errorf("compared with a reference that was not measured: %+v", got)
	}
}

func TestMarks(t *testing.T) {
	t.Parallel()
	rounds := figures.Rounds{}
	rounds.Add("memory", figures.Result{Value: 150})
	rounds.Add("slow", figures.Result{Value: 50, Latencies: many(100)})
	rounds.Add("idle", figures.Result{Value: 0.5})
	rounds.Add("costly", figures.Result{Value: 1, Operations: 10, Cost: figures.Cost{
		Server: 8 * time.Millisecond, Postgres: 5 * time.Millisecond, Client: time.Second, Allocations: 1200,
	}})
	for _, c := range []struct {
		spec    figures.Spec
		wanted  string
		reached bool
	}{
		{figures.Spec{Name: "memory", Unit: figures.Megabytes, Most: 150}, "<= 150 MB", true},
		{figures.Spec{Name: "memory", Unit: figures.Megabytes, Most: 149}, "<= 149 MB", false},
		{figures.Spec{Name: "slow", P99: 100 * time.Millisecond}, "p99 <= 100ms", true},
		{figures.Spec{Name: "slow", P99: 99 * time.Millisecond}, "p99 <= 99ms", false},
		{figures.Spec{Name: "slow", P50: 50 * time.Millisecond}, "p50 <= 50ms", false},
		{figures.Spec{Name: "idle", Unit: figures.OfACore, Most: 0.5}, "<= 0.50 % of a core", true},
		{figures.Spec{Name: "idle", Unit: figures.OfACore, Most: 0.49}, "<= 0.49 % of a core", false},
		{figures.Spec{Name: "costly", Processor: 1300 * time.Microsecond}, "CPU <= 1,300 µs", true},
		{figures.Spec{Name: "costly", Processor: 1299 * time.Microsecond}, "CPU <= 1,299 µs", false},
		{figures.Spec{Name: "costly", Allocations: 120}, "allocations <= 120", true},
		{figures.Spec{Name: "costly", Allocations: 119}, "allocations <= 119", false},
	} {
		want := []figures.Mark{{Wanted: c.wanted, Reached: c.reached}}
		if diff := cmp.Diff(want, rounds.Figure(c.spec).Marks); diff != "" {
			t.Errorf("%+v: %s", c.spec, diff)
		}
	}
}

// The cost of a measurement is divided by its operations. It is never negative: the time
// of a process that has ended is no longer counted.
func TestCostOfAnOperation(t *testing.T) {
	t.Parallel()
	rounds := figures.Rounds{}
	before := figures.Cost{Server: time.Second, Postgres: 3 * time.Second, Allocations: 1000}
	after := figures.Cost{
		Server: 2 * time.Second, Postgres: 2 * time.Second, Client: time.Second, Allocations: 5000,
	}
	rounds.Add("ours", figures.Result{Value: 1, Operations: 1000, Cost: after.Minus(before)})
	want := &figures.Operation{Server: 1000, Client: 1000, Allocations: 4}
	if diff := cmp.Diff(want, rounds.Figure(figures.Spec{Name: "ours"}).Cost); diff != "" {
		t.Error(diff)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	figures.File{Table: &figures.Table{Figures: []figures.Figure{
		{
			Name: "creates", Unit: "/s", Value: 12345.6,
			Latency:      &figures.Latency{P50: 1.234, P99: 12.34},
			Reference:    "pgbench",
			Ratio:        1.3,
			OfCeiling:    0.25,
			P99Reference: 24.68, P99Ratio: 0.5,
			Marks: []figures.Mark{{Wanted: ">= 1.25", Reached: true}},
			Cost:  &figures.Operation{Server: 87.6, Postgres: 9.84, Allocations: 44},
		},
		{Name: "memory", Unit: "MB", Value: 151.2, Marks: []figures.Mark{{Wanted: "<= 150 MB"}}},
		{Name: "idle", Unit: "% of a core", Value: 0.456},
	}, Relations: []figures.Relation{{Table: "events", Bytes: 812}}, Notes: []string{"a note"}}}.Print(&out)
	want := [][]string{
		{"The table"},
		figures.Headings,
		{
			"creates", "12,346/s", "1.23 ms", "12.3 ms", "24.7 ms", "0.50", "1.30 of pgbench", "0.25",
			">= 1.25 reached", "88", "9.8", "44",
		},
		{"memory", "151 MB", "<= 150 MB MISSED"},
		{"idle", "0.46 % of a core"},
		nil,
		{"Bytes on disk per paid intent"},
		{"table", "index", "bytes"},
		{"events", "812.0"},
		{"all", "812.0"},
		{"a note"},
		nil,
	}
	if diff := cmp.Diff(want, cells(out.String())); diff != "" {
		t.Error(diff)
	}
}

// cells are those of printed lines, without the empty ones.
func cells(printed string) (rows [][]string) {
	for line := range strings.Lines(printed) {
		var cells []string
		for cell := range strings.SplitSeq(strings.TrimSpace(line), "  ") {
			if cell = strings.TrimSpace(cell); cell != "" {
				cells = append(cells, cell)
			}
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestGrouped(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 999.4: "999", 1000: "1,000", 10_000_000: "10,000,000", -1234: "-1,234",
	} {
		if got := figures.Grouped(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

// A run replaces what it measured and keeps the rest.
func TestFileKeepsWhatWasNotMeasured(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "performance.json")
	table := figures.File{Table: &figures.Table{
		Run:     figures.Run{Date: "2026-11-22"},
		Figures: []figures.Figure{{Name: "creates", Value: 1.5}},
	}}
	growth := figures.File{Growth: &figures.Growth{Series: []figures.Series{{Title: "by clients"}}}}
	for _, part := range []figures.File{table, growth} {
		if err := part.Keep(path); err != nil {
			t.Fatal(err)
		}
	}
	got, err := figures.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(figures.File{Table: table.Table, Growth: growth.Growth}, got); diff != "" {
		t.Error(diff)
	}
	if missed := got.Missed(); len(missed) != 0 {
		t.Errorf("missed %v", missed)
	}
}

func TestSeries(t *testing.T) {
	t.Parallel()
	point := func(at, value, ratio float64) figures.Point {
		return figures.Point{At: at, Figure: figures.Figure{Unit: "/s", Value: value, Ratio: ratio}}
	}
	var out bytes.Buffer
	figures.File{Growth: &figures.Growth{Series: []figures.Series{{
		Title: "by clients", Over: "clients",
		Lines: []figures.Line{
			{Name: "creates", Points: []figures.Point{point(1, 500, 2), point(64, 6000, 1.5)}},
			{Name: "pgbench", Points: []figures.Point{point(1, 250, 0), point(64, 4000, 0)}},
		},
	}}}}.Print(&out)
	want := [][]string{
		{"by clients"},
		{"clients", "creates", "ratio", "p99", "pgbench", "p99"},
		{"1", "500/s", "2.00", "250/s"},
		{"64", "6,000/s", "1.50", "4,000/s"},
		nil,
	}
	if diff := cmp.Diff(want, cells(out.String())); diff != "" {
		t.Error(diff)
	}
}
