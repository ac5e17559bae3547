package daftar

import (
	"context"
	"time"
)

// SetClock replaces the clock, what waits and what is random.
func (c *Client) SetClock(
	now func() time.Time, wait func(context.Context, time.Duration) error, random func() float64,
) {
	c.now, c.wait, c.random = now, wait, random
}

// MaxAnswer is the largest answer that is read.
const MaxAnswer = maxAnswer

// Wait is what waits where nothing replaces it.
var Wait = wait
