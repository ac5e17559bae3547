package architecture_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var moduleList = regexp.MustCompile(`(?m)^MODULES\s*:= (.*)$`)

// modules are those that `make test` and `make check` go through.
func modules(t *testing.T) []string {
	t.Helper()
	found := moduleList.FindStringSubmatch(read(t, "Makefile"))
	if found == nil {
		t.Fatal("the Makefile has no MODULES")
	}
	return strings.Fields(found[1])
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// isOfMerchants reports whether a package is a module for merchants' programs.
func isOfMerchants(pkg string) bool {
	return strings.HasPrefix(pkg, "sdk/") || strings.HasPrefix(pkg, "examples/")
}

// A module that the Makefile does not name would be neither tested nor linted.
func TestEveryModuleWithCodeIsTested(t *testing.T) {
	t.Parallel()
	want := []string{"."}
	for _, s := range sources(t) {
		if folder, inTools := strings.CutPrefix(s.pkg, "tools/"); inTools {
			tool, _, _ := strings.Cut(folder, "/")
			want = append(want, "tools/"+tool)
		}
		if isOfMerchants(s.pkg) {
			want = append(want, s.pkg)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), slices.Sorted(slices.Values(modules(t)))); diff != "" {
		t.Errorf("MODULES of the Makefile (-want +got):\n%s", diff)
	}
	if strings.Contains(read(t, "go.mod"), "replace") {
		t.Error("go.mod replaces a module: go install cannot build the product")
	}
	for _, m := range modules(t) {
		if m == "." {
			continue
		}
		file := read(t, m+"/go.mod")
		if name := "module daftar/" + m + "\n"; !strings.Contains(file, name) {
			t.Errorf("%s/go.mod lacks %q", m, name)
		}
		if isOfMerchants(m) {
			if strings.Contains(file, "=> ../..\n") {
				t.Errorf("%s/go.mod has the product: it talks to the API alone", m)
			}
			continue
		}
		if !strings.Contains(file, "\nreplace daftar => ../..\n") {
			t.Errorf("%s/go.mod does not replace the product by that of the checkout", m)
		}
		// Without it, what the product and the tool share is compiled twice: once by its name, and once
		// by that of a replaced module.
		if !strings.Contains(read(t, m+"/go.work"), "\n\t../..\n") {
			t.Errorf("%s/go.work does not use the product", m)
		}
	}
}

// testModules is the script with these variables, and without those of the run that this
// test is part of.
func testModules(variables ...string) *exec.Cmd {
	c := exec.Command("./scripts/test-modules")
	c.Dir = filepath.Join("..", "..")
	c.Env = append(append(os.Environ(), "RACE=", "RACED="), variables...)
	return c
}

// A package is tested in its own module, in whatever form it is named.
func TestPackagesFindTheirModule(t *testing.T) {
	t.Parallel()
	for packages, want := range map[string]string{
		"./...":                                "root ./...\nbench ./...\ntorture ./...\nsdk ./...\n",
		"./tools/...":                          "bench ./...\ntorture ./...\n",
		"./checkout ./eventstore/...":          "root ./checkout ./eventstore/...\n",
		"./tools/bench ./domain":               "root ./domain\nbench ./\n",
		"daftar/domain":                        "root ./domain\n",
		"daftar/tools/torture/history":         "torture ./history\n",
		"./tools/torture/... ./tools/torture/": "torture ./... ./\n",
		"./sdk/... ./domain":                   "root ./domain\nsdk ./...\n",
		"daftar/sdk/go":                        "sdk ./\n",
	} {
		c := testModules("MODULES=. tools/bench tools/torture sdk/go", "PACKAGES="+packages)
		named := `d=$(basename "$PWD")
			case $PWD in */tools/*) ;; */sdk/go) d=sdk ;; *) d=root ;; esac
			echo "$d" "$@"`
		c.Args = append(c.Args, "sh", "-c", named, "sh")
		got, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v", packages, err)
		}
		sameLines(t, packages, want, string(got))
	}
}

// sameLines compares the lines in any order: modules run at the same time.
func sameLines(t *testing.T, what, want, got string) {
	t.Helper()
	diff := cmp.Diff(slices.Sorted(strings.Lines(want)), slices.Sorted(strings.Lines(got)))
	if diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// The race detector is for what is in RACED.
func TestRaceDetectorForWhatIsListed(t *testing.T) {
	t.Parallel()
	for packages, want := range map[string]string{
		"./reconcile ./domain ./tools/torture ./tools/bench": "-race daftar/domain\n" +
			"daftar/reconcile\n" +
			"./\n" +
			"-race ./\n",
		"./reconcile": "daftar/reconcile\n",
		"./nowhere":   "./nowhere\n",
	} {
		c := testModules("MODULES=. tools/bench tools/torture", "PACKAGES="+packages,
			"RACE=-race", "RACED=daftar/domain tools/torture")
		c.Args = append(c.Args, "echo")
		got, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v", packages, err)
		}
		sameLines(t, packages, want, string(got))
	}
}

// A failure in one module is not hidden by the next, which still runs.
func TestAFailedModuleFailsTheRun(t *testing.T) {
	t.Parallel()
	c := testModules("MODULES=. tools/torture", "PACKAGES=./...")
	c.Args = append(c.Args, "sh", "-c", `basename "$PWD"; test "$(basename "$PWD")" = torture`, "sh")
	got, err := c.Output()
	// The command is run in each module.
	if err == nil {
		t.Error("a module failed, the run did not")
	}
	root, _ := filepath.Abs("../..")
	sameLines(t, "./...", filepath.Base(root)+"\ntorture\nFAIL\t. [setup failed]\n", string(got))
}

// A package that no module has is a mistake, not a run of no tests.
func TestUnknownPackages(t *testing.T) {
	t.Parallel()
	c := testModules("MODULES=. tools/bench", "PACKAGES=./domain ./tools/judge")
	c.Args = append(c.Args, "echo", "ran")
	got, err := c.CombinedOutput()
	if want := "test-modules: no module has ./tools/judge\n"; err == nil || string(got) != want {
		t.Errorf("%v, %q, want %q", err, got, want)
	}
}
