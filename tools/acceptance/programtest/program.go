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

// patience ends what hangs: it is longer than anything takes, also on a busy machine.
const patience = time.Minute

// Program is a program under way. What it writes to standard error, and to standard
// output unless that goes elsewhere, is its log, which can be read while it runs.
type Program struct {
	*exec.Cmd

	done chan struct{}
	mu   sync.Mutex
	log  bytes.Buffer
}

// Start starts a program in the background; the test's end stops it by SIGTERM and
// shows the log of a test that failed.
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
		// The end of the thread that forked is the end of the parent to the kernel.
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

// Stop sends a signal and waits for the end of the program.
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

// Ended says whether the program has ended.
func (p *Program) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Logged is the log so far.
func (p *Program) Logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

type logWriter Program

// Write keeps what the program logs.
func (w *logWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(b)
}
