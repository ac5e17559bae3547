package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/acceptance/programtest"
)

const startLimit = 2 * time.Minute

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: testrun COMMAND [ARGUMENT ...]")
		os.Exit(2)
	}
	// The command is in the same process group and gets the signals of a terminal itself; the
	// shared resources must outlast it. Ignored signals would be inherited.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM)
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func run(command []string) (code int, err error) {
	s, err := start()
	defer func() { err = errors.Join(err, s.stop()) }()
	if err != nil {
		return 1, err
	}
	return execute(command, s.environment())
}

// execute runs the command to its end; err says why there is no exit code.
func execute(command, environment []string) (code int, err error) {
	c := exec.Command(command[0], command[1:]...) //nolint:gosec,noctx // that is what it is for
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.Env = append(os.Environ(), environment...)
	err = c.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		return c.ProcessState.ExitCode(), nil
	}
	return 0, err
}

// shared is what the tests share.
type shared struct {
	cluster     *pgcluster.Cluster
	browser     string
	stopBrowser func()
	programs    string
}

func start() (*shared, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	var s shared
	var failed [3]error
	var starting sync.WaitGroup
	starting.Go(func() { s.cluster, failed[0] = pgtest.Start(ctx) })
	starting.Go(func() { s.browser, s.stopBrowser, failed[1] = browsertest.Start() })
	starting.Go(func() { s.programs, failed[2] = os.MkdirTemp("", "daftar-programs-") })
	starting.Wait()
	return &s, errors.Join(failed[:]...)
}

func (s *shared) environment() []string {
	return []string{
		pgtest.Variable + "=" + s.cluster.URL("postgres", "postgres"),
		browsertest.Variable + "=" + s.browser,
		programtest.Variable + "=" + s.programs,
	}
}

func (s *shared) stop() error {
	if s.stopBrowser != nil {
		s.stopBrowser()
	}
	err := os.RemoveAll(s.programs)
	if s.cluster != nil {
		s.cluster.Abort()
		err = errors.Join(err, s.cluster.Remove())
	}
	return err
}
