package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"daftar/internal/queue"
)

// Work that has begun may continue for its grace after the end of its context, and no longer.
func TestFinish(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	brief, cancel := queue.Finish(ctx, time.Hour, 0)
	defer cancel()
	long, cancelLong := queue.Finish(ctx, time.Hour, time.Hour)
	defer cancelLong()
	limited, cancelLimited := queue.Finish(ctx, time.Millisecond, time.Hour)
	defer cancelLimited()
	<-limited.Done()
	if !errors.Is(limited.Err(), context.DeadlineExceeded) || brief.Err() != nil || long.Err() != nil {
		t.Errorf("before the end: %v, %v, %v", limited.Err(), brief.Err(), long.Err())
	}
	stop()
	<-brief.Done()
	if long.Err() != nil {
		t.Errorf("within its grace: %v", long.Err())
	}
	late, cancelLate := queue.Finish(ctx, time.Hour, 0)
	defer cancelLate()
	<-late.Done()
}
