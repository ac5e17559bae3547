package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNoStandby is returned where a standby was expected and the server is a primary.
var ErrNoStandby = errors.New("the server is no standby")

// ErrOtherCluster is returned where two URLs lead to servers of different clusters.
var ErrOtherCluster = errors.New("the standby is one of another database cluster")

// ErrBehind is returned where a standby does not catch up. Classify calls it Unavailable.
var ErrBehind = errors.New("the standby is behind and does not catch up")

const clusterSQL = `SELECT system_identifier::text FROM pg_control_system()`

// SameCluster returns ErrOtherCluster unless two servers are of one cluster.
func SameCluster(ctx context.Context, a, b Querier) error {
	one, err := Find(ctx, a, "read the cluster's identifier", nil, pgx.RowTo[string], clusterSQL)
	if err != nil {
		return err
	}
	two, err := Find(ctx, b, "read the cluster's identifier", nil, pgx.RowTo[string], clusterSQL)
	if err == nil && one != two {
		err = ErrOtherCluster
	}
	return err
}

const (
	markSQL     = `SELECT clock_timestamp(), pg_current_wal_lsn()::text`
	replayedSQL = `SELECT pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn()::text, '')`
)

func markOf(ctx context.Context, primary Querier) (mark, error) {
	m := mark{asked: time.Now()}
	found, err := Find(ctx, primary, "ask where the log ends", nil, pgx.RowToStructByPos[struct {
		At  time.Time
		End string
	}], markSQL)
	if err == nil {
		m.database = found.At
		m.end, err = parseLSN(found.End)
	}
	return m, err
}

// replayedBy is how far a standby has replayed the log.
func replayedBy(ctx context.Context, standby Querier) (lsn, error) {
	found, err := Find(ctx, standby, "ask how far the standby is", nil, pgx.RowToStructByPos[struct {
		IsStandby bool
		At        string
	}], replayedSQL)
	if err != nil {
		return 0, err
	}
	if !found.IsStandby {
		return 0, ErrNoStandby
	}
	return parseLSN(found.At)
}

// parseLSN reads two hexadecimal numbers, the higher half first.
func parseLSN(text string) (lsn, error) {
	high, low, _ := strings.Cut(text, "/")
	a, errHigh := strconv.ParseUint(high, 16, 32)
	b, errLow := strconv.ParseUint(low, 16, 32)
	if err := errors.Join(errHigh, errLow); err != nil {
		return 0, fmt.Errorf("read a place in the log: %w", err)
	}
	return lsn(a<<32 | b), nil
}

// CatchUp waits until a standby has everything that the primary has now, and returns how
// many bytes of the log it was behind. Errors: ErrNoStandby, ErrBehind after the limit,
// and those of the database.
func CatchUp(ctx context.Context, standby, primary Querier, limit time.Duration) (behind int64, err error) {
	now, err := markOf(ctx, primary)
	if err != nil {
		return 0, err
	}
	ticker, over := time.NewTicker(50*time.Millisecond), time.After(limit)
	defer ticker.Stop()
	for first := true; ; first = false {
		at, err := replayedBy(ctx, standby)
		if err != nil {
			return 0, err
		}
		if first && at < now.end {
			behind = int64(now.end - at)
		}
		if at >= now.end {
			return behind, nil
		}
		select {
		case <-ticker.C:
		case <-over:
			return behind, fmt.Errorf("%w: by %d bytes of the log after %v", ErrBehind, now.end-at, limit)
		case <-ctx.Done():
			return behind, ctx.Err()
		}
	}
}
