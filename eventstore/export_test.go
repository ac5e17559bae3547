package eventstore

import "github.com/jackc/pgx/v5/pgxpool"

// What tests need to keep the committer waiting and to see that it does.
const (
	AppendLock       = appendLock
	TurnLock         = turnLock
	UncontendedAfter = uncontendedAfter
	LockSQL          = lockSQL
)

func (s *Store) WritePool() *pgxpool.Pool { return s.writes }

func (s *Store) ReadPool() Querier { return s.q }

// The statements whose plans are held to their indexes.
const (
	ReadStreamSQL       = readStreamSQL
	ReadRangeSQL        = readRangeSQL
	ReadRangeStartedSQL = readRangeStartedSQL
)

// ReadPlacesSQL is of those as well.
var ReadPlacesSQL = readPlacesSQL

// Contended reports whether the next batch waits for its turn.
func (s *Store) Contended() bool { return s.queue.contended.Load() }
