package eventstore

import "github.com/jackc/pgx/v5/pgxpool"

// Access for tests that block the committer and observe it.
const (
	AppendLock       = appendLock
	TurnLock         = turnLock
	UncontendedAfter = uncontendedAfter
	LockSQL          = lockSQL
)

func (s *Store) WritePool() *pgxpool.Pool { return s.writes }

func (s *Store) ReadPool() Querier { return s.q }

// The statements whose plans a test checks.
const (
	ReadStreamSQL       = readStreamSQL
	ReadRangeSQL        = readRangeSQL
	ReadRangeStartedSQL = readRangeStartedSQL
)

// ReadPlacesSQL is another of these statements.
var ReadPlacesSQL = readPlacesSQL

// Contended reports whether the next batch waits for its turn.
func (s *Store) Contended() bool { return s.queue.contended.Load() }
