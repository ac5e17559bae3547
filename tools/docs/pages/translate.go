package main

import (
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v4"
)

// translation has the texts of the API's description in another language. It is by text and not by
// place: a text is translated once, and one that has changed lacks its translation.
type translation struct {
	by      map[string]string
	used    map[string]bool
	missing []string
}

// readTranslation reads a list of pairs: en, a text of the description, and ar.
func readTranslation(file string) (*translation, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseTranslation(text)
}

func parseTranslation(text []byte) (*translation, error) {
	var pairs []struct{ En, Ar string }
	if err := yaml.Unmarshal(text, &pairs); err != nil {
		return nil, fmt.Errorf("read translation: %w", err)
	}
	t := &translation{by: map[string]string{}, used: map[string]bool{}}
	for _, p := range pairs {
		t.by[onOneLine(p.En)] = strings.TrimSpace(p.Ar)
	}
	return t, nil
}

func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// say returns the translation of a text.
func (t *translation) say(text string) string {
	key := onOneLine(text)
	if key == "" {
		return ""
	}
	said := t.by[key]
	if said == "" {
		t.missing = append(t.missing, key)
	}
	t.used[key] = true
	return said
}

// check returns an error for texts without a translation, and for translations of no text.
func (t *translation) check() error {
	for key := range t.by {
		if !t.used[key] {
			return fmt.Errorf("the description does not say %q any more", key)
		}
	}
	if len(t.missing) > 0 {
		return fmt.Errorf("without translation:\n%s", strings.Join(t.missing, "\n"))
	}
	return nil
}
