package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MinVersion is the oldest major version of PostgreSQL that Daftar runs on.
const MinVersion = 15

// ErrNotDurable is returned by CheckDurability; the message names each reason.
var ErrNotDurable = errors.New("the database could lose what it has acknowledged")

const selectDurability = `
SELECT current_setting('server_version_num')::int,
       current_setting('fsync'),
       current_setting('full_page_writes'),
       current_setting('synchronous_commit')`

// durability is what the sessions of a pool run with, including the settings of their
// role and database.
type durability struct {
	Version                                  int // as in server_version_num: 150004 is 15.4
	FSync, FullPageWrites, SynchronousCommit string
}

// CheckDurability returns an error that wraps ErrNotDurable and names each of
// fsync, full_page_writes and synchronous_commit that is off, and a server older
// than PostgreSQL 15.
func CheckDurability(ctx context.Context, pool *pgxpool.Pool) error {
	found, err := Find(ctx, pool, "check durability", nil, pgx.RowToStructByPos[durability], selectDurability)
	if err != nil {
		return err
	}
	return found.check()
}

// check accepts every value but off: those of synchronous_commit differ in what
// standbys do, and all of them flush here first.
func (d durability) check() error {
	var reasons []string
	if major := d.Version / 10_000; major < MinVersion {
		reasons = append(reasons, fmt.Sprintf("PostgreSQL %d is older than %d", major, MinVersion))
	}
	for _, setting := range []struct{ name, value string }{
		{"fsync", d.FSync},
		{"full_page_writes", d.FullPageWrites},
		{"synchronous_commit", d.SynchronousCommit},
	} {
		if setting.value == "off" {
			reasons = append(reasons, setting.name+" is off")
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrNotDurable, strings.Join(reasons, ", "))
}
