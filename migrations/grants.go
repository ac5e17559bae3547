package migrations

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"daftar/internal/postgres"
)

// Grant creates the roles that are missing, as far as url's user may, and grants them the rights
// that they lack. It returns what is still missing. A second call changes nothing.
// Errors are those of Up.
func Grant(ctx context.Context, url string) (Rights, error) {
	conn, err := connect(ctx, url)
	if err != nil {
		return Rights{}, fmt.Errorf("grant rights: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return grant(ctx, tx) }); err != nil {
		return Rights{}, fmt.Errorf("grant rights: %w", err)
	}
	return MissingRights(ctx, conn)
}

func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	config, err := postgres.Connectable(ctx, url, settings)
	if err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, config)
}

// grantsLock makes servers that migrate at the same time grant in turn: PostgreSQL refuses two
// at once.
const (
	grantsLock    = 0x6461_6674 // any number that no other lock uses
	lockGrantsSQL = `SELECT pg_advisory_xact_lock($1)`
)

func grant(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, lockGrantsSQL, grantsLock); err != nil {
		return err
	}
	before, err := MissingRights(ctx, tx)
	if err != nil {
		return err
	}
	for _, role := range before.Roles {
		if err := try(ctx, tx, "CREATE ROLE "+role+" NOLOGIN"); err != nil {
			return err
		}
	}
	if err := letOwnerServe(ctx, tx); err != nil {
		return err
	}
	lacking, err := MissingRights(ctx, tx)
	if err != nil {
		return err
	}
	for _, r := range lacking.Missing {
		if err := try(ctx, tx, r.statement()); err != nil {
			return err
		}
	}
	return nil
}

// statement grants the right.
func (r Right) statement() string {
	table, column, ofColumn := strings.Cut(r.On, ".")
	schema, ofSchema := strings.CutPrefix(r.On, "schema ")
	switch {
	case ofSchema:
		return "GRANT USAGE ON SCHEMA " + pgx.Identifier{schema}.Sanitize() + " TO " + r.Role
	case ofColumn:
		return "GRANT " + r.Privilege + " (" + column + ") ON " + table + " TO " + r.Role
	}
	return "GRANT " + r.Privilege + " ON " + table + " TO " + r.Role
}

// From PostgreSQL 16 on, the creator of a role administers it but may not SET ROLE to it without
// a grant WITH SET.
const ownerSQL = `
SELECT c.owner::text, current_setting('server_version_num')::int >= 160000,
       pg_has_role(c.owner, $1, CASE WHEN current_setting('server_version_num')::int < 160000
                                     THEN 'MEMBER' ELSE 'SET' END)
FROM pg_roles r
CROSS JOIN (
    SELECT coalesce((SELECT pg_get_userbyid(relowner)
                     FROM pg_class
                     WHERE oid = to_regclass('events')), current_user) AS owner
) c
WHERE r.rolname = $1`

// letOwnerServe makes the owner of the tables a member of the service's role, so that a server
// with the owner's login works with no more rights than others.
func letOwnerServe(ctx context.Context, tx pgx.Tx) error {
	owner, err := postgres.Find(ctx, tx, "look for the owner", nil, pgx.RowToStructByPos[struct {
		Name               string
		Separate, CanServe bool
	}], ownerSQL, postgres.ServiceRole)
	if err != nil || owner.Name == "" || owner.CanServe {
		return err
	}
	statement := "GRANT " + postgres.ServiceRole + " TO " + pgx.Identifier{owner.Name}.Sanitize()
	if owner.Separate {
		statement += " WITH SET TRUE"
	}
	return try(ctx, tx, statement)
}

// try executes a statement that may be refused for lack of rights, or because another database
// of the server was faster. MissingRights then shows what is still missing.
func try(ctx context.Context, tx pgx.Tx, statement string) error {
	err := pgx.BeginFunc(ctx, tx, func(inner pgx.Tx) error {
		_, err := inner.Exec(ctx, statement)
		return err
	})
	const duplicateObject, uniqueViolation = "42710", "23505"
	server, is := errors.AsType[*pgconn.PgError](err)
	if is && (server.Code == duplicateObject || server.Code == uniqueViolation) {
		return nil
	}
	if postgres.IsDenied(err) {
		return nil
	}
	return err
}

const placeSQL = `
SELECT coalesce((SELECT pg_get_userbyid(relowner)
                 FROM pg_class
                 WHERE oid = to_regclass('events')), current_user)::text,
       current_schema()::text`

// GrantsSQL is a script that does all that Grant does, for a database administrator to run in
// the database, as a superuser or with similar rights. It may be run again.
func GrantsSQL(ctx context.Context, url string) (string, error) {
	conn, err := connect(ctx, url)
	if err != nil {
		return "", fmt.Errorf("write grants: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	place, err := postgres.Find(ctx, conn, "look for the owner", nil,
		pgx.RowToStructByPos[struct{ Owner, Schema string }], placeSQL)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, role := range []string{postgres.ServiceRole, postgres.AuditorRole} {
		fmt.Fprintf(&b, "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%[1]s') "+
			"THEN CREATE ROLE %[1]s NOLOGIN; END IF; END $$;\n", role)
	}
	schema := pgx.Identifier{place.Schema}.Sanitize()
	fmt.Fprintf(&b, "GRANT %s TO %s;\n", postgres.ServiceRole, pgx.Identifier{place.Owner}.Sanitize())
	fmt.Fprintf(&b, "GRANT USAGE ON SCHEMA %s TO %s, %s;\n", schema, postgres.ServiceRole, postgres.AuditorRole)
	for _, r := range rights {
		tables := strings.Fields(r.tables)
		for n, table := range tables {
			tables[n] = schema + "." + table
		}
		fmt.Fprintf(&b, "GRANT %s ON %s TO %s;\n", strings.Join(strings.Fields(r.privileges), ", "),
			strings.Join(tables, ", "), r.role)
	}
	fmt.Fprintf(&b, "GRANT SELECT (%s) ON %s.applications TO %s;\n",
		strings.Join(auditorsColumns, ", "), schema, postgres.AuditorRole)
	return b.String(), nil
}
