package docs_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// root is the root of the repository.
const root = "../.."

// documents returns all Markdown files of the repository, by their paths from its root.
func documents(t *testing.T) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	files := os.DirFS(root)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && name != "."
		if entry.IsDir() && (hidden || entry.Name() == "node_modules" || name == "var" || name == "bin") {
			return fs.SkipDir
		}
		if path.Ext(name) == ".md" {
			found[name], err = fs.ReadFile(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 30 {
		t.Fatalf("%d documents only", len(found))
	}
	return found
}

// Every link within the repository leads to an existing file and heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	all := documents(t)
	anchors := map[string]map[string]bool{}
	for name, content := range all {
		anchors[name] = anchorsOf(content)
	}
	checked := 0
	for name, content := range all {
		for _, link := range linksOf(content) {
			if regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`).MatchString(link) {
				continue // outside of the repository
			}
			checked++
			file, heading, _ := strings.Cut(link, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
				t.Errorf("%s leads to %s, and there is no %s", name, link, target)
				continue
			}
			if heading != "" && anchors[target] != nil && !anchors[target][heading] {
				t.Errorf("%s leads to %s, and %s has no such heading", name, link, target)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d links were followed", checked)
	}
}

// The README is one page. Everything else belongs in the documents for its readers.
func TestReadmeIsAPage(t *testing.T) {
	t.Parallel()
	if lines := strings.Count(read(t, filepath.Join(root, "README.md")), "\n"); lines > 150 {
		t.Errorf("README.md has %d lines", lines)
	}
}

// Prose is at most 110 columns wide, so that a diff of two versions is readable. Exempt are tables,
// code, headings, HTML, and lines of one word (a URL), which cannot be broken.
func TestProseIsNarrow(t *testing.T) {
	t.Parallel()
	for name, content := range documents(t) {
		walk(content, func(n ast.Node) {
			if n.Kind() != ast.KindParagraph && n.Kind() != ast.KindTextBlock {
				return
			}
			for _, segment := range n.Lines().Sliced(0, n.Lines().Len()) {
				words := content[segment.Start:segment.Stop]
				begin := bytes.LastIndexByte(content[:segment.Start], '\n') + 1
				line := bytes.TrimRight(content[begin:segment.Stop], "\n")
				breakable := !bytes.HasPrefix(words, []byte("|")) && len(bytes.Fields(words)) > 1
				if columns := utf8.RuneCount(line); columns > 110 && breakable {
					t.Errorf("%s has a line of %d columns: %s", name, columns, line)
				}
			}
		})
	}
}

// linksOf returns the targets of the links and pictures of a text.
func linksOf(content []byte) (all []string) {
	walk(content, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Link:
			all = append(all, string(n.Destination))
		case *ast.Image:
			all = append(all, string(n.Destination))
		}
	})
	return all
}

// anchorsOf returns the anchors of a text's headings on the sites that show repositories: the words
// in lower case, with hyphens for spaces.
func anchorsOf(content []byte) map[string]bool {
	found := map[string]bool{}
	walk(content, func(n ast.Node) {
		heading, ok := n.(*ast.Heading)
		if !ok {
			return
		}
		var words strings.Builder
		_ = ast.Walk(heading, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if leaf, ok := n.(*ast.Text); ok && entering {
				words.Write(leaf.Segment.Value(content))
			}
			return ast.WalkContinue, nil
		})
		found[strings.Map(func(r rune) rune {
			switch {
			case r == ' ' || r == '-':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, words.String())] = true
	})
	return found
}

func walk(content []byte, visit func(ast.Node)) {
	root := goldmark.DefaultParser().Parse(text.NewReader(content))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}
