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

// logBehind is the error of an append to a log that has become shorter: an asynchronous standby
// that lacked commits was promoted, or an old backup restored. Writing would assign positions
// again that were acknowledged, and the missing events could not be restored any more. Once
// they are restored, appends work again.
type logBehind struct{ head, known int64 }

func (b *logBehind) Error() string {
	return fmt.Sprintf("the log ends at position %d, and this server has seen %d: commits were lost "+
		"(docs/runbook/lost-commits.md)", b.head, b.known)
}
