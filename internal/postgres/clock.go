package postgres

import "time"

// Clock is a clock in UTC and whole microseconds, as PostgreSQL stores times: that of now, or the
// machine's where now is nil.
func Clock(now func() time.Time) func() time.Time {
	if now == nil {
		now = time.Now
	}
	return func() time.Time { return now().UTC().Truncate(time.Microsecond) }
}
