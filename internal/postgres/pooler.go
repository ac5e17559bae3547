package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrSharedSessions is returned where a pooler gives each transaction another session. Locks,
// prepared statements, settings and LISTEN belong to a session and outlive a transaction.
var ErrSharedSessions = errors.New("the database URL leads to a pooler that gives each transaction " +
	"another session, as PgBouncer does with pool_mode = transaction; " +
	"give the database's own address, or that of a pool with pool_mode = session (docs/deploy.md)")

// sharingChecks is how often two connections are compared. If other clients use the pool at
// the same moment, a single comparison may find a session of theirs.
const sharingChecks = 8

// login is what the first connection finds out.
type login struct {
	CanSetServiceRole bool
	Session           int // the process id of the server's session
}

// Since PostgreSQL 16 a member may be without the right to SET ROLE.
const canSetServiceRoleSQL = `
SELECT coalesce((
	SELECT pg_has_role(session_user, oid,
	                   CASE WHEN current_setting('server_version_num')::int < 160000
	                        THEN 'MEMBER' ELSE 'SET' END)
	FROM pg_roles
	WHERE rolname = $1), false)`

const (
	loginStateSQL = `SELECT (` + canSetServiceRoleSQL + `), pg_backend_pid()`
	sessionSQL    = `SELECT pg_backend_pid()`
)

// examine connects once, reads the rights of the login, and reports whether there is a pooler in
// between. It returns ErrSharedSessions if that shares sessions.
func examine(ctx context.Context, config *pgx.ConnConfig) (l login, pooled bool, err error) {
	conn, err := connectPlainly(ctx, config)
	if err != nil {
		return login{}, false, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	l, err = Find(ctx, conn, "look for role "+ServiceRole, nil, pgx.RowToStructByPos[login],
		loginStateSQL, pgx.QueryExecModeExec, ServiceRole)
	// A pooler gives its clients other process ids.
	if err != nil || int(conn.PgConn().PID()) == l.Session {
		return l, false, err
	}
	return l, true, refuseSharing(ctx, config, conn, l.Session)
}

// connectPlainly leaves out the settings that a pooler might refuse.
func connectPlainly(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	plain := config.Copy()
	for name := range plain.RuntimeParams {
		if !poolerParameters[name] {
			delete(plain.RuntimeParams, name)
		}
	}
	return pgx.ConnectConfig(ctx, plain)
}

// refuseSharing opens a second connection: sessions are shared if both connections have the same
// one, or if the first one's session has changed.
func refuseSharing(ctx context.Context, config *pgx.ConnConfig, first *pgx.Conn, session int) error {
	second, err := connectPlainly(ctx, config)
	if err != nil {
		return err
	}
	defer second.Close(context.WithoutCancel(ctx))
	for range sharingChecks {
		other, err := sessionOf(ctx, second)
		if err != nil {
			return err
		}
		now, err := sessionOf(ctx, first)
		if err != nil {
			return err
		}
		if other == session || now != session {
			return ErrSharedSessions
		}
	}
	return nil
}

func sessionOf(ctx context.Context, conn *pgx.Conn) (int, error) {
	return Find(ctx, conn, "look for the session", nil, pgx.RowTo[int], sessionSQL, pgx.QueryExecModeExec)
}

// poolerParameters are the parameters of a connection that poolers pass on to the server. They refuse
// options with a clear message.
var poolerParameters = map[string]bool{
	"application_name": true, "client_encoding": true, "timezone": true, "options": true,
}

// setAfterwards makes each connection send its settings after it is connected. Poolers refuse
// them as startup parameters, or drop them silently.
func setAfterwards(config *pgx.ConnConfig) {
	var calls []string
	var arguments [][]byte
	for name, value := range config.RuntimeParams {
		if poolerParameters[name] {
			continue
		}
		delete(config.RuntimeParams, name)
		arguments = append(arguments, []byte(name), []byte(value))
		calls = append(calls, fmt.Sprintf("set_config($%d, $%d, false)", len(arguments)-1, len(arguments)))
	}
	if len(calls) == 0 {
		return
	}
	sql, before := `SELECT `+strings.Join(calls, ", "), config.AfterConnect
	config.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		if before != nil {
			if err := before(ctx, conn); err != nil {
				return err
			}
		}
		if _, err := conn.ExecParams(ctx, sql, arguments, nil, nil, nil).Close(); err != nil {
			return fmt.Errorf("set up session: %w", err)
		}
		return nil
	}
}

// Connectable is the configuration of connections to a URL, with these settings. Errors:
// ErrBadURL, ErrSharedSessions, or one that Classify calls Unavailable.
func Connectable(ctx context.Context, url string, settings map[string]string) (*pgx.ConnConfig, error) {
	pool, err := ParseURL(url)
	if err != nil {
		return nil, err
	}
	config := pool.ConnConfig
	maps.Copy(config.RuntimeParams, settings)
	_, pooled, err := examine(ctx, config)
	if pooled && err == nil {
		setAfterwards(config)
	}
	return config, err
}
