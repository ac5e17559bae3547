package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
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
	command := func(program string, arguments ...string) string {
		out, _ := exec.CommandContext(ctx, program, arguments...).Output() //nolint:gosec // git and PostgreSQL
		return firstLine(out)
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	run := figures.Run{
		Date: time.Now().UTC().Format(time.DateOnly),
		// The commit of the working copy, with the suffix -dirty where it has changes.
		Commit: cmp.Or(command("git", "describe", "--always", "--dirty", "--abbrev=12"), "unknown"),
		Machine: figures.Machine{
			CPU:      field("/proc/cpuinfo", "model name"),
			Cores:    runtime.NumCPU(),
			MemoryMB: memoryMB(),
			Kernel:   firstLine(release),
			Postgres: command(filepath.Join(bin, "postgres"), "--version"),
			Go:       runtime.Version(),
		},
		Options: []string{
			fmt.Sprintf("%d clients", o.clients),
			fmt.Sprintf("%d rounds", o.rounds),
			fmt.Sprintf("%s each", o.time),
		},
	}
	if o.growth {
		run.Options = append(run.Options, number(o.sizes[len(o.sizes)-1])+" intents stored")
	} else {
		run.Options = append(run.Options, "pgbench -M "+o.query,
			number(o.stored)+" intents stored",
			"a log of "+number(o.backlog)+" events",
			"a dashboard of "+number(o.intents)+" intents")
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		run.Options = append(run.Options, name+" = "+settings[name])
	}
	return run, nil
}

func number(n int) string { return figures.Grouped(float64(n)) }

// memoryMB is the memory of this machine in MB; 0 where it is unknown.
func memoryMB() int {
	kB, _ := strconv.Atoi(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"))
	return kB / 1024
}

// field finds a line such as "model name : value" in a file of /proc; empty without one.
func field(path, name string) string {
	text, _ := os.ReadFile(path)
	line := regexp.MustCompile(`(?m)^` + name + `\s*:\s*(.*)$`).FindSubmatch(text)
	if line == nil {
		return ""
	}
	return string(line[1])
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}
