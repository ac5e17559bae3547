package programtest

import (
	"bytes"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience ends what hangs: it is longer than any step takes, also on a busy machine.
const patience = time.Minute

// Program is a running program. Its log is what it writes to standard error, and to standard output
// unless that is redirected, and can be read while it runs.
type Program struct {
	*exec.Cmd

	done chan struct{}
	mu   sync.Mutex
	log  bytes.Buffer
}

// Start starts a program in the background. The test's end stops it with SIGTERM, and prints its
// log if the test failed.
func Start(t testing.TB, c *exec.Cmd) *Program {
	t.Helper()
	p := &Program{Cmd: c, done: make(chan struct{})}
	p.Stderr = (*logWriter)(p)
	if p.Stdout == nil {
		p.Stdout = p.Stderr
	}
	if p.SysProcAttr == nil {
		p.SysProcAttr = &syscall.SysProcAttr{}
	}
	p.SysProcAttr.Pdeathsig = syscall.SIGKILL
	started := make(chan error, 1)
	go func() {
		// For the kernel, the parent has ended when the thread that forked ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := p.Cmd.Start()
		started <- err
		if err == nil {
			_ = p.Wait() // the exit code is in ProcessState
		}
	}()
	if err := <-started; err != nil {
		t.Fatalf("start %v: %v", p.Args, err)
	}
	t.Cleanup(func() {
		p.Stop(t, syscall.SIGTERM)
		if t.Failed() {
			t.Logf("log of %v:\n%s", p.Args[1:], p.Logged())
		}
	})
	return p
}

// Stop sends a signal and waits until the program has ended.
func (p *Program) Stop(t testing.TB, s syscall.Signal) (took time.Duration) {
	t.Helper()
	began := time.Now()
	_ = p.Process.Signal(s) // it may have ended
	select {
	case <-p.done:
	case <-time.After(patience):
		_ = p.Process.Kill()
		<-p.done
		t.Errorf("did not stop within %v of %v", patience, s)
	}
	return time.Since(began)
}

// Done is closed when the program has ended.
func (p *Program) Done() <-chan struct{} { return p.done }

// Ended reports whether the program has ended.
func (p *Program) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Logged returns the log so far.
func (p *Program) Logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

type logWriter Program

// Write appends to the log.
func (w *logWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(b)
}
