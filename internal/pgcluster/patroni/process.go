package patroni

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

// stopLimit is how long a process may take to end in order.
const stopLimit = 30 * time.Second

// process is a child process that does not outlive this one.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it is gone
}

// start starts a command; the kernel sends it SIGTERM when we are gone.
func start(cmd *exec.Cmd, log io.Writer) (*process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	cmd.Stdout, cmd.Stderr = log, log
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// To the kernel, the parent ends when the thread that forked does.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // what went wrong is in the log
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return p, nil
}

// childrenOf are the processes that a process has started or inherited.
func childrenOf(process int) []int {
	pid := strconv.Itoa(process)
	text, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
	if err != nil {
		return nil // it has ended
	}
	var all []int
	for word := range strings.FieldsSeq(string(text)) {
		if child, err := strconv.Atoi(word); err == nil {
			all = append(all, child)
		}
	}
	return all
}

// killChildren ends everything that the process has started, and waits until the process has
// ended because of that.
func (p *process) killChildren() {
	for {
		p.signalChildren()
		select {
		case <-p.done:
			return
		case <-time.After(pollInterval):
		}
	}
}

func (p *process) signalChildren() {
	for _, child := range childrenOf(p.cmd.Process.Pid) {
		_ = syscall.Kill(child, syscall.SIGKILL) // fails only where it has just ended
	}
}

// signalTree signals the process, its children, and theirs.
func (p *process) signalTree(s syscall.Signal) {
	for all := []int{p.cmd.Process.Pid}; len(all) > 0; all = append(all[1:], childrenOf(all[0])...) {
		_ = syscall.Kill(all[0], s) // fails only where it has just ended
	}
}

// stop asks it to end, and kills it where that takes too long.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(stopLimit):
		p.signalChildren()
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}
