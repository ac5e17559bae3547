package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const roleSQL = `
SELECT session_user::text,
       EXISTS (SELECT FROM pg_roles WHERE rolname = $1),
       (` + canSetServiceRoleSQL + `)`

// RoleWarning says why sessions of a server do not work as ServiceRole, with the cure; empty where
// they do.
func RoleWarning(ctx context.Context, q Querier) (string, error) {
	role, err := Find(ctx, q, "look for the rights of the login", nil, pgx.RowToStructByPos[struct {
		Login        string
		There, Taken bool
	}], roleSQL, ServiceRole)
	if err != nil || role.Taken {
		return "", err
	}
	why, cure := "that role does not exist", "daftar migrate grants makes it, or says who may"
	if role.There {
		why, cure = "the login may not take that role",
			fmt.Sprintf("GRANT %s TO %s", ServiceRole, pgx.Identifier{role.Login}.Sanitize())
	}
	return fmt.Sprintf("servers work with all the rights of the database login %q and not as %s: %s (%s)",
		role.Login, ServiceRole, why, cure), nil
}

const loginSQL = `
SELECT session_user::text,
       r.rolsuper,
       coalesce(pg_has_role(session_user, c.relowner, 'MEMBER'), false)
FROM pg_roles r
LEFT JOIN pg_class c ON c.oid = to_regclass('events')
WHERE r.rolname = session_user`

const whoMaySQL = `
SELECT session_user::text,
       pg_get_userbyid(d.datdba)::text,
       coalesce(pg_get_userbyid(c.relowner)::text, ''),
       coalesce((
         SELECT pg_has_role(session_user, oid, 'MEMBER')
         FROM pg_roles
         WHERE rolname = $1), false)
FROM pg_database d
LEFT JOIN pg_class c ON c.oid = to_regclass('events')
WHERE d.datname = current_database()`

// WhoMay says which login has the rights that the present one lacks, if they are those of role's
// members; empty where the present login owns the tables.
func WhoMay(ctx context.Context, q Querier, role string) (string, error) {
	found, err := Find(ctx, q, "look for the rights of the login", nil, pgx.RowToStructByPos[struct {
		Login, DatabaseOwner, Owner string
		Member                      bool
	}], whoMaySQL, role)
	if err != nil {
		return "", err
	}
	refused := fmt.Sprintf("the database login %q has no right to this: log in as ", found.Login)
	switch {
	case found.Owner == found.Login:
		return "", nil
	case found.Owner == "":
		return refused + fmt.Sprintf("%q, who owns the database", found.DatabaseOwner), nil
	case found.Member:
		return refused + fmt.Sprintf("%q, who owns the tables; "+
			"if members of %s should have it, daftar migrate grants gives it to them", found.Owner, role), nil
	}
	return refused + fmt.Sprintf("a member of %s (GRANT %[1]s TO %[2]s), or as %[3]q, who owns the tables",
		role, pgx.Identifier{found.Login}.Sanitize(), found.Owner), nil
}

// LoginWarning says what is dangerous about the user that a server logs in as, with the
// cure; empty where nothing is. That its sessions work as ServiceRole is no protection: an
// attacker that can send statements can send SET ROLE NONE.
func LoginWarning(ctx context.Context, q Querier) (string, error) {
	login, err := Find(ctx, q, "look for the rights of the login", nil, pgx.RowToStructByPos[struct {
		Name         string
		Super, Owner bool
	}], loginSQL)
	var rights string
	switch {
	case login.Super:
		rights = "is a superuser"
	case login.Owner:
		rights = "owns the tables"
	default:
		return "", err
	}
	return fmt.Sprintf("the database login %q %s: "+
		"anyone who takes the server over can switch the triggers off and rewrite the log; "+
		"log in as a separate user instead: CREATE ROLE daftar_server LOGIN PASSWORD '…'; "+
		"GRANT %s TO daftar_server", login.Name, rights, ServiceRole), nil
}
