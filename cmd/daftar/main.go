// Command daftar runs and operates the payment ledger. See README.md.
//
// One file has the commands of one group: flags, one call into the package that does
// the work, and the answer as a struct that package output prints.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"daftar/internal/output"
)

// version is set by the build.
var version = "unknown"

// gcPercent lets the heap grow to five times what is live.
const gcPercent = 400

func main() {
	setGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{Printer: output.Printer{Out: os.Stdout, Err: os.Stderr}, in: os.Stdin, environ: os.Environ()}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// setGCPercent is for processes whose live heap is small and makes little garbage:
// collecting at Go's default of its double would take a fifth of the processor.
func setGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
