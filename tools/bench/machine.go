package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"daftar/internal/pgcluster"
	"daftar/tools/bench/figures"
)

// describe returns the machine, the software and the options of a run.
func describe(ctx context.Context, o options) (figures.Run, error) {
	bin, err := pgcluster.FindBinaries()
	if err != nil {
		return figures.Run{}, err
	}
	run := figures.Run{
		Date: time.Now().UTC().Format(time.DateOnly), Commit: commit(ctx),
		Machine: figures.Machine{
			CPU:      field("/proc/cpuinfo", "model name"),
			Cores:    runtime.NumCPU(),
			MemoryMB: memoryMB(),
			Kernel:   firstLine("/proc/sys/kernel/osrelease"),
			Postgres: firstLineOf(ctx, filepath.Join(bin, "postgres"), "--version"),
			Go:       runtime.Version(),
		},
		Options: []string{
			fmt.Sprintf("%d clients", o.clients),
			fmt.Sprintf("%d rounds", o.rounds),
			fmt.Sprintf("%s each", o.time),
		},
	}
	if o.growth {
		run.Options = append(run.Options,
			fmt.Sprintf("%s intents stored", figures.Grouped(float64(o.sizes[len(o.sizes)-1]))))
	} else {
		run.Options = append(run.Options, "pgbench -M "+o.query,
			figures.Grouped(float64(o.stored))+" intents stored",
			"a log of "+figures.Grouped(float64(o.backlog))+" events",
			"a dashboard of "+figures.Grouped(float64(o.intents))+" intents")
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		run.Options = append(run.Options, name+" = "+settings[name])
	}
	return run, nil
}

// memoryMB is the memory of this machine in MB; 0 where it is unknown.
func memoryMB() int {
	var kB int
	if _, err := fmt.Sscan(field("/proc/meminfo", "MemTotal"), &kB); err != nil {
		return 0
	}
	return kB / 1024
}

// commit is the commit of the working copy, with the suffix -dirty where it has changes.
func commit(ctx context.Context) string {
	if name := firstLineOf(ctx, "git", "describe", "--always", "--dirty", "--abbrev=12"); name != "" {
		return name
	}
	return "unknown"
}

// firstLineOf is the first line that a program prints; empty where it fails.
func firstLineOf(ctx context.Context, program string, arguments ...string) string {
	out, err := exec.CommandContext(ctx, program, arguments...).Output() //nolint:gosec // git and PostgreSQL
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line)
}

// field finds a line such as "model name : value" in a file of /proc.
func field(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(text) {
		key, value, found := bytes.Cut(line, []byte(":"))
		if found && string(bytes.TrimSpace(key)) == name {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

func firstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
