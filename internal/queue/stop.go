package queue

import (
	"context"
	"time"

	"daftar/internal/worker"
)

// What talks to others, such as to an acquirer, may go on for StopGrace when the server is stopping:
// less than supervisors wait before they kill. WriteGrace is for writing down what was learnt.
const (
	StopGrace   = 6 * time.Second
	WriteGrace  = 2 * time.Second
	StopsWithin = StopGrace + WriteGrace
)

// Finish is a context for what has begun and is brought to its end although ctx ends: it lasts
// for limit, and at most grace longer than ctx.
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
