package storybook_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var markup = regexp.MustCompile(`(?s)<(?:script|svg).*?</(?:script|svg)>|<[^>]*>`)

// unvowelled returns a text without vowel signs, and without the stroke that only lengthens a word.
func unvowelled(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x64b && r <= 0x652 || r == 0x640 {
			return -1
		}
		return r
	}, text)
}

// The pages use the one word that docs/glossary.ar.md has for each thing.
func TestArabicKeepsToTheGlossary(t *testing.T) {
	t.Parallel()
	glossary, err := os.ReadFile("../../docs/glossary.ar.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for name, content := range files(t) {
		if strings.HasPrefix(name, "light/") && strings.HasSuffix(name, ".ar.html") {
			pages[name] = unvowelled(markup.ReplaceAllString(string(content), " "))
		}
	}
	on := func(words string) string {
		for name, text := range pages {
			if strings.Contains(text, words) {
				return name
			}
		}
		return ""
	}
	terms := 0
	for line := range strings.Lines(string(glossary)) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) != 5 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| English") {
			continue
		}
		terms++
		term := unvowelled(strings.TrimSpace(columns[2]))
		if on(term) == "" {
			t.Errorf("%q: no page says %q", columns[1], term)
		}
		for avoided := range strings.SplitSeq(unvowelled(columns[3]), "،") {
			if avoided = strings.TrimSpace(avoided); avoided == "" {
				continue
			}
			if name := on(avoided); name != "" {
				t.Errorf("%s says %q, want %q", name, avoided, term)
			}
		}
	}
	if terms < 30 || len(pages) < 100 {
		t.Errorf("%d terms and %d pages only", terms, len(pages))
	}
}
