package commands

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"daftar/internal/ops"
)

// progress shows how far a long command is, its rate and the time left, on a
// terminal; elsewhere it shows nothing. Its errors are ignored: the command's work counts.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(w io.Writer) progress {
	return progress{progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(w), progressbar.OptionSetVisibility(ops.IsTerminal(w)),
		progressbar.OptionSetDescription("events"), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

func (p progress) show(done, total int64) {
	p.bar.ChangeMax64(total)
	_ = p.bar.Set64(done)
}

func (p progress) finish() { _ = p.bar.Finish() }
