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
	"strings"
	"sync"
	"syscall"
	"time"
)

// predecessorLimit is how long a server whose owner was killed may take to go.
const predecessorLimit = 15 * time.Second

// child is a started postmaster.
type child struct {
	process *os.Process
	tail    *tail
	done    chan struct{} // closed when the postmaster and its children are gone
}

// startChild starts the command so that it does not outlive us: the kernel sends
// it SIGQUIT (stop at once, recover at the next start) when we are gone.
func startChild(cmd *exec.Cmd, log io.Writer) (*child, error) {
	last := &tail{next: log}
	// A pipe of its own: Wait returns when the last process that writes to it, so
	// the last backend, is gone, not only the postmaster.
	cmd.Stdout, cmd.Stderr = last, last
	cmd.WaitDelay = quitLimit
	cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT

	started := &child{tail: last, done: make(chan struct{})}
	failed := make(chan error)
	go func() {
		// The kernel takes the end of the thread that forked for the end of the
		// parent, so this thread has to live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(started.done)
		err := cmd.Start()
		started.process = cmd.Process
		failed <- err
		if err == nil {
			_ = cmd.Wait() // what went wrong is in the log's tail
		}
	}()
	if err := <-failed; err != nil {
		return nil, err
	}
	return started, nil
}

func (c *child) signal(signal os.Signal) {
	_ = c.process.Signal(signal) // fails only when the process is gone, which is what is wanted
}

// abort lets the postmaster end its children and wait for them. Killed, it would
// leave them to a process 1 that in a container may not collect them.
func (c *child) abort() {
	c.signal(syscall.SIGQUIT)
	select {
	case <-c.done:
	case <-time.After(quitLimit):
		c.kill()
	}
}

func (c *child) kill() {
	c.signal(os.Kill)
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

// await reports whether the child ended before ctx did.
func (c *child) await(ctx context.Context) bool {
	select {
	case <-c.done:
		return true
	case <-ctx.Done():
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

// lockDirectory takes the directory for this process; the kernel gives it back
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

// awaitPredecessor waits for a postmaster that is still shutting down because
// the process that owned it was killed.
func awaitPredecessor(ctx context.Context, data string) error {
	ctx, cancel := context.WithTimeout(ctx, predecessorLimit)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		pid, lives, err := postmaster(data)
		if err != nil {
			return err
		}
		if !lives {
			return replaceStalePID(data, pid)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: a PostgreSQL server (process %d) runs in %s", ErrInUse, pid, data)
		case <-ticker.C:
		}
	}
}

// postmaster reads postmaster.pid: the process it names (0: no such file) and
// whether that is a live postmaster of this directory, which is every
// postmaster's working directory.
func postmaster(data string) (int, bool, error) {
	content, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("read postmaster.pid: %w", err)
	}
	line, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid <= 0 {
		return 0, false, nil //nolint:nilerr // being written or not a postmaster's: PostgreSQL judges itself
	}
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return pid, false, nil
	}
	proc := "/proc/" + strconv.Itoa(pid)
	cwd, err := os.Readlink(filepath.Join(proc, "cwd"))
	if !errors.Is(err, os.ErrPermission) {
		// A zombie process has no directory.
		directory, errReal := filepath.EvalSymlinks(data)
		return pid, err == nil && errReal == nil && cwd == directory, nil
	}
	// Root in a container may not look at another user's process; its name must do.
	name, err := os.ReadFile(filepath.Join(proc, "comm"))
	return pid, err == nil && strings.TrimSpace(string(name)) == "postgres", nil
}

// noProcess is above the highest process id that Linux gives (2^22).
const noProcess = 1<<22 + 1

// replaceStalePID helps where a crash left postmaster.pid behind and its
// number now belongs to another process of the same user: PostgreSQL would take
// that for its predecessor and refuse. The number is replaced, the file stays,
// because PostgreSQL finds backends that survived a crash by its other lines.
func replaceStalePID(data string, pid int) error {
	if pid == 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return nil
	}
	path := filepath.Join(data, "postmaster.pid")
	file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return fmt.Errorf("open stale postmaster.pid: %w", err)
	}
	content, err := io.ReadAll(file)
	if err == nil {
		_, rest, _ := bytes.Cut(content, []byte("\n"))
		_, err = file.WriteAt([]byte(strconv.Itoa(noProcess)+"\n"+string(rest)), 0)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("repair stale postmaster.pid: %w", err)
	}
	return nil
}

func portFree(ctx context.Context, port int) bool {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
