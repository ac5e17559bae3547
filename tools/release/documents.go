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

// documents are what operators read, by their paths in the source: what README.md, the alerts, the
// manual pages and messages of the program point to.
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

// places say where what is in the source is in an archive or a package. What begins with a slash is
// in the root of the machine.
type places map[string]string

var linkForm = regexp.MustCompile(`(!?)\[([^\]\n]*)\]\(([^)\s]+)\)`)

// relink has the links of a document lead to where things are; one that leads to what is only in the
// source becomes its words, and so does such a picture.
func (p places) relink(source string, text []byte) []byte {
	return linkForm.ReplaceAllFunc(text, func(link []byte) []byte {
		parts := linkForm.FindSubmatch(link)
		picture, words, target := parts[1], string(parts[2]), string(parts[3])
		target, anchor, _ := strings.Cut(target, "#")
		if target == "" || strings.Contains(target, ":") {
			return link
		}
		place := p.of(path.Join(path.Dir(source), target))
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

// of is where a file or a folder of the source is; empty where it is nowhere.
func (p places) of(source string) string {
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

// relative is the way from a folder to a place, both without a slash at the beginning.
func relative(folder, place string) string {
	way, err := filepath.Rel(filepath.FromSlash(folder), filepath.FromSlash(place))
	if err != nil {
		panic(err) // both are relative
	}
	return filepath.ToSlash(way)
}
