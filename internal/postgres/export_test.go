package postgres

import "time"

// Limit changes how late a Replica's standby may be.
func (r *Replica) Limit(limit time.Duration) { r.limit = limit }
