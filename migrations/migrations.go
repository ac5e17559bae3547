package migrations

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"daftar/internal/postgres"
)

//go:embed *.sql
var files embed.FS

// Errors of Check. The messages name the versions.
var (
	ErrOutOfDate = errors.New("the database schema is out of date")
	ErrNewer     = errors.New("the database schema is newer than this program")
)

// lockTimeout bounds how long a migration waits for a table that a long
// transaction has locked: while it waits, all later sessions wait too.
const lockTimeout = "15s"

// settings are the settings of each session that changes the schema.
var settings = map[string]string{"application_name": "daftar migrate", "lock_timeout": lockTimeout}

// Migration is one numbered step of the schema.
type Migration struct {
	Version   int64      `json:"version"`
	AppliedAt *time.Time `json:"applied_at" label:"applied" none:"missing"` // nil: not yet
	// Name is the name of the file, empty for a version that only the database has.
	Name string `json:"name" label:"migration"`
}

// Up applies what the database lacks and returns the names of the files that it
// applied, also when a later one failed; that one left nothing behind. url's user
// becomes the owner of the tables. Errors: postgres.ErrBadURL,
// postgres.ErrSharedSessions, postgres.ErrUnsuitable, or one that postgres.Classify knows.
func Up(ctx context.Context, url string) ([]string, error) {
	return up(ctx, url, files)
}

func up(ctx context.Context, url string, files fs.FS) ([]string, error) {
	if _, err := postgres.CheckSettings(ctx, url); err != nil {
		return nil, fmt.Errorf("migrate database: %w", err)
	}
	config, err := postgres.Connectable(ctx, url, settings)
	if err != nil {
		return nil, fmt.Errorf("migrate database: %w", err)
	}
	db := stdlib.OpenDB(*config)
	defer db.Close()

	// Try each second for five minutes: another server's migrations may take long.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300), lock.WithUnlockTimeout(1, 10))
	if err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		results = partial.Applied
	}
	var applied []string
	for _, result := range results {
		applied = append(applied, filepath.Base(result.Source.Path))
	}
	if err != nil {
		return applied, fmt.Errorf("migrate database: %w", err)
	}
	return applied, nil
}

// Status returns every migration of this binary, in order, and after them
// those that only the database has (with an empty name). It changes nothing.
func Status(ctx context.Context, url string) ([]Migration, error) {
	return status(ctx, url, files)
}

func status(ctx context.Context, url string, files fs.FS) ([]Migration, error) {
	conn, err := connect(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("read migration status: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return compare(ctx, conn, files)
}

// Check returns nil if the database has exactly the migrations of this binary,
// an error that wraps ErrOutOfDate or ErrNewer if not.
func Check(ctx context.Context, pool *pgxpool.Pool) error {
	return check(ctx, pool, files)
}

func check(ctx context.Context, pool *pgxpool.Pool, files fs.FS) error {
	all, err := compare(ctx, pool, files)
	if err != nil {
		return err
	}
	var missing, unknown []string
	for _, m := range all {
		if m.Name == "" {
			unknown = append(unknown, strconv.FormatInt(m.Version, 10))
		} else if m.AppliedAt == nil {
			missing = append(missing, m.Name)
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("%w: it has version %s", ErrNewer, strings.Join(unknown, ", "))
	}
	if len(missing) == len(all) && len(all) > 0 {
		if err := postgres.CheckSearchPath(ctx, pool); err != nil {
			return err
		}
		return fmt.Errorf("%w: the database is empty", ErrOutOfDate)
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: it lacks %s", ErrOutOfDate, strings.Join(missing, ", "))
	}
	return nil
}

// goose keeps a row per run of a version; version 0 marks its own table.
const selectApplied = `
SELECT version_id, applied_at
FROM (
    SELECT DISTINCT ON (version_id) version_id, tstamp AT TIME ZONE 'UTC' AS applied_at, is_applied
    FROM goose_db_version
    WHERE version_id > 0
    ORDER BY version_id, id DESC
) latest
WHERE is_applied
ORDER BY version_id`

type applied struct {
	VersionID int64
	AppliedAt time.Time
}

// compare joins the migrations of the binary with those of the database.
func compare(ctx context.Context, db postgres.Querier, files fs.FS) ([]Migration, error) {
	all, err := embedded(files)
	if err != nil {
		return nil, err
	}
	done, err := postgres.List(ctx, db, "read applied migrations", pgx.RowToStructByName[applied], selectApplied)
	if postgres.Classify(err) == postgres.OutOfDate {
		return all, nil // no table yet: nothing was ever applied
	}
	if err != nil {
		return nil, err
	}
	for _, row := range done {
		at := row.AppliedAt.UTC()
		i := slices.IndexFunc(all, func(m Migration) bool { return m.Version == row.VersionID })
		if i < 0 {
			all = append(all, Migration{Version: row.VersionID, AppliedAt: &at})
			continue
		}
		all[i].AppliedAt = &at
	}
	return all, nil
}

// embedded lists the files in the order of their numbers.
func embedded(files fs.FS) ([]Migration, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	var all []Migration
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("list migrations: %s has no number", name)
		}
		all = append(all, Migration{Version: version, Name: name})
	}
	slices.SortFunc(all, func(a, b Migration) int { return int(a.Version - b.Version) })
	return all, nil
}
