package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

const maxPicture = 120 << 10

// Each picture of the documents is shown, with a text for readers who do not see it, and is small
// enough for a telephone. TestLinks finds the pictures that are missing.
func TestPicturesAreShown(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for name, content := range documents(t) {
		walk(content, func(n ast.Node) {
			picture, ok := n.(*ast.Image)
			if !ok {
				return
			}
			file := path.Join(path.Dir(name), string(picture.Destination))
			shown[file] = true
			if words := len(strings.Fields(textOf(picture, content))); words < 4 {
				t.Errorf("%s describes %s by %d words", name, file, words)
			}
			if arabic := strings.HasSuffix(name, ".ar.md"); strings.HasSuffix(file, ".ar.png") != arabic {
				t.Errorf("%s shows %s, which is in the other language", name, file)
			}
		})
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*", "pictures", "*"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d pictures, %v", len(files), err)
	}
	for _, file := range files {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		if !shown[filepath.ToSlash(name)] {
			t.Errorf("no document shows %s", name)
		}
		if info, err := os.Stat(file); err != nil || info.Size() > maxPicture {
			t.Errorf("%s is larger than %d bytes, or %v", name, maxPicture, err)
		}
	}
}

// textOf returns the text below a node.
func textOf(n ast.Node, content []byte) string {
	var words strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if leaf, ok := n.(*ast.Text); ok && entering {
			words.Write(leaf.Segment.Value(content))
			words.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return words.String()
}

var inBold = regexp.MustCompile(`\*\*([^*]+?)\*\*`)

// What the guides name in bold is named so on the pages of which they show pictures. Where this
// fails, the pictures are stale, too: take them again.
func TestNamesOnPicturesAreTrue(t *testing.T) {
	t.Parallel()
	for guide, pages := range map[string]string{
		"social": "dashboard/view/*.go", "laravel": "dashboard/view/*.go",
		"woocommerce": "plugins/woocommerce/languages/*.po",
	} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pages)))
		if err != nil {
			t.Fatal(err)
		}
		var texts strings.Builder
		for _, file := range files {
			texts.WriteString(read(t, file))
		}
		for _, ending := range []string{".md", ".ar.md"} {
			text := read(t, filepath.Join(root, "docs", "integrate", guide+ending))
			text, _, _ = strings.Cut(text, "\n- **") // what sellers hear from customers
			found := inBold.FindAllStringSubmatch(text, -1)
			if len(found) == 0 {
				t.Errorf("%s%s names nothing", guide, ending)
			}
			for _, name := range found {
				words := strings.Join(strings.Fields(name[1]), " ")
				if !strings.Contains(texts.String(), `"`+words+`"`) {
					t.Errorf("%s%s names %q, and %s does not", guide, ending, words, pages)
				}
			}
		}
	}
}
