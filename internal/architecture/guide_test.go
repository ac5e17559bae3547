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

// The functions that ARCHITECTURE.md leads a reader through exist where it says.
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
