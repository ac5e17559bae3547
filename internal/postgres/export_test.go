package postgres

import (
	"io"
	"time"
)

// CheckDurabilityOf exposes the check of a server's settings.
func CheckDurabilityOf(version int, fsync, fullPageWrites, synchronousCommit string) error {
	return durability{version, fsync, fullPageWrites, synchronousCommit}.check()
}

// Cautious exposes how messages of the server are read.
func Cautious(from io.Reader) io.Reader { return &doubtReader{from: from} }

// Limit has a Replica take its standby for too late.
func (r *Replica) Limit(limit time.Duration) { r.limit = limit }
