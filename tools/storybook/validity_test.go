package storybook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daftar/tools/docs/npmtest"
	"daftar/tools/storybook"
)

const validators = "testdata/validity"

// unpack writes the files of the storybook whose paths begin with prefix.
func unpack(t *testing.T, into, prefix string, files map[string][]byte) (names []string) {
	t.Helper()
	for name, content := range files {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		path := filepath.Join(into, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// finding is a problem that a validator reports in a file, by its path within the folder.
type finding struct{ File, Rule, Message string }

// htmlValidate validates all pages of a folder.
func htmlValidate(t *testing.T, tools *npmtest.Tools, folder string) (all []finding, pages int) {
	t.Helper()
	said := tools.RunNode(nil, tools.Path("validate.mjs"), folder)
	if said.Exit != 0 {
		t.Fatalf("html-validate: exit %d\n%s%s", said.Exit, said.Output, said.Errors)
	}
	for line := range strings.Lines(said.Output) {
		var f struct {
			finding
			Pages int
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("html-validate: %v: %s", err, line)
		}
		if pages += f.Pages; f.Rule != "" {
			all = append(all, f.finding)
		}
	}
	return all, pages
}

// A page of each template is valid HTML, in one of the languages; TestLongEveryPageIsValid checks
// every page. The pages with a mistake prove that the validator works.
func TestPagesAreValid(t *testing.T) {
	t.Parallel()
	tools := npmtest.Open(t, validators)
	pages := map[string][]byte{}
	for n, s := range firstOfEach(story.template) {
		path := kind{storybook.Light, storybook.Languages[n%2]}.path(s)
		pages[path] = files(t)[path]
	}
	unpack(t, tools.Work, "", pages)
	broken := brokenPages(t)
	unpack(t, tools.Work, "", broken)
	found, read := htmlValidate(t, tools, tools.Work)
	for _, f := range found {
		if broken[f.File] == nil {
			t.Errorf("%s: %s: %s", f.File, f.Rule, f.Message)
		}
	}
	for file := range broken {
		if !slices.ContainsFunc(found, func(f finding) bool {
			return f.File == file &&
				strings.ReplaceAll(f.Rule, "/", "-")+".html" == file
		}) {
			t.Errorf("%s: it finds only %v", file, found)
		}
	}
	if read != len(pages)+len(broken) || len(pages) < 60 {
		t.Errorf("%d pages were read, want %d of ours and %d with a mistake", read, len(pages), len(broken))
	}
}

// brokenPages are pages with one mistake each, in files named after the violated rule.
func brokenPages(t *testing.T) map[string][]byte {
	t.Helper()
	group := storybook.Groups()[0]
	page := string(files(t)[storybook.Path(storybook.Light, group, group.Pages[0], storybook.Languages[1])])
	broken := map[string][]byte{}
	for rule, change := range map[string][2]string{
		"close-order":               {"</main>", "</section>"},
		"wcag-h37":                  {"<h1", `<img src="x.png"><h1`},
		"no-dup-id":                 {"</body>", `<p id="twice">a</p><p id="twice">b</p></body>`},
		"element-permitted-content": {"</body>", `<ul><p>no item</p></ul></body>`},
		"attribute-allowed-values":  {"</body>", `<input type="telephone"></body>`},
		"deprecated":                {"</body>", `<blink>x</blink></body>`},
		"input-missing-label":       {"</body>", `<input type="text" name="x"></body>`},
		"valid-id":                  {"</body>", `<p id="">x</p></body>`},
		"form-dup-name":             {"</body>", `<form><input name="a"><input name="a"></form></body>`},
		"heading-level":             {"</main>", `<h4>deep</h4></main>`},
	} {
		text := strings.Replace(page, change[0], change[1], 1)
		if text == page {
			t.Fatalf("the page has no %s", change[0])
		}
		broken[rule+".html"] = []byte(text)
	}
	return broken
}

var (
	fragment = regexp.MustCompile(`href="#([^"]+)"`)
	named    = regexp.MustCompile(`\sid="([^"]*)"`)
	letter   = regexp.MustCompile(`\p{L}`)
)

// Every link to a fragment of its page has a target with a meaningful name: a name made from an
// Arabic heading was once nothing but hyphens.
func TestFragmentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	checked := 0
	for name, page := range files(t) {
		if strings.HasPrefix(name, string(storybook.Dark)) {
			continue // differs in a style sheet
		}
		for _, match := range named.FindAllStringSubmatch(string(page), -1) {
			if !letter.MatchString(match[1]) {
				t.Errorf("%s has an id %q", name, match[1])
			}
		}
		for _, match := range fragment.FindAllStringSubmatch(string(page), -1) {
			checked++
			if !strings.Contains(string(page), `id="`+match[1]+`"`) {
				t.Errorf("%s has nothing with the id %s", name, match[1])
			}
		}
	}
	if checked == 0 {
		t.Error("no page leads within itself")
	}
}

// The style sheets have no mistakes that stylelint finds. Those of the dark scheme are the same
// texts, and those of the shops differ only in a colour and a logo, so one of them is checked here;
// TestLongEveryStyleSheetIsValid checks the others.
func TestStyleSheetsAreValid(t *testing.T) {
	t.Parallel()
	mustBeValidSheets(t, func(name string) bool {
		return name == "storybook.css" || name == "light/bank.css" || name == "light/shop-wide.css" ||
			name == "light/docs.css" || name == "light/front.css"
	}, 5)
}

// mustBeValidSheets runs stylelint on the chosen style sheets, at least the given number, and on
// one with mistakes, which it must find.
func mustBeValidSheets(t *testing.T, chosen func(name string) bool, least int) {
	t.Helper()
	tools := npmtest.Open(t, validators)
	sheets := map[string][]byte{}
	for name, content := range files(t) {
		if filepath.Ext(name) == ".css" && chosen(name) {
			sheets[name] = content
		}
	}
	if len(sheets) < least {
		t.Fatalf("%d style sheets only", len(sheets))
	}
	sheets["broken.css"] = []byte("a { colr: red; color: #12; }\n" +
		"a { color: red; color: red; }\n" +
		"b:hoover { margin: 1pxx }\n")
	unpack(t, tools.Work, "", sheets)
	said := tools.Run("stylelint", "--config", tools.Path("stylelint.cjs"), "--config-basedir", tools.Path("."),
		"--formatter", "json", "**/*.css")
	var checked []struct {
		Source   string
		Warnings []struct{ Rule, Text string }
	}
	// It reports on standard error.
	if err := json.Unmarshal([]byte(said.Output+said.Errors), &checked); err != nil {
		t.Fatalf("stylelint: %v: exit %d %s%s", err, said.Exit, said.Output, said.Errors)
	}
	if len(checked) != len(sheets) {
		t.Errorf("stylelint read %d of %d style sheets", len(checked), len(sheets))
	}
	for _, sheet := range checked {
		if filepath.Base(sheet.Source) == "broken.css" {
			if len(sheet.Warnings) < 4 {
				t.Errorf("of what is wrong with broken.css it finds %v", sheet.Warnings)
			}
			continue
		}
		for _, w := range sheet.Warnings {
			t.Errorf("%s: %s", sheet.Source, w.Text)
		}
	}
}
