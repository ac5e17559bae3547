package storybook_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	markup = regexp.MustCompile(`(?s)<(?:script|svg).*?</(?:script|svg)>|<[^>]*>`)
	spoken = regexp.MustCompile(` (?:alt|aria-label|placeholder|title)="([^"]*)"`)
)

// unvowelled returns a text without vowel signs, and without the stroke that only lengthens a word.
func unvowelled(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x64b && r <= 0x652 || r == 0x640 {
			return -1
		}
		return r
	}, text)
}

// The Arabic pages use the one word that docs/glossary.ar.md has for each thing.
func TestArabicKeepsToTheGlossary(t *testing.T) {
	t.Parallel()
	mustKeepTo(t, "../../docs/glossary.ar.md", "| English | Arabic | not |", ".ar.html", "،")
}

// The English pages use the one word that the last table of docs/glossary.md has for each thing.
func TestEnglishKeepsToTheGlossary(t *testing.T) {
	t.Parallel()
	mustKeepTo(t, "../../docs/glossary.md", "| page | English | not |", ".en.html", ",")
}

// mustKeepTo checks pages against the table below head: each has the words of the second column on one of
// them, and those of the last column on none.
func mustKeepTo(t *testing.T, file, head, suffix, comma string) {
	t.Helper()
	glossary, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(glossary), head+"\n")
	pages := map[string]string{}
	for name, content := range files(t) {
		if !strings.HasPrefix(name, "light/") || !strings.HasSuffix(name, suffix) {
			continue
		}
		text := markup.ReplaceAllString(string(content), " ")
		for _, attribute := range spoken.FindAllSubmatch(content, -1) {
			text += "\n" + string(attribute[1])
		}
		pages[name] = unvowelled(text)
	}
	on := func(words string) string {
		for name, text := range pages {
			if strings.Contains(text, words) {
				return name
			}
		}
		return ""
	}
	split := func(cell string) (words []string) {
		for w := range strings.SplitSeq(unvowelled(cell), comma) {
			if w = strings.TrimSpace(w); w != "" {
				words = append(words, w)
			}
		}
		return words
	}
	terms := 0
	for line := range strings.Lines(table) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) != 5 || strings.HasPrefix(line, "|---") {
			continue
		}
		for _, term := range split(columns[2]) {
			terms++
			if on(term) == "" {
				t.Errorf("%q: no page says %q", columns[1], term)
			}
		}
		for _, avoided := range split(columns[3]) {
			if name := on(avoided); name != "" {
				t.Errorf("%s says %q, want %q", name, avoided, columns[2])
			}
		}
	}
	if terms < 20 || len(pages) < 100 {
		t.Errorf("%d terms and %d pages only", terms, len(pages))
	}
}
