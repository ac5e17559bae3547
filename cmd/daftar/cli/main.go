package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// gcPercent lets the heap of a command, which ends soon, grow to five times what is live.
const gcPercent = 400

// Main runs the command that this process was started with, until it ends or a signal ends
// it, and returns the exit code.
func Main(version string, commands Commands) int {
	SetGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := Call{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Environ: os.Environ(), Args: os.Args[1:], Version: version,
	}
	return c.Run(ctx, commands)
}

// SetGCPercent lets the heap grow by so much before it is collected, unless GOGC is set.
// It is for processes whose live heap is small and makes little garbage: collecting at Go's
// default of its double would take a fifth of the processor.
func SetGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
