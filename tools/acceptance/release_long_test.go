//go:build long

package acceptance_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The same source gives the same bytes in another folder.
func TestLongReleaseIsReproducible(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "../../scripts/release", "--check").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "the same bytes of daftar-dev from two folders") {
		t.Errorf("%v: %s", err, out)
	}
}

// Code for Linux only is in separate files. A missing file breaks type checking, which takes
// seconds for another system; compiling would take minutes.
func TestLongCompilesForMacOS(t *testing.T) {
	t.Parallel()
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
			packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax,
		Dir: "../..", Env: append(os.Environ(), "GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"),
	}, "./cmd/...")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	packages.Visit(loaded, nil, func(p *packages.Package) {
		checked++
		for _, problem := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, problem)
		}
	})
	if checked < 100 {
		t.Errorf("%d packages were looked at", checked)
	}
}
