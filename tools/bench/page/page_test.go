package page_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/tools/bench/figures"
	"daftar/tools/bench/page"
)

const kept = "../../../docs/performance.md"

// The page and its charts are what the kept figures say, and nothing else: a
// figure that somebody changed by hand shows here.
//
//	go run ./cmd/bench -render docs/performance.md
func TestPageSaysWhatWasMeasured(t *testing.T) {
	t.Parallel()
	f, err := figures.Read(page.Figures(kept))
	if err != nil {
		t.Fatal(err)
	}
	if f.Table == nil || f.Growth == nil {
		t.Fatalf("%s has no table or no growth", page.Figures(kept))
	}
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	want, err := page.Update(text, f, "performance")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(text)); diff != "" {
		t.Errorf("docs/performance.md is not what was measured (go run ./cmd/bench -render docs/performance.md):\n%s", diff)
	}
	for name, chart := range page.Charts(f) {
		drawn, err := os.ReadFile(filepath.Join(filepath.Dir(kept), "performance", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Equal(chart, drawn) {
			t.Errorf("the chart %s is not what was measured", name)
		}
		if !strings.Contains(string(text), "(performance/"+name+")") {
			t.Errorf("the page does not show %s", name)
		}
	}
}

func marked(names ...string) string {
	text := "# Performance\n\nWritten by hand.\n"
	for _, name := range names {
		text += "\n<!-- figures: " + name + " -->\nold\n<!-- end of figures -->\n\nAlso by hand.\n"
	}
	return text
}

var measured = figures.File{Table: &figures.Table{
	Run: figures.Run{Date: "2026-11-22", Commit: "abc", Machine: figures.Machine{CPU: "some CPU", Cores: 2, MemoryMB: 23_000}},
	Figures: []figures.Figure{{
		Name: "creates over HTTP", Unit: "/s", Value: 6123, Low: 6000, High: 6200, Reference: "pgbench: one transaction per intent", Ratio: 1.31,
		Latency: &figures.Latency{P50: 9.5, P99: 20.25}, Cost: &figures.Operation{Server: 120, Bytes: 5500},
		Marks: []figures.Mark{{Wanted: ">= 1.25", Reached: true}, {Wanted: "p99 <= 10ms"}},
	}},
	Notes: []string{"the pay page weighs nothing"},
}}

func TestUpdate(t *testing.T) {
	t.Parallel()
	got, err := page.Update([]byte(marked("run", "marks", "table", "cost", "growth")), measured, "performance")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Written by hand.", "Also by hand.",
		"| the table | 2026-11-22 | `abc` | some CPU, 2 cores, 23,000 MB of memory |",
		"| creates over HTTP | >= 1.25 of pgbench: one transaction per intent | 1.31 | reached |",
		"| creates over HTTP | p99 <= 10ms | 20.2 ms | **missed** |",
		"| creates over HTTP | 6,123/s | 6,000/s | 6,200/s | 9.50 ms | 20.2 ms | 1.31 |  |",
		"| creates over HTTP | 120 |  |  |  | 5.5 |",
		"the pay page weighs nothing", "(performance/requests.svg)", "Not measured yet.",
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
	again, err := page.Update(got, measured, "performance")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), string(again)); diff != "" {
		t.Errorf("written twice, the page differs:\n%s", diff)
	}
}

func TestUpdateRefusesAPageThatIsMarkedWrong(t *testing.T) {
	t.Parallel()
	good := marked("run", "marks", "table", "cost", "growth")
	for name, text := range map[string]string{
		"no part is marked":   "# Performance\n",
		"one is missing":      marked("run", "marks", "table", "cost"),
		"one is unknown":      marked("run", "marks", "table", "cost", "sound"),
		"one comes twice":     marked("run", "marks", "table", "cost", "growth", "cost"),
		"one has no end":      strings.Replace(good, "<!-- end of figures -->", "", 1),
		"the last has no end": good[:strings.LastIndex(good, "<!-- end")],
	} {
		if _, err := page.Update([]byte(text), measured, "performance"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Render leaves the page alone where it cannot write it whole.
func TestRenderOfAPageThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "performance.md")
	if err := page.Render(path); err == nil {
		t.Error("without figures: no error")
	}
	if _, err := measured.Update(page.Figures(path)); err != nil {
		t.Fatal(err)
	}
	if err := page.Render(path); err == nil {
		t.Error("without a page: no error")
	}
	const text = "# Performance\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := page.Render(path); err == nil {
		t.Error("without markers: no error")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("the page has become %q, %v", got, err)
	}
}
