package pgcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// predecessorLimit is how long a server whose owner was killed may take to end.
const predecessorLimit = 15 * time.Second

// child is a postmaster that was started.
type child struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc // lets it end its children: SIGQUIT, and SIGKILL after quitLimit
	tail   tail
	done   chan struct{} // closed when the postmaster and its children are gone
}

// startChild starts a command so that it does not outlive us: the kernel sends
// it SIGQUIT (stop at once, recover at the next start) when we are gone.
func startChild(ctx context.Context, command func(context.Context) *exec.Cmd, log io.Writer) (*child, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &child{cmd: command(ctx), cancel: cancel, tail: tail{next: log}, done: make(chan struct{})}
	// A separate pipe: Wait returns when the last process that writes to it, so the
	// last backend, has ended, not only the postmaster.
	c.cmd.Stdout, c.cmd.Stderr = &c.tail, &c.tail
	c.cmd.Cancel = func() error { return c.cmd.Process.Signal(syscall.SIGQUIT) }
	c.cmd.WaitDelay = quitLimit
	EndWithParent(c.cmd.SysProcAttr, syscall.SIGQUIT)

	started := make(chan error)
	go func() {
		// To the kernel, the parent ends when the thread that forked does, so this
		// thread has to live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(c.done)
		defer cancel()
		err := c.cmd.Start()
		started <- err
		if err == nil {
			_ = c.cmd.Wait() // what went wrong is in the log's tail
		}
	}()
	return c, <-started
}

// abort lets the postmaster end its children and wait for them. If it were killed, its
// children would fall to process 1, which in a container may not reap them.
func (c *child) abort() {
	c.cancel()
	_ = c.resume() // a server that is paused would not end
	<-c.done
}

// kill wakes up sessions that are paused: they end because the postmaster is gone.
func (c *child) kill() {
	children, _ := c.children() // without /proc there is no Pause either
	_ = c.cmd.Process.Kill()
	signalAll(children, syscall.SIGCONT)
	<-c.done
}

func (c *child) exited() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// tail passes a log on and remembers its last lines for an error message.
type tail struct {
	next io.Writer
	mu   sync.Mutex
	last []byte
}

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p...)
	t.last = t.last[max(0, len(t.last)-tailSize):]
	_, _ = t.next.Write(p) // a log that cannot be written must not stop the server
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.last))
}

// lockDirectory locks the directory for this process; the kernel releases the lock
// when the process ends, however it ends.
func lockDirectory(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock database directory: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w: another process runs the database in %s", ErrInUse, dir)
		}
		return nil, fmt.Errorf("lock database directory: %w", err)
	}
	return file, nil
}

// noProcess is above the highest process id that Linux gives (2^22).
const noProcess = 1<<22 + 1

// awaitPredecessor waits for a postmaster that is still shutting down because
// the process that owned it was killed. Its command line names its directory.
func awaitPredecessor(ctx context.Context, data string) error {
	ctx, cancel := context.WithTimeout(ctx, predecessorLimit)
	defer cancel()
	path := filepath.Join(data, "postmaster.pid")
	for {
		content, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read postmaster.pid: %w", err)
		}
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		pid, err := strconv.Atoi(string(bytes.TrimSpace(line)))
		if err != nil || pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return nil // PostgreSQL replaces such a file itself
		}
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty where it has just ended
		if err != nil || !bytes.Contains(command, []byte("\x00"+data+"\x00")) {
			return replaceStalePID(path, rest)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: a PostgreSQL server (process %d) runs in %s", ErrInUse, pid, data)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// replaceStalePID repairs a postmaster.pid that a crash left, if its number now
// belongs to another process: PostgreSQL would mistake that for its predecessor and
// refuse to start. The number is replaced. The file stays, because PostgreSQL finds
// backends that survived a crash by its other lines.
func replaceStalePID(path string, rest []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NOFOLLOW, 0)
	if err == nil {
		_, err = file.WriteAt(fmt.Appendf(nil, "%d\n%s", noProcess, rest), 0)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("repair stale postmaster.pid: %w", err)
	}
	return nil
}

func isFree(ctx context.Context, address string) bool {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", address)
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
