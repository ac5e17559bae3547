//go:build long

package storybook_test

import (
	"path/filepath"
	"slices"
	"testing"

	"daftar/tools/docs/npmtest"
	"daftar/tools/storybook"
)

// Every page is valid HTML in both languages. The schemes differ only in a style sheet.
func TestLongEveryPageIsValid(t *testing.T) {
	t.Parallel()
	tools := npmtest.Open(t, validators)
	names := unpack(t, tools.Work, string(storybook.Light)+"/", files(t))
	found, pages := htmlValidate(t, tools, tools.Work)
	for _, f := range found {
		t.Errorf("%s: %s: %s", f.File, f.Rule, f.Message)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) != ".html" })
	if pages != len(names) || pages < 600 {
		t.Errorf("%d of %d pages were looked at", pages, len(names))
	}
}

func TestLongEveryStyleSheetIsValid(t *testing.T) {
	t.Parallel()
	mustBeValidSheets(t, func(string) bool { return true }, 5)
}
