package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrUnsuitable is returned by CheckSettings; the message names each reason, and its cure.
var ErrUnsuitable = errors.New("the database cannot be used as it is set up")

// hazard is a setting that a role, a database or a server may carry into each session.
type hazard struct {
	name    string
	found   func(value string) bool
	refused bool // such a database is not used; false: there is only a warning
	why     string
}

func equals(bad string) func(string) bool { return func(value string) bool { return value == bad } }

// shorterThan is for limits, which are milliseconds; 0 is none.
func shorterThan(d time.Duration) func(string) bool {
	return func(value string) bool {
		n, err := strconv.ParseInt(value, 10, 64)
		return err == nil && n > 0 && n < d.Milliseconds()
	}
}

// The sessions of servers override some of these. They are checked anyway: they affect commands,
// auditors and psql, and the next release may not override them.
var hazards = []hazard{
	{"default_transaction_read_only", equals("on"), true, "nothing can be written"},
	{"synchronous_commit", equals("off"), true, "a crash loses what was acknowledged"},
	{"session_replication_role", equals("replica"), true,
		"triggers do not fire, such as those that have servers notice a revoked credential"},
	{"zero_damaged_pages", equals("on"), true, "rows of damaged pages vanish without an error"},
	{"ignore_checksum_failure", equals("on"), true, "damaged pages are read as if they were sound"},
	{"statement_timeout", shorterThan(10 * time.Minute), false,
		"long commands, such as audit verify and projections rebuild, may end early"},
	{"transaction_timeout", shorterThan(10 * time.Minute), false,
		"long commands, such as audit verify and projections rebuild, may end early"},
	{"lock_timeout", shorterThan(10 * time.Second), false,
		"under load appends fail instead of waiting their turn"},
	{"idle_in_transaction_session_timeout", shorterThan(time.Minute), false,
		"commands may lose their session"},
	{"idle_session_timeout", shorterThan(10 * time.Minute), false,
		"servers lose their connections again and again"},
}

const settingsSQL = `
SELECT name, setting, source, session_user::text, current_database()::text
FROM pg_settings
WHERE name = ANY($1)`

type setting struct{ Name, Value, Source, Login, Database string }

// where says for people where the setting is set, and how to unset it.
func (s setting) where() string {
	role, database := pgx.Identifier{s.Login}.Sanitize(), pgx.Identifier{s.Database}.Sanitize()
	switch s.Source {
	case "user":
		return fmt.Sprintf("for the login %q: ALTER ROLE %s RESET %s", s.Login, role, s.Name)
	case "database":
		return fmt.Sprintf("for the database %q: ALTER DATABASE %s RESET %s", s.Database, database, s.Name)
	case "database user":
		return fmt.Sprintf("for the login %q in the database %q: ALTER ROLE %s IN DATABASE %s RESET %s",
			s.Login, s.Database, role, database, s.Name)
	case "global":
		return "for all logins: ALTER ROLE ALL RESET " + s.Name
	case "client", "session":
		return "by the database URL or PGOPTIONS: take it out"
	}
	return "by the server's configuration: ALTER SYSTEM RESET " + s.Name + ", or postgresql.conf"
}

