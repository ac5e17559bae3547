package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const loginSQL = `
SELECT session_user::text, r.rolsuper, coalesce(pg_has_role(session_user, c.relowner, 'MEMBER'), false)
FROM pg_roles r LEFT JOIN pg_class c ON c.oid = to_regclass('events')
WHERE r.rolname = session_user`

// LoginWarning says what is dangerous about the user that a server logs in as, with the
// cure; empty where nothing is. That its sessions work as ServiceRole is no protection:
// who can send statements can send SET ROLE NONE.
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
	return fmt.Sprintf("the database login %q %s: anyone who takes the server over can switch the triggers off and rewrite the log; "+
		"log in as a user of its own instead: CREATE ROLE daftar_server LOGIN PASSWORD '…'; GRANT %s TO daftar_server", login.Name, rights, ServiceRole), nil
}
