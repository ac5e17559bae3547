package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prometheus/procfs"

	"daftar/tools/bench/figures"
)

// clockTick is the unit of processor time in /proc, the same on every Linux that
// Go runs on.
const clockTick = 10 * time.Millisecond

// window is the time in which the cost of a measurement counts, after warming up and
// connecting.
type window struct {
	foreign bool // the measurement does not use the server, whose cost is not counted
	before  figures.Cost
	cost    figures.Cost // once it is closed
	closed  bool
}

// openWindow starts counting at zero. A measurement that warms up opens it again
// afterwards.
func (s *stage) openWindow(ctx context.Context) {
	s.window.closed = false
	before := s.heap(ctx) // first, because this request takes processor time of the server
	s.window.before = before.Plus(s.processors())
	s.window.before.Client = ownTime() // again, because reading the others' takes time
}

// closeWindow sets the cost since the window was opened. Only the first call has an effect.
func (s *stage) closeWindow(ctx context.Context) {
	if s.window.closed {
		return
	}
	now := s.processors()
	s.window.cost = now.Plus(s.heap(ctx)).Minus(s.window.before)
	s.window.closed = true
}

// processors is the processor time that servers, PostgreSQL and this process have used so
// far. What cannot be read counts as 0, which leaves a column empty. The bare server's counts
// as that of a server in measurements that do not use ours.
func (s *stage) processors() figures.Cost {
	c := figures.Cost{Client: ownTime()}
	servers := s.servers
	if s.window.foreign {
		servers = nil
		if s.bare != nil {
			servers = []*process{s.bare}
		}
	}
	for _, one := range servers {
		if own, _, err := processorTime(one.cmd.Process.Pid); err == nil {
			c.Server += own
		}
	}
	c.Postgres = s.postgresTime()
	return c
}

// ownTime is the processor time that this process has used so far.
func ownTime() time.Duration {
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		return 0
	}
	return time.Duration(self.Utime.Nano() + self.Stime.Nano())
}

// heap is what the servers have allocated since they began, by the statistics at the end of their
// heap profiles.
func (s *stage) heap(ctx context.Context) figures.Cost {
	var c figures.Cost
	if s.window.foreign {
		return c
	}
	for _, one := range s.servers {
		address := "http://" + one.ops + "/debug/pprof/allocs?debug=1"
		if profile, _, err := get(ctx, http.DefaultClient, address, nil); err == nil {
			c.Allocations += statistic(profile, "Mallocs")
			c.Bytes += statistic(profile, "TotalAlloc")
		}
	}
	return c
}

// statistic finds a line such as "# Mallocs = 123"; 0 without one.
func statistic(profile []byte, name string) (value float64) {
	_, rest, _ := bytes.Cut(profile, []byte("\n# "+name+" = "))
	_, _ = fmt.Sscan(string(rest), &value)
	return value
}

// postgresTime is the processor time of the postmaster and all its children, including
// those that have ended: the postmaster has waited for them.
func (s *stage) postgresTime() time.Duration {
	text, err := os.ReadFile(filepath.Join(s.cluster.Dir(), "data", "postmaster.pid"))
	if err != nil {
		return 0
	}
	var postmaster int
	_, _ = fmt.Sscan(string(text), &postmaster) // there is no process 0
	for {
		_, before, err := processorTime(postmaster)
		if err != nil {
			return 0
		}
		processes, err := procfs.AllProcs()
		if err != nil {
			return 0
		}
		var children time.Duration
		for _, p := range processes {
			if own, stat, err := processorTime(p.PID); err == nil && stat.PPID == postmaster {
				children += own
			}
		}
		own, after, err := processorTime(postmaster)
		if err != nil {
			return 0
		}
		// Otherwise a child that ended meanwhile may be in neither sum.
		if before.CUTime == after.CUTime && before.CSTime == after.CSTime {
			return own + children + time.Duration(after.CUTime+after.CSTime)*clockTick
		}
	}
}

// processorTime is what a process has used itself: in nanoseconds where it has a single
// thread, as all of PostgreSQL's have. In clock ticks the rounding of many short-lived
// connections could add up to as much as their work.
func processorTime(pid int) (own time.Duration, stat procfs.ProcStat, err error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, stat, err
	}
	if stat, err = p.Stat(); err != nil {
		return 0, stat, err
	}
	if stat.NumThreads == 1 {
		// Not every kernel has this file.
		if s, err := p.Schedstat(); err == nil && s.RunningNanoseconds > 0 {
			return time.Duration(s.RunningNanoseconds), stat, nil
		}
	}
	return time.Duration(stat.UTime+stat.STime) * clockTick, stat, nil
}

// memoryOf measures the RAM of the server in MB.
func (s *stage) memoryOf(of func(procfs.ProcStatus) uint64) func(context.Context) (figures.Result, error) {
	return func(context.Context) (figures.Result, error) {
		p, err := procfs.NewProc(s.servers[0].cmd.Process.Pid)
		if err != nil {
			return figures.Result{}, err
		}
		status, err := p.NewStatus()
		return figures.Result{Value: float64(of(status)) / 1e6}, err
	}
}
