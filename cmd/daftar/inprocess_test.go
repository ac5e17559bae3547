package main

import (
	"context"
	"io"

	"daftar/internal/output"
)

// Run is one run of the command, in the process of the test.
func Run(ctx context.Context, in io.Reader, out, errs io.Writer, environ, args []string) int {
	p := &program{Printer: output.Printer{Out: out, Err: errs}, in: in, environ: environ}
	return p.run(ctx, args)
}
