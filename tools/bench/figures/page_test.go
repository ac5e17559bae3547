package figures_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/tools/bench/figures"
)

const kept = "../../../docs/performance.md"

// The page shows exactly the kept figures. A figure that was changed by hand fails here.
func TestPageShowsWhatWasMeasured(t *testing.T) {
	t.Parallel()
	f, err := figures.Read(figures.FileOf(kept))
	if err != nil {
		t.Fatal(err)
	}
	if f.Table == nil || f.Growth == nil {
		t.Fatalf("%s has no table or no growth", figures.FileOf(kept))
	}
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Update(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(text)); diff != "" {
		t.Errorf("docs/performance.md is not what was measured"+
			" (make bench BENCH='-render docs/performance.md'):\n%s", diff)
	}
}

const page = "# Performance\n\nWritten by hand.\n\n" +
	"<!-- figures -->\nold\n<!-- end of figures -->\n\n" +
	"Also by hand.\n"

var measured = figures.File{
	Table: &figures.Table{
		Run: figures.Run{
			Date: "2026-11-22", Commit: "abc",
			Machine: figures.Machine{CPU: "some CPU", Cores: 2, MemoryMB: 23_000},
		},
		Figures: []figures.Figure{
			{Name: figures.Fdatasync, Unit: "/s", Value: 8408.1},
			{Name: figures.SwitchOnACore, Unit: figures.Switch, Value: 2.74},
			{Name: figures.SwitchOfCores, Unit: figures.Switch, Value: 19.44},
			{Name: figures.SwitchOverTCP, Unit: figures.Switch, Value: 25},
			{
				Name: "creates over HTTP", Unit: "/s", Value: 6123,
				Reference: "pgbench: one statement per intent", Ratio: 1.31,
				P99Reference: 27, P99Ratio: 0.75,
				Latency: &figures.Latency{P50: 9.5, P99: 20.25}, Cost: &figures.Operation{Server: 120},
				Marks: []figures.Mark{{Wanted: ">= 1.25", Reached: true}, {Wanted: "p99 <= 10ms"}},
			}, {
				Name: "creates at a rate", Unit: "/s", Value: 200, Reference: "pgbench at a rate",
				Latency:      &figures.Latency{P50: 1, P99: 2},
				P99Reference: 4, P99Ratio: 0.5,
			}, {
				Name: "of a run before there were ratios of p99", Unit: "/s", Value: 50, Reference: "pgbench",
				Latency: &figures.Latency{P50: 1, P99: 2},
			}},
		Relations: []figures.Relation{
			{Table: "events", Bytes: 812.25},
			{Table: "events", Index: "events_pkey", Bytes: 40},
		},
		Notes: []string{"the pay page weighs nothing"},
	},
	Growth: &figures.Growth{Machine: []figures.Figure{
		{Name: figures.Fdatasync, Unit: "/s", Value: 900},
	}, Series: []figures.Series{{
		Title: "Creates, by clients", Over: "clients",
		Lines: []figures.Line{{
			Name:   "creates",
			Points: []figures.Point{{At: 8, Figure: figures.Figure{Unit: "/s", Value: 2925}}},
		}},
	}}},
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	got, err := measured.Update([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Written by hand.", "Also by hand.",
		"| the table | 2026-11-22 | `abc` | some CPU, 2 cores, 23,000 MB of memory, fdatasync 8,408/s," +
			" a process switch 2.7 µs, to another core 19.4 µs, over TCP 25.0 µs |",
		" of memory, fdatasync 900/s |",
		"| a process switch: to another core over TCP | 25.0 µs, 20,000 round trips/s |",
		"| creates over HTTP | 6,123/s | 9.50 ms | 20.2 ms | 27.0 ms | 0.75 |" +
			" 1.31 of pgbench: one statement per intent |  |" +
			" >= 1.25 reached, p99 <= 10ms MISSED | 120 |  |  |  |",
		"| creates at a rate | 200/s | 1.00 ms | 2.00 ms | 4.00 ms |" +
			" 0.50 of pgbench at a rate |  |  |  |  |  |  |  |",
		"| of a run before there were ratios of p99 | 50/s | 1.00 ms | 2.00 ms |  |  |  |  |  |  |  |  |  |",
		"| events |  | 812.2 |\n| events | events_pkey | 40.0 |\n| all |  | 852.2 |\n",
		"the pay page weighs nothing", "### Creates, by clients", "| 8 | 2,925/s |  |",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(string(got), "\nold\n") {
		t.Error("old figures are still there")
	}
	if t.Failed() {
		t.Logf("%s", got)
	}
	again, err := measured.Update(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), string(again)); diff != "" {
		t.Errorf("written twice, the page differs:\n%s", diff)
	}
}

func TestUpdateRefusesAPageThatIsMarkedWrong(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no part is marked":    "# Performance\n",
		"the part comes twice": page + page,
		"the part has no end":  page[:strings.LastIndex(page, "<!-- end")],
		"it has two ends":      page + "<!-- end of figures -->\n",
		"the end comes first":  "<!-- end of figures -->\n<!-- figures -->\n",
	} {
		if _, err := measured.Update([]byte(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// WritePage does not change a page that it cannot update completely.
func TestWritePageThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "performance.md")
	if err := figures.WritePage(path); err == nil {
		t.Error("without figures: no error")
	}
	if err := measured.Keep(figures.FileOf(path)); err != nil {
		t.Fatal(err)
	}
	if err := figures.WritePage(path); err == nil {
		t.Error("without a page: no error")
	}
	const text = "# Performance\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := figures.WritePage(path); err == nil {
		t.Error("without markers: no error")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("the page has become %q, %v", got, err)
	}
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := figures.WritePage(path); err != nil {
		t.Error(err)
	}
}
