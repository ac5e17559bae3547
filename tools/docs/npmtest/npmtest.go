package npmtest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// patience is longer than any of the tools takes, also on a busy machine.
const patience = 10 * time.Minute

// Tools are the packages of one folder.
type Tools struct {
	t      testing.TB
	folder string // an absolute path
	// Work is the folder in which the tools run. It is empty at first and removed after the test.
	Work string
}

// Open returns the tools that are installed in a folder with a package.json.
func Open(t testing.TB, folder string) *Tools {
	t.Helper()
	absolute, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(absolute, "node_modules", ".package-lock.json")); err != nil {
		t.Fatalf("the packages of %s are not there: run `npm ci` in it (make deps does)", folder)
	}
	return &Tools{t, absolute, t.TempDir()}
}

// Path returns the absolute path of a file of the folder.
func (n *Tools) Path(name string) string { return filepath.Join(n.folder, name) }

// Result is a tool's output and exit code.
type Result struct {
	Exit           int
	Output, Errors string
}

// Run runs a tool to its end.
func (n *Tools) Run(tool string, args ...string) Result {
	n.t.Helper()
	return n.start(n.Path(filepath.Join("node_modules", ".bin", tool)), nil, args)
}

// RunNode runs node itself, with further environment variables.
func (n *Tools) RunNode(env []string, args ...string) Result {
	n.t.Helper()
	return n.start("node", env, args)
}

func (n *Tools) start(program string, env, args []string) Result {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(n.t.Context(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...) //nolint:gosec // a tool of the package-lock.json
	command.Dir = n.Work
	command.Env = append(environment(n.Work), env...)
	command.WaitDelay = time.Second // a child process may keep the pipes open
	var output, problems bytes.Buffer
	command.Stdout, command.Stderr = &output, &problems
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		n.t.Fatalf("run %s: %v\n%s%s", filepath.Base(program), err, output.String(), problems.String())
	}
	return Result{command.ProcessState.ExitCode(), output.String(), problems.String()}
}

// environment is the whole environment of a tool.
func environment(home string) []string {
	nowhere := "http://127.0.0.1:9" // the port of discard, on which nothing listens
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8", "NO_COLOR=1",
		"DO_NOT_TRACK=1", "NO_UPDATE_NOTIFIER=1",
		"REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "SCARF_ANALYTICS=false",
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere, "http_proxy=" + nowhere, "https_proxy=" + nowhere,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost",
	}
}
