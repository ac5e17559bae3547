package main

import (
	"fmt"
	"io/fs"
	"strings"
)

// sample is an operation's call in a language.
type sample struct {
	Language string
	Ending   string // of its file
	Code     string
}

// languages are those of the samples, in the order of display.
var languages = []sample{
	{Language: "curl", Ending: "sh"},
	{Language: "PHP", Ending: "php"},
	{Language: "TypeScript", Ending: "ts"},
	{Language: "Python", Ending: "py"},
	{Language: "Go", Ending: "go"},
}

// addSamples adds the programs in a folder to the operations: for each of them one in every
// language, named by its operationId. One that is missing is an error, and so is one of no operation.
func addSamples(operations []operation, folder fs.FS) error {
	left := make(map[string]bool)
	for _, language := range languages {
		names, err := fs.Glob(folder, "*."+language.Ending)
		if err != nil {
			return fmt.Errorf("read samples: %w", err)
		}
		for _, name := range names {
			left[name] = true
		}
	}
	for n := range operations {
		o := &operations[n]
		for _, s := range languages {
			name := o.ID + "." + s.Ending
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return fmt.Errorf("sample of %s %s in %s: %w", o.Method, o.Path, s.Language, err)
			}
			if s.Code, err = shown(name, string(text)); err != nil {
				return err
			}
			o.Samples = append(o.Samples, s)
			delete(left, name)
		}
	}
	for name := range left {
		return fmt.Errorf("sample %s is of no operation", name)
	}
	return nil
}

// shown is the part of a program that the page has: all of it, or, in Go, what main does. The rest
// is the same in every program in Go, and an editor adds it.
func shown(name, text string) (string, error) {
	if !strings.HasSuffix(name, ".go") {
		return strings.TrimSpace(text), nil
	}
	_, body, found := strings.Cut(text, "\nfunc main() {\n")
	body, _, closed := strings.Cut(body, "\n}\n")
	if !found || !closed {
		return "", fmt.Errorf("sample %s has no main", name)
	}
	return strings.ReplaceAll(strings.TrimPrefix(body, "\t"), "\n\t", "\n"), nil
}
