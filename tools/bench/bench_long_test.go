//go:build long

package main_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	bench "daftar/tools/bench"
	"daftar/tools/bench/figures"
)

// The benchmark measures each of its figures, in as little time as possible. The values do
// not matter here.
func TestLongEveryFigureIsMeasured(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := filepath.Join(dir, "figures.json")
	program, daftar := filepath.Join(dir, "bench"), filepath.Join(dir, "daftar")
	run(t, "go", "build", "-o", program, ".")
	run(t, "go", "build", "-C", filepath.Join("..", ".."), "-o", daftar, "./cmd/daftar")
	small := []string{
		"-daftar", daftar, "-json", kept,
		"-rounds", "1", "-time", "200ms", "-clients", "8", "-stored", "300",
	}
	run(t, program, append(small, "-backlog", "3000", "-intents", "1000")...)
	run(t, program, append(small, "-growth", "-sizes", "300,600")...)

	f, err := figures.Read(kept)
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]bool{}
	for _, figure := range f.Table.Figures {
		// In a short time an idle server may use less than /proc shows.
		measured[figure.Name] = figure.Value > 0 || figure.Unit == figures.OfACore
	}
	for _, s := range bench.Specs() {
		if !measured[s.Name] {
			t.Errorf("%s was not measured", s.Name)
		}
	}
	if len(f.Table.Relations) == 0 {
		t.Error("the sizes of tables and indexes per paid intent are missing")
	}
	if len(f.Growth.Series) != 1 {
		t.Errorf("%d series of growth, want 1", len(f.Growth.Series))
	}
	for _, s := range f.Growth.Series {
		for _, l := range s.Lines {
			for _, p := range l.Points {
				if p.Figure.Value <= 0 {
					t.Errorf("%s: %s was not measured at %v", s.Title, l.Name, p.At)
				}
			}
		}
	}
}

func run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	if output, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", program, arguments, err, output)
	}
}
