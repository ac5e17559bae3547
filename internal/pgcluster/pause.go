package pgcluster

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Pause freezes the server and all its sessions (SIGSTOP), like a machine whose disk or
// hypervisor hangs: connections stay open without an answer. Resume wakes them up.
func (c *Cluster) Pause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running() {
		return ErrNotRunning
	}
	return c.server.pause()
}

// Resume wakes up what Pause has frozen. A server that is not frozen does not notice.
func (c *Cluster) Resume() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running() {
		return ErrNotRunning
	}
	return c.server.resume()
}

// pause stops the postmaster first, so that there are no new children.
func (c *child) pause() error {
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return fmt.Errorf("pause PostgreSQL: %w", err)
	}
	children, err := c.children()
	signalAll(children, syscall.SIGSTOP)
	return err
}

func (c *child) resume() error {
	children, err := c.children()
	signalAll(children, syscall.SIGCONT)
	if err == nil {
		err = c.cmd.Process.Signal(syscall.SIGCONT)
	}
	if err != nil {
		return fmt.Errorf("resume PostgreSQL: %w", err)
	}
	return nil
}

// children are the postmaster's. Each one is signalled by itself, because PostgreSQL
// gives each a separate session, and so a separate process group.
func (c *child) children() ([]int, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var children []int
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has just ended
		}
		// "PID (name) STATE PARENT …"; the name may hold anything.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) < 2 || string(fields[1]) != strconv.Itoa(c.cmd.Process.Pid) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			children = append(children, pid)
		}
	}
	return children, nil
}

func signalAll(processes []int, s syscall.Signal) {
	for _, pid := range processes {
		_ = syscall.Kill(pid, s) // fails only where it has just ended
	}
}
