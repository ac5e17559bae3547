package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"daftar/tools/bench/figures"
)

// A byte that goes to another process and back costs two switches between processes, as a statement
// that is sent to PostgreSQL and answered does. The other process is this program, started with
// returnArgument. Both read and write descriptors that block, each on its own thread: through Go's
// poller it would be Go's scheduler that is measured. And both are bound to cores: a switch on one core
// costs a fraction of one that wakes another, and the kernel does not choose the same in each run.
const returnArgument = "return-each-byte"

// switchTime is how long bytes go back and forth; less where -time is shorter.
const switchTime = time.Second

// returnBytes is the child process. It ends when its input does.
func returnBytes() error {
	runtime.LockOSThread()
	var b [1]byte
	for {
		if n, err := syscall.Read(syscall.Stdin, b[:]); n == 0 || err != nil {
			return err
		}
		if _, err := syscall.Write(syscall.Stdout, b[:]); err != nil {
			return err
		}
	}
}

// ends are descriptors that this process and the other one read from and write to.
type ends struct{ in, out, otherIn, otherOut *os.File }

func (e ends) close() {
	for _, one := range []*os.File{e.in, e.out, e.otherIn, e.otherOut} {
		_ = one.Close() // again where it was closed before
	}
}

// switches measures the time of one switch in microseconds, over pipes or a connection, on one core or,
// where there are two, between two.
func (s *stage) switches(
	cores int, open func(context.Context) (ends, error),
) func(context.Context) (figures.Result, error) {
	return func(ctx context.Context) (r figures.Result, err error) {
		e, err := open(ctx)
		if err != nil {
			return r, fmt.Errorf("open ends: %w", err)
		}
		defer e.close()
		program, err := os.Executable()
		if err != nil {
			return r, fmt.Errorf("find this program: %w", err)
		}
		c := exec.CommandContext(ctx, program, returnArgument) //nolint:gosec // this program
		c.Stdin, c.Stdout, c.Stderr = e.otherIn, e.otherOut, os.Stderr
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var all unix.CPUSet
		if err := unix.SchedGetaffinity(0, &all); err != nil {
			return r, fmt.Errorf("list cores: %w", err)
		}
		defer func() { err = errors.Join(err, unix.SchedSetaffinity(0, &all)) }()
		// The other process is bound as the thread that starts it.
		if err := errors.Join(bind(&all, cores-1), c.Start(), bind(&all, 0)); err != nil {
			return r, fmt.Errorf("start the other process: %w", err)
		}
		_, _ = e.otherIn.Close(), e.otherOut.Close() // the other process has its own
		r.Value, err = timeSwitches(int(e.in.Fd()), int(e.out.Fd()), min(switchTime, s.time))
		e.close()
		if err := errors.Join(err, c.Wait()); err != nil {
			return r, fmt.Errorf("pass a byte: %w", err)
		}
		return r, nil
	}
}

// bind binds this thread to the nth of some cores, where there are so many.
func bind(all *unix.CPUSet, n int) error {
	n %= all.Count()
	var one unix.CPUSet
	for core := 0; one.Count() == 0; core++ {
		if !all.IsSet(core) {
			continue
		}
		if n == 0 {
			one.Set(core)
		}
		n--
	}
	return unix.SchedSetaffinity(0, &one)
}

// timeSwitches returns the microseconds of a switch: half of a byte's way there and back.
func timeSwitches(in, out int, length time.Duration) (float64, error) {
	const betweenLooks = 100 // at the clock, which may be dear, too
	var b [1]byte
	var started time.Time
	// The first few are sent while the other process starts.
	for trips := -betweenLooks; ; trips++ {
		if trips == 0 {
			started = time.Now()
		}
		if trips > 0 && trips%betweenLooks == 0 {
			if took := time.Since(started); took >= length {
				return float64(took) / float64(time.Microsecond) / float64(2*trips), nil
			}
		}
		if _, err := syscall.Write(out, b[:]); err != nil {
			return 0, err
		}
		if n, err := syscall.Read(in, b[:]); n == 0 || err != nil {
			return 0, errors.Join(errors.New("the other process does not answer"), err)
		}
	}
}

// pipes are two, one for each direction.
func pipes(context.Context) (ends, error) {
	var there, back [2]int
	err := errors.Join(syscall.Pipe2(there[:], syscall.O_CLOEXEC), syscall.Pipe2(back[:], syscall.O_CLOEXEC))
	if err != nil {
		return ends{}, err
	}
	end := func(descriptor int) *os.File { return os.NewFile(uintptr(descriptor), "end of a pipe") }
	return ends{end(back[0]), end(there[1]), end(there[0]), end(back[1])}, nil
}

// loopback is a connection of this machine with itself.
func loopback(ctx context.Context) (e ends, err error) {
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, listener.Close()) }()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", listener.Addr().String())
	if err != nil {
		return e, err
	}
	other, err := listener.Accept()
	if err != nil {
		return e, errors.Join(err, conn.Close())
	}
	ours, err := blocking(conn)
	theirs, failure := blocking(other)
	return ends{ours, ours, theirs, theirs}, errors.Join(err, failure)
}

// blocking takes the descriptor out of a connection.
func blocking(conn net.Conn) (*os.File, error) {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil, errors.Join(errors.New("it is not TCP"), conn.Close())
	}
	f, err := tcp.File()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return f, errors.Join(conn.Close(), syscall.SetNonblock(int(f.Fd()), false))
}

// machineAlone measures the machine once, without a server.
func (s *stage) machineAlone(ctx context.Context) ([]figures.Figure, error) {
	var all []figures.Figure
	for _, m := range s.machine() {
		r, err := m.run(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		all = append(all, figures.Rounds{m.Name: {r}}.Figure(m.Spec))
	}
	return all, nil
}
