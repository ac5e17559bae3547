package eventstore

import (
	"fmt"
	"sync/atomic"
)

// highWater is the end of the log as this process has seen it. It only grows.
type highWater struct{ position atomic.Int64 }

func (h *highWater) advance(position int64) {
	for {
		known := h.position.Load()
		if position <= known || h.position.CompareAndSwap(known, position) {
			return
		}
	}
}

// logBehind is why nothing is written to a log that has become shorter: an asynchronous standby
// that lacked commits was promoted, or an old backup restored. To go on would give positions
// anew that were acknowledged, and what is missing could not be restored any more. Where it is,
// appends go on by themselves.
type logBehind struct{ head, known int64 }

func (b *logBehind) Error() string {
	return fmt.Sprintf("the log ends at position %d, and this server has seen %d: commits were lost (docs/runbook/lost-commits.md)", b.head, b.known)
}
