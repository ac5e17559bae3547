package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// At returns the path of the program as it was at a commit of this repository's history.
func At(t testing.TB, commit string) string {
	t.Helper()
	dir, err := folder()
	if err != nil {
		t.Fatal(err)
	}
	path, err := once(dir, "daftar-"+commit, func(to string) error { return compileCommit(commit, to) })
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func compileCommit(commit, to string) error {
	root, err := git("", "rev-parse", "--show-toplevel")
	if err != nil {
		return fmt.Errorf("the program of another commit is built from the repository's history: %w", err)
	}
	if _, err := git(root, "cat-file", "-e", commit+"^{commit}"); err != nil {
		return fmt.Errorf("commit %s is not in the history of this clone; "+
			"get all of it (git fetch --unshallow): %w", commit, err)
	}
	source, err := os.MkdirTemp("", "daftar-source-")
	if err != nil {
		return fmt.Errorf("create folder for the source: %w", err)
	}
	defer func() { _ = os.RemoveAll(source) }()
	archive := filepath.Join(source, "source.tar")
	if _, err := git(root, "archive", "--output="+archive, commit); err != nil {
		return err
	}
	unpack := exec.Command("tar", "-xf", archive, "-C", source) //nolint:gosec,noctx // as in git, below
	if output, err := unpack.CombinedOutput(); err != nil {
		return fmt.Errorf("unpack the source: %w: %s", err, output)
	}
	return compile(source, to, "./cmd/daftar")
}

// git runs git in a folder and returns its output.
func git(dir string, arguments ...string) (string, error) {
	c := exec.Command("git", arguments...) //nolint:gosec,noctx // our own arguments; go test ends what hangs
	c.Dir = dir
	output, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(arguments, " "), err, output)
	}
	return strings.TrimSpace(string(output)), nil
}
