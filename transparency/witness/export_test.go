package witness

import "time"

// Impatient asks a log that seems to have gone back again at once.
func (l Log) Impatient() Log {
	l.again = time.Nanosecond
	return l
}
