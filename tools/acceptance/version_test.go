package acceptance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	"daftar/tools/acceptance/programtest"
)

var (
	headingForm = regexp.MustCompile(`(?m)^## (.*)$`)
	releaseForm = regexp.MustCompile(`^(\d+\.\d+\.\d+) – (\d{4}-\d\d-\d\d)$`)
)

// released is the newest version in the changelog.
func released(t *testing.T) string {
	t.Helper()
	headings := headingForm.FindAllStringSubmatch(read(t, "../../CHANGELOG.md"), -1)
	if len(headings) < 2 || headings[0][1] != "Unreleased" {
		t.Fatalf("the changelog does not begin with what is unreleased and then a release: %v", headings)
	}
	newest := releaseForm.FindStringSubmatch(headings[1][1])
	for n, heading := range headings[1:] {
		release := releaseForm.FindStringSubmatch(heading[1])
		if release == nil {
			t.Fatalf("the changelog has a heading without version and date: %q", heading[1])
		}
		if n > 0 && semver.Compare("v"+release[1], "v"+newest[1]) >= 0 {
			t.Errorf("%s is below %s in the changelog", release[1], newest[1])
		}
	}
	return newest[1]
}

// The version in the source is the newest release in the changelog; a checkout appends its commit,
// and a release does not.
func TestVersionIsThatOfTheChangelog(t *testing.T) {
	t.Parallel()
	release := released(t)
	out, err := exec.CommandContext(t.Context(), programtest.Daftar(t), "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "daftar "+release+", go") {
		t.Errorf("daftar version, built without the scripts: %s (%v), want %s", out, err, release)
	}

	dir := t.TempDir()
	for _, path := range []string{"scripts/version", "cmd/daftar/main.go"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), []byte(read(t, "../../"+path)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=tester", "GIT_AUTHOR_EMAIL=tester@shop.example",
			"GIT_COMMITTER_NAME=tester", "GIT_COMMITTER_EMAIL=tester@shop.example",
			"GIT_COMMITTER_DATE=2026-11-25T04:05:06+02:00")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v: %s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	said := func(where, want string) {
		t.Helper()
		pattern := regexp.MustCompile(`^` + regexp.QuoteMeta(release) + want + `$`)
		if got := run("scripts/version"); !pattern.MatchString(got) {
			t.Errorf("%s: %s, want %s%s", where, got, release, want)
		}
	}
	const commit = `\+git20261125020506\.[0-9a-f]{8}`
	said("an unpacked archive", "")
	run("git", "init", "--quiet")
	run("git", "add", ".")
	run("git", "commit", "--quiet", "--message", "a commit")
	said("a checkout", commit)
	run("git", "tag", "v"+release)
	said("the tag of the release", "")
	err = os.WriteFile(filepath.Join(dir, "scripts", "version"),
		[]byte(read(t, "../../scripts/version")+"# changed\n"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	said("the tag, with a change", commit+`\.dirty`)
}
