// Command daftar runs and operates the payment ledger. See README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// version is set by the build.
var version = "unknown"

// gcPercent lets the heap grow to five times what is live.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		// The live heap is small and requests make little garbage each: collecting
		// at Go's default of its double would take a fifth of the processor.
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{in: os.Stdin, out: os.Stdout, errs: os.Stderr, environ: os.Environ()}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
