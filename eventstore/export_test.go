package eventstore

import "github.com/jackc/pgx/v5/pgxpool"

// What tests need to keep the committer waiting and to see that it does.
const (
	AppendLock = appendLock
	LockSQL    = lockSQL
)

func (s *Store) WritePool() *pgxpool.Pool { return s.writes }

func (s *Store) ReadPool() Querier { return s.q }

// InFlight is how many connections are writing.
func (s *Store) InFlight() int { return int(s.writes.Stat().AcquiredConns()) }

// The statements whose plans are held to their indexes.
const (
	ReadStreamSQL       = readStreamSQL
	ReadRangeSQL        = readRangeSQL
	ReadRangeStartedSQL = readRangeStartedSQL
)
