//go:build failpoints

package failpoint

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// Enabled reports whether the program can be made to crash.
const Enabled = true

// Variable names the environment variable with the point at which the process dies.
const Variable = "DAFTAR_CRASH_AT"

var (
	crashAt string
	left    atomic.Int64 // how often the point is reached until the crash
)

func init() {
	name, times, err := parse(os.Getenv(Variable))
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", Variable, err)
		os.Exit(2)
	}
	crashAt = name
	left.Store(times)
}

// parse reads point or point:n; the empty text is no point.
func parse(text string) (name string, times int64, err error) {
	name, count, counted := strings.Cut(text, ":")
	if text == "" {
		return "", 0, nil
	}
	if !slices.ContainsFunc(Points, func(p Point) bool { return p.Name == name }) {
		return "", 0, fmt.Errorf("there is no point %q", name)
	}
	if !counted {
		return name, 1, nil
	}
	times, err = strconv.ParseInt(count, 10, 32)
	if err != nil || times < 1 {
		return "", 0, fmt.Errorf("%q is not how often the point is to be passed", count)
	}
	return name, times, nil
}

// Here kills the process if point is the one in Variable. It does not return then.
func Here(point string) {
	if point != crashAt || left.Add(-1) != 0 {
		return
	}
	fmt.Fprintf(os.Stderr, `{"level":"warn","point":%q,"message":"killed at a failpoint"}`+"\n", point)
	if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
		panic("failpoint: kill: " + err.Error())
	}
	select {} // the signal is on its way: nothing more may run
}
