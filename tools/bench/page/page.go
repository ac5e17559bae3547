package page

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"daftar/tools/bench/figures"
)

const (
	opening = "<!-- figures: %s -->\n"
	closing = "<!-- end of figures -->"
)

// parts are what stands between the markers.
var parts = map[string]func(figures.File, string) string{
	"run":    func(f figures.File, _ string) string { return runOf(f) },
	"marks":  func(f figures.File, _ string) string { return marksOf(f) },
	"table":  tableOf,
	"cost":   costOf,
	"growth": growthOf,
}

// Figures is the file of the figures that a page is made from.
func Figures(page string) string { return strings.TrimSuffix(page, ".md") + ".json" }

// folder is where the charts of a page are.
func folder(page string) string { return strings.TrimSuffix(page, ".md") }

// Render writes the generated parts of a page and its charts anew.
func Render(path string) error {
	if filepath.Ext(path) != ".md" {
		return fmt.Errorf("write page: %s is no .md file", path)
	}
	f, err := figures.Read(Figures(path))
	if err != nil {
		return err
	}
	if f.Table == nil && f.Growth == nil {
		return fmt.Errorf("write page: there are no figures in %s", Figures(path))
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	text, err := Update(old, f, filepath.Base(folder(path)))
	if err != nil {
		return fmt.Errorf("write page: %s: %w", path, err)
	}
	if err := os.MkdirAll(folder(path), 0o755); err != nil { //nolint:gosec // a page is for everybody
		return fmt.Errorf("write page: %w", err)
	}
	drawn := Charts(f)
	for _, name := range slices.Sorted(maps.Keys(drawn)) {
		if err := os.WriteFile(filepath.Join(folder(path), name), drawn[name], 0o644); err != nil { //nolint:gosec // as above
			return fmt.Errorf("write chart: %w", err)
		}
	}
	if err := os.WriteFile(path, text, 0o644); err != nil { //nolint:gosec // as above
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// Update returns the page with its generated parts made of the figures. Charts
// are linked to in the given folder beside the page.
func Update(page []byte, f figures.File, folder string) ([]byte, error) {
	if n := bytes.Count(page, []byte("<!-- figures: ")); n != len(parts) {
		return nil, fmt.Errorf("%d parts are marked instead of %d: %s", n, len(parts), strings.Join(slices.Sorted(maps.Keys(parts)), ", "))
	}
	for name, write := range parts {
		marker := fmt.Appendf(nil, opening, name)
		before, rest, found := bytes.Cut(page, marker)
		if !found {
			return nil, fmt.Errorf("no part is marked as %q", name)
		}
		old, after, found := bytes.Cut(rest, []byte(closing))
		if !found || bytes.Contains(old, []byte("<!-- figures: ")) {
			return nil, errors.New("the part " + name + " has no end")
		}
		page = slices.Concat(before, marker, []byte("\n"+write(f, folder)+"\n"), []byte(closing), after)
	}
	return page, nil
}
