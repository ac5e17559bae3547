package main

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// documents are the documents for operators, by their paths in the source: those to which
// README.md, the alerts, the manual pages and messages of the program refer.
func (r *release) documents() ([]string, error) {
	all := []string{"README.md", "CHANGELOG.md", "SECURITY.md"}
	for _, pattern := range []string{"docs/*.md", "docs/operate/*.md", "docs/runbook/*.md", "docs/adr/*.md"} {
		found, err := filepath.Glob(filepath.Join(r.root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, fmt.Errorf("look for documents: %w", err)
		}
		for _, one := range found {
			all = append(all, path.Join(path.Dir(pattern), filepath.Base(one)))
		}
	}
	return all, nil
}

// places map paths of the source to paths in an archive or a package. A path with a leading slash
// is absolute on the machine.
type places map[string]string

// linkForm is a link or a picture; its text may go on in the next line.
var linkForm = regexp.MustCompile(`(!?)\[([^\]\n]*\n?[^\]\n]*)\]\(([^)\s]+)\)`)

// relink makes the links of a document lead to the places of their targets. A link or picture whose
// target is only in the source becomes its text.
func (p places) relink(source string, text []byte) []byte {
	return linkForm.ReplaceAllFunc(text, func(link []byte) []byte {
		parts := linkForm.FindSubmatch(link)
		picture, words, target := parts[1], string(parts[2]), string(parts[3])
		target, anchor, _ := strings.Cut(target, "#")
		if target == "" || strings.Contains(target, ":") {
			return link
		}
		place := p.find(path.Join(path.Dir(source), target))
		if place == "" {
			return []byte(words)
		}
		if !path.IsAbs(place) {
			place = relative(path.Dir(p[source]), place)
		}
		if anchor != "" {
			place += "#" + anchor
		}
		return fmt.Appendf(nil, "%s[%s](%s)", picture, words, place)
	})
}

// find returns the place of a file or a folder of the source; empty if it has none.
func (p places) find(source string) string {
	if place := p[source]; place != "" {
		return place
	}
	for _, inside := range slices.Sorted(maps.Keys(p)) {
		if strings.HasPrefix(inside, source+"/") {
			return path.Dir(p[inside])
		}
	}
	return ""
}

// relative returns the path from a folder to a place, both without a leading slash.
func relative(folder, place string) string {
	way, err := filepath.Rel(filepath.FromSlash(folder), filepath.FromSlash(place))
	if err != nil {
		panic(err) // cannot fail: both are relative
	}
	return filepath.ToSlash(way)
}
