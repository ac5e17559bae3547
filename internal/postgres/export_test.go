package postgres

import (
	"io"
	"time"
)

// CheckDurabilityOf exposes the check of a server's settings.
func CheckDurabilityOf(version int, fsync, fullPageWrites, synchronousCommit string) error {
	return durability{version, fsync, fullPageWrites, synchronousCommit}.check()
}

// DoubtReader exposes how messages of the server are read.
func DoubtReader(from io.Reader) io.Reader { return &doubtReader{from: from} }

// Limit changes how late a Replica's standby may be.
func (r *Replica) Limit(limit time.Duration) { r.limit = limit }
