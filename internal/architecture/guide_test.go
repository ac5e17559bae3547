package architecture_test

import (
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var step = regexp.MustCompile(`(?m)^[0-9]\. (.*)$`)

// The functions in the guide of ARCHITECTURE.md exist in the packages that it names.
func TestFunctionsOfTheGuideExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, guide, found := strings.Cut(string(text), "## Follow one value")
	guide, _, _ = strings.Cut(guide, "\n## ")
	steps := step.FindAllStringSubmatch(guide, -1)
	if !found || len(steps) != 18 {
		t.Fatalf("the guide has %d steps", len(steps))
	}
	functions := map[string][]string{} // by package
	for _, s := range sources(t) {
		if !s.test {
			functions[s.pkg] = append(functions[s.pkg], declared(s)...)
		}
	}
	for _, s := range steps {
		head, _, _ := strings.Cut(s[1], ":")
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(head, -1)
		pkg := names[0][1]
		for _, name := range names[1:] {
			if !slices.Contains(functions[pkg], name[1]) {
				t.Errorf("%s has no function %s: %s", pkg, name[1], s[0])
			}
		}
	}
}

// declared are the functions, methods and methods of interfaces of a file.
func declared(s source) []string {
	var names []string
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name.Name)
			return false
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				for _, name := range method.Names {
					names = append(names, name.Name)
				}
			}
		}
		return true
	})
	return names
}

var (
	drawnBox   = regexp.MustCompile(`(?m)^    (\w+)\["([a-z/]+)"\]$`)
	drawnArrow = regexp.MustCompile(`(?m)^    (\w+) -.*-+> (\w+)$`)
)

// The boxes of the drawing in ARCHITECTURE.md are packages. Of two packages with an arrow between
// them, one imports the other.
func TestDrawnPackagesExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, drawing, _ := strings.Cut(string(text), "```mermaid\n")
	drawing, _, _ = strings.Cut(drawing, "```\n")
	imports := map[string][]string{} // by package
	for _, s := range sources(t) {
		if !s.test {
			imports[s.pkg] = append(imports[s.pkg], s.imports...)
		}
	}
	boxes := map[string]string{} // packages by their names in the drawing
	for _, box := range drawnBox.FindAllStringSubmatch(drawing, -1) {
		boxes[box[1]] = box[2]
		if _, exists := imports[box[2]]; !exists {
			t.Errorf("there is no package %s", box[2])
		}
	}
	arrows := 0
	for _, arrow := range drawnArrow.FindAllStringSubmatch(drawing, -1) {
		from, to := boxes[arrow[1]], boxes[arrow[2]]
		if from == "" || to == "" {
			continue // from or to the outside
		}
		arrows++
		if !slices.Contains(imports[from], module+"/"+to) && !slices.Contains(imports[to], module+"/"+from) {
			t.Errorf("neither of %s and %s imports the other", from, to)
		}
	}
	if len(boxes) < 10 || arrows < 10 {
		t.Errorf("the drawing has %d packages and %d arrows between them", len(boxes), arrows)
	}
}
