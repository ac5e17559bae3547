package queue

import (
	"context"
	"time"

	"daftar/internal/worker"
)

// When the server stops, a call of another service, such as an acquirer, may take StopGrace more. That
// is less than supervisors wait before they kill. WriteGrace is for storing the outcome.
const (
	StopGrace   = 6 * time.Second
	WriteGrace  = 2 * time.Second
	StopsWithin = StopGrace + WriteGrace
)

// Finish is a context for work that has begun and has to be finished although ctx ends: it lasts for
// limit, and at most grace longer than ctx.
func Finish(ctx context.Context, limit, grace time.Duration) (context.Context, context.CancelFunc) {
	finishing, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	forget := context.AfterFunc(ctx, func() {
		if worker.Sleep(finishing, grace) {
			cancel()
		}
	})
	return finishing, func() {
		forget()
		cancel()
	}
}