// CheckSettings checks what sessions of this URL begin with: the encoding of the database, and
// settings of the login, the database and the server. Servers, doctor and migrations all use it.
// It returns what weakens Daftar, and an error that wraps ErrUnsuitable and names all that breaks
// it, each with its cure.
func CheckSettings(ctx context.Context, url string) (warnings []string, err error) {
	// A connection without the settings of our pools, which would hide the others.
	pool, err := Open(ctx, url, Options{
		ApplicationName: "daftar settings", MaxConns: 1, SetServiceRole: true,
	})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	names := make([]string, len(hazards))
	for n, h := range hazards {
		names[n] = h.name
	}
	found, err := List(ctx, pool, "read settings", pgx.RowToStructByPos[setting], settingsSQL, names)
	if err != nil {
		return nil, err
	}
	var reasons []string
	for _, check := range []func(context.Context, Querier) error{checkEncoding, CheckSearchPath} {
		err := check(ctx, pool)
		if err != nil && !errors.Is(err, ErrUnsuitable) {
			return nil, err
		}
		if err != nil {
			reasons = append(reasons, strings.TrimPrefix(err.Error(), ErrUnsuitable.Error()+": "))
		}
	}
	for _, h := range hazards {
		for _, s := range found {
			if s.Name != h.name || !h.found(s.Value) {
				continue
			}
			says := fmt.Sprintf("%s is %s, so that %s; it is set %s", h.name, s.Value, h.why, s.where())
			if h.refused {
				reasons = append(reasons, says)
			} else {
				warnings = append(warnings, says)
			}
		}
	}
	if len(reasons) > 0 {
		return warnings, fmt.Errorf("%w: %s", ErrUnsuitable, strings.Join(reasons, "; "))
	}
	return warnings, nil
}

const encodingSQL = `SELECT current_database()::text, current_setting('server_encoding')`

// checkEncoding refuses a database that is not in UTF-8: it would store Arabic unchecked
// (SQL_ASCII), or refuse it.
func checkEncoding(ctx context.Context, q Querier) error {
	found, err := Find(ctx, q, "look for the encoding", nil,
		pgx.RowToStructByPos[struct{ Database, Encoding string }], encodingSQL)
	if err != nil || found.Encoding == "UTF8" {
		return err
	}
	return fmt.Errorf("%w: the encoding of the database %q is %s and has to be UTF8; make another one by "+
		"CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, "+
		"and restore into it what is there (docs/deploy.md)", ErrUnsuitable, found.Database, found.Encoding)
}

// current_schema() cannot be used: it skips schemas to which the session has no right, and that
// is for daftar migrate grants to repair.
const searchPathSQL = `
SELECT s.name, s.setting, s.source, session_user::text, current_database()::text,
       coalesce((
         SELECT n.nspname::text
         FROM unnest(string_to_array(replace(s.setting, '"', ''), ','))
              WITH ORDINALITY AS p(name, place)
         JOIN pg_namespace n ON n.nspname = CASE trim(p.name) WHEN '$user' THEN current_user
                                                              ELSE trim(p.name) END
         ORDER BY p.place
         LIMIT 1), ''),
       ARRAY(
         SELECT n.nspname::text
         FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relname = 'credential_epoch'
           AND c.relkind = 'r'
         ORDER BY n.nspname)
FROM pg_settings s
WHERE s.name = 'search_path'`

// CheckSearchPath refuses a session whose search_path does not begin with the schema of Daftar's
// tables: it would find none of them, or other tables of the same names. The error wraps
// ErrUnsuitable.
func CheckSearchPath(ctx context.Context, q Querier) error {
	found, err := Find(ctx, q, "look for the schema", nil, pgx.RowToStructByPos[struct {
		setting

		First  string   // the schema that is searched first, and in which tables are created
		Tables []string // the schemas that have Daftar's
	}], searchPathSQL)
	if err != nil {
		return err
	}
	if len(found.Tables) == 0 || slices.Contains(found.Tables, found.First) {
		return nil
	}
	first, cure := fmt.Sprintf("names are looked for in the schema %q first", found.First), found.where()
	if found.First == "" {
		first = "names are looked for in no schema that is there"
	}
	if found.Source == "default" {
		cure = "by nobody: ALTER ROLE " + pgx.Identifier{found.Login}.Sanitize() +
			" SET search_path = " + strings.Join(found.Tables, ", ")
	}
	return fmt.Errorf("%w: search_path is %s, so that %s, and Daftar's tables are in %q; it is set %s",
		ErrUnsuitable, found.Value, first, strings.Join(found.Tables, ", "), cure)
}
