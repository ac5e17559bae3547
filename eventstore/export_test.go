package eventstore

import "github.com/jackc/pgx/v5/pgxpool"

// What tests need to keep the committer waiting and to see that it does.
const (
	AppendLock = appendLock
	LineLock   = lineLock
	AloneAfter = aloneAfter
	LockSQL    = lockSQL
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

// InLine says whether the next batch stands in line.
func (s *Store) InLine() bool { return s.line.busy.Load() }
