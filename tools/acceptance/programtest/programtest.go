package programtest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Variable is the environment variable with the folder that the test processes of one run share.
const Variable = "DAFTAR_TEST_PROGRAMS"

// The packages of the programs.
const source, devSource = "daftar/cmd/daftar", "daftar/cmd/daftar-dev"

var (
	plain      = sync.OnceValues(func() (string, error) { return buildShared("daftar", source) })
	dev        = sync.OnceValues(func() (string, error) { return buildShared("daftar-dev", devSource) })
	failpoints = sync.OnceValues(func() (string, error) {
		return buildShared("daftar-failpoints", source, "-tags", "failpoints")
	})
)

// own is the folder of this process, created if none is shared.
var own struct {
	sync.Mutex
	dir string
}

// Daftar returns the path of the program.
func Daftar(t testing.TB) string {
	t.Helper()
	return must(t, plain)
}

// Dev returns the path of daftar-dev.
func Dev(t testing.TB) string {
	t.Helper()
	return must(t, dev)
}

// Failpoints returns the path of the program with failpoints, at which tests crash it.
func Failpoints(t testing.TB) string {
	t.Helper()
	return must(t, failpoints)
}

// Merchant returns the path of a merchant's program: a package of a module that is not the product's.
func Merchant(t testing.TB, module, program string) string {
	t.Helper()
	return must(t, func() (string, error) {
		dir, err := folder()
		if err != nil {
			return "", err
		}
		name := strings.NewReplacer("/", "-", ".", "").Replace(module + "-" + program)
		return once(dir, name, func(to string) error { return compile(module, to, "./"+program) })
	})
}

func must(t testing.TB, built func() (string, error)) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Suite is the type of *testing.M, which TestMain runs.
type Suite interface{ Run() int }

// Around returns the same suite; after the last test it removes what was built for this process
// alone.
func Around(m Suite) Suite { return around{m} }

type around struct{ suite Suite }

func (a around) Run() int {
	defer func() {
		own.Lock()
		defer own.Unlock()
		_ = os.RemoveAll(own.dir) // "" is none
		own.dir = ""
	}()
	return a.suite.Run()
}

func folder() (string, error) {
	if dir := os.Getenv(Variable); dir != "" {
		return dir, nil
	}
	own.Lock()
	defer own.Unlock()
	if own.dir != "" {
		return own.dir, nil
	}
	dir, err := os.MkdirTemp("", "daftar-programs-")
	if err != nil {
		return "", fmt.Errorf("create folder for programs: %w", err)
	}
	own.dir = dir
	return dir, nil
}

func buildShared(name, source string, flags ...string) (string, error) {
	dir, err := folder()
	if err != nil {
		return "", err
	}
	return build(dir, name, source, flags...)
}

// build returns the path of a program in the folder. Another process of the run may have built it
// already, or may be building it.
func build(dir, name, source string, flags ...string) (string, error) {
	return once(dir, name, func(to string) error { return compile("", to, source, flags...) })
}

// once returns the path of a file in the folder, and creates it if no process of the run has done
// so.
func once(dir, name string, build func(to string) error) (string, error) {
	path := filepath.Join(dir, name)
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", fmt.Errorf("lock %s: %w", path, err)
	}
	defer func() { _ = lock.Close() }() // and releases it
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("lock %s: %w", path, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return path, err
	}
	if err := build(path + ".new"); err != nil {
		return "", fmt.Errorf("build %s: %w", name, err)
	}
	// The rename makes the file appear complete.
	if err := os.Rename(path+".new", path); err != nil {
		return "", fmt.Errorf("build %s: %w", name, err)
	}
	return path, nil
}

// compile builds a program of the module that contains a folder. Without symbols, linking takes a
// fraction of the time.
func compile(module, to, source string, flags ...string) error {
	arguments := append([]string{"build", "-ldflags=-s -w", "-o", to}, flags...)
	arguments = append(arguments, source)
	c := exec.Command("go", arguments...) //nolint:gosec,noctx // our own arguments; go test ends what hangs
	if c.Dir = module; module != "" {
		c.Env = append(os.Environ(), "GOWORK=off") // it is not in the work of this one
	}
	if output, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
}
