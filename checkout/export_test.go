package checkout

import "time"

// Scheduled is when an outcome that is unknown since then is asked about next.
func Scheduled(since, now time.Time) time.Time { return scheduled(since, now) }

// Wake makes Run look for due attempts at once.
func (c *Checkout) Wake() { c.wake() }
