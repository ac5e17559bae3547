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

// process is a child of ours. It dies with us, however we end.
type process struct {
	command *exec.Cmd
	started time.Time
	done    chan struct{} // closed when it is gone
	err     error         // how it ended; read after done
}

// startProcess starts a program that writes into log.
func startProcess(program string, arguments, environment []string, log io.Writer) (*process, error) {
	c := exec.Command(program,
		arguments...) //nolint:gosec,noctx // the program under test; it is ended by signals only
	c.Env = append(os.Environ(), environment...)
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &process{command: c, started: time.Now(), done: make(chan struct{})}
	failed := make(chan error)
	go func() {
		// The kernel takes the end of the thread that forked for the end of the
		// parent, so this thread has to live as long as the child.
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
	_ = p.command.Process.Signal(s) // fails only when the process is gone, which is what is wanted
}

// kill ends it at once and waits until it is gone.
func (p *process) kill() {
	p.signal(os.Kill)
	<-p.done
}

// stop asks it to end, and says how long that took and whether it was in time;
// where it was not it is killed.
func (p *process) stop(limit time.Duration) (time.Duration, bool) {
	asked := time.Now()
	p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return time.Since(asked), true
	case <-time.After(limit):
		p.kill()
		return time.Since(asked), false
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

// exitCode is what it ended with, -1 where a signal ended it.
func (p *process) exitCode() int { return p.command.ProcessState.ExitCode() }

// memory is what the process occupies, in bytes, and how many files it has open.
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
