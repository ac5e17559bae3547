package webhooks

import (
	"context"
	"encoding/json"

	"daftar/eventstore"
	"daftar/internal/tracing"
)

const originSQL = `SELECT metadata FROM events WHERE stream_id = $1 AND version = $2`

// withTrace adds a try to the trace of the request that caused the event.
func (w *work) withTrace(ctx context.Context, c claimed) (_ context.Context, end func(error)) {
	if !tracing.On() {
		return ctx, func(error) {}
	}
	var origin eventstore.Metadata
	if c.Event != TypeTest {
		var text []byte
		if err := w.pool.QueryRow(ctx, originSQL, c.Intent, c.Sequence).Scan(&text); err == nil {
			// Without the request's trace, the try starts a new one.
			_ = json.Unmarshal(text, &origin)
		}
	}
	ctx, end = tracing.Continue(ctx, origin.TraceParent, "webhook")
	tracing.Note(ctx, "daftar.event", c.Event)
	tracing.Note(ctx, "daftar.delivery", c.ID.String())
	return ctx, end
}
