package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"daftar/tools/bench/figures"
)

// clockTick is the unit of processor time in /proc, the same on every Linux that
// Go runs on.
const clockTick = 10 * time.Millisecond

// processTimes are the processor times of /proc/PID/stat.
type processTimes struct {
	parent  int
	own     time.Duration
	reaped  time.Duration // of children that have ended
	threads int
}

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
// far. What cannot be read counts as 0, which leaves a column empty.
func (s *stage) processors() figures.Cost {
	var c figures.Cost
	for _, pid := range s.processes() {
		if times, err := readTimes(pid); err == nil {
			c.Server += times.own
		}
	}
	c.Postgres = s.postgresTime()
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err == nil {
		c.Client = time.Duration(self.Utime.Nano() + self.Stime.Nano())
	}
	return c
}

// processes are those whose time counts as the server's: our servers, or the bare one in
// measurements that do not use ours.
func (s *stage) processes() []int {
	if s.window.foreign {
		if s.bare == nil {
			return nil
		}
		return []int{s.bare.cmd.Process.Pid}
	}
	all := make([]int, len(s.servers))
	for n, one := range s.servers {
		all[n] = one.cmd.Process.Pid
	}
	return all
}

// heap is what the servers have allocated so far.
func (s *stage) heap(ctx context.Context) figures.Cost {
	var c figures.Cost
	if s.window.foreign {
		return c
	}
	for _, one := range s.servers {
		allocations, size := allocated(ctx, one.ops)
		c.Allocations += allocations
		c.Bytes += size
	}
	return c
}

// postgresTime is the processor time of the postmaster and all its children, including
// those that have ended: the postmaster has waited for them.
func (s *stage) postgresTime() time.Duration {
	text, err := os.ReadFile(filepath.Join(s.cluster.Dir(), "data", "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	postmaster, err := strconv.Atoi(string(bytes.TrimSpace(first)))
	if err != nil {
		return 0
	}
	for {
		before, err := readTimes(postmaster)
		if err != nil {
			return 0
		}
		children := childrenTime(postmaster)
		after, err := readTimes(postmaster)
		if err != nil {
			return 0
		}
		if before.reaped == after.reaped { // else a child that ended meanwhile may be in neither sum
			return after.own + after.reaped + children
		}
	}
}

// childrenTime is the processor time of the running children of a process.
func childrenTime(parent int) time.Duration {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0
	}
	var sum time.Duration
	for _, path := range processes {
		pid, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		if times, err := readTimes(pid); err == nil && times.parent == parent {
			sum += times.own
		}
	}
	return sum
}

// readTimes reads the processor times of a process: in nanoseconds where it has a single
// thread, as all of PostgreSQL's have. In clock ticks the rounding of many short-lived
// connections could add up to as much as their work.
func readTimes(pid int) (processTimes, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return processTimes{}, fmt.Errorf("read processor time: %w", err)
	}
	times, err := parseTimes(text)
	if err != nil || times.threads != 1 {
		return times, err
	}
	// Not every kernel has this file.
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid)); err == nil {
		var nanoseconds int64
		if _, err := fmt.Sscan(string(text), &nanoseconds); err == nil && nanoseconds > 0 {
			times.own = time.Duration(nanoseconds)
		}
	}
	return times, nil
}

// parseTimes reads the fields after the name of the program, which is in parentheses and
// may itself contain any characters, parentheses too.
func parseTimes(stat []byte) (processTimes, error) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const parent, user, system, childUser, childSystem, threads = 1, 11, 12, 13, 14, 17
	if len(fields) <= threads {
		return processTimes{}, fmt.Errorf("processor time: %d fields", len(fields))
	}
	var numbers [threads + 1]int64
	for _, n := range []int{parent, user, system, childUser, childSystem, threads} {
		value, err := strconv.ParseInt(fields[n], 10, 64)
		if err != nil {
			return processTimes{}, fmt.Errorf("processor time: %w", err)
		}
		numbers[n] = value
	}
	return processTimes{
		parent:  int(numbers[parent]),
		own:     time.Duration(numbers[user]+numbers[system]) * clockTick,
		reaped:  time.Duration(numbers[childUser]+numbers[childSystem]) * clockTick,
		threads: int(numbers[threads]),
	}, nil
}

// allocated is how many objects and bytes a server has allocated since it began,
// by the statistics at the end of its heap profile.
func allocated(ctx context.Context, ops string) (objects, size float64) {
	address := "http://" + ops + "/debug/pprof/allocs?debug=1"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, 0
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, 0
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, 0
	}
	return statistic(text, "Mallocs"), statistic(text, "TotalAlloc")
}

// statistic finds a line such as "# Mallocs = 123".
func statistic(profile []byte, name string) float64 {
	_, rest, found := bytes.Cut(profile, []byte("\n# "+name+" = "))
	if !found {
		return 0
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	value, err := strconv.ParseFloat(string(line), 64)
	if err != nil {
		return 0
	}
	return value
}

// memory is the RAM of a process in bytes: now, and at its peak.
func memory(pid int) (now, most float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, fmt.Errorf("read memory: %w", err)
	}
	for name, value := range map[string]*float64{"VmRSS:": &now, "VmHWM:": &most} {
		_, rest, _ := bytes.Cut(text, []byte(name))
		if _, err := fmt.Sscan(string(rest), value); err != nil {
			return 0, 0, fmt.Errorf("read memory: %s: %w", name, err)
		}
		*value *= 1024
	}
	return now, most, nil
}

// processCost is the processor time of a program that has ended.
func processCost(state *os.ProcessState) time.Duration {
	if state == nil {
		return 0
	}
	return state.UserTime() + state.SystemTime()
}
