package torture

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a child process. It dies with this process, even if this one is killed.
type process struct {
	command *exec.Cmd
	started time.Time
	done    chan struct{} // closed when it is gone
	err     error         // how it ended; read after done
}

// startProcess starts a program that writes into log.
func startProcess(program string, arguments, environment []string, log io.Writer) (*process, error) {
	c := exec.Command(program, arguments...) //nolint:gosec,noctx // the program under test; only signals end it
	c.Env = append(os.Environ(), environment...)
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &process{command: c, started: time.Now(), done: make(chan struct{})}
	failed := make(chan error)
	go func() {
		// The kernel sends Pdeathsig when the thread that forked ends, so this thread must live
		// as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := c.Start()
		failed <- err
		if err == nil {
			p.err = c.Wait()
		}
	}()
	if err := <-failed; err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return p, nil
}

func (p *process) signal(s os.Signal) {
	_ = p.command.Process.Signal(s) // fails only if the process is gone already
}

// kill ends it at once and waits until it is gone.
func (p *process) kill() {
	p.signal(os.Kill)
	<-p.done
}

// stop sends SIGTERM and returns how long the process took to end. After the limit it kills
// the process and returns false.
func (p *process) stop(limit time.Duration) (took time.Duration, inTime bool) {
	sent := time.Now()
	p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return time.Since(sent), true
	case <-time.After(limit):
		p.kill()
		return time.Since(sent), false
	}
}

func (p *process) gone() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// exitCode is the exit code of the process, -1 if a signal ended it.
func (p *process) exitCode() int { return p.command.ProcessState.ExitCode() }

// memory returns the resident memory of the process in bytes and its number of open files.
// Both are 0 once it is gone.
func (p *process) memory() (resident int64, files int) {
	folder := "/proc/" + strconv.Itoa(p.command.Process.Pid)
	status, err := os.ReadFile(folder + "/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		if text, found := strings.CutPrefix(line, "VmRSS:"); found {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 64)
			resident = kilobytes << 10
		}
	}
	open, err := os.ReadDir(folder + "/fd")
	if err != nil {
		return 0, 0
	}
	return resident, len(open)
}
