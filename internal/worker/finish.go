package worker

import (
	"context"
	"time"
)

// StopGrace is how long what talks to others may go on when the server is stopping, such as a
// question to an acquirer: less than supervisors wait before they kill.
const StopGrace = 6 * time.Second

// Finish is a context for what has begun and is brought to its end although ctx ends: it lasts
// for limit, and at most grace longer than ctx.
func Finish(ctx context.Context, limit, grace time.Duration) (context.Context, context.CancelFunc) {
	finishing, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	forget := context.AfterFunc(ctx, func() {
		if Sleep(finishing, grace) {
			cancel()
		}
	})
	return finishing, func() {
		forget()
		cancel()
	}
}
