package migrations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// ErrRights says that a login or a role may not do what it must. The message names each right.
var ErrRights = errors.New("rights are missing")

// rights are all rights of the two roles: the service reads, appends to append-only tables
// and changes the others; auditors read. A test compares them with the rights that the
// migrations grant if they may.
var rights = []struct{ role, privileges, tables string }{
	{postgres.ServiceRole, "SELECT", "goose_db_version projection_chunks projection_runs webhook_log"},
	{postgres.ServiceRole, "SELECT INSERT",
		"audit_records events payment_decisions payment_notes receipt_checks transparency_cosignatures " +
			"transparency_keys transparency_sealed_keys"},
	{postgres.ServiceRole, "SELECT UPDATE", "credential_epoch transparency_tree"},
	{postgres.ServiceRole, "SELECT INSERT DELETE",
		"api_requests password_resets transparency_checkpoints webhook_tries"},
	{postgres.ServiceRole, "SELECT INSERT UPDATE",
		"access_tokens applications book_sums brands checkout_attempts intents invitations organizations " +
			"outcome_proposals payment_exceptions payments refunds settlement_proposals shop_pages " +
			"statement_formats transparency_posts " +
			"transparency_tiles turnover users webhook_endpoints"},
	{postgres.ServiceRole, "SELECT INSERT UPDATE DELETE",
		"acquirer_accounts checkout_usage consumer_offsets expiry_timers mail_preferences mails memberships " +
			"notices parked_events passkey_challenges passkeys recovery_codes saved_views sessions " +
			"sign_in_failures sign_ups statement_proofs unknown_noticed webhook_deliveries"},
	{postgres.AuditorRole, "SELECT",
		"audit_records book_sums consumer_offsets credential_epoch events goose_db_version intents parked_events " +
			"payment_exceptions payments projection_chunks projection_runs transparency_checkpoints " +
			"transparency_cosignatures transparency_keys transparency_tiles transparency_tree turnover"},
}

// auditorsColumns are the columns of applications by which auditors find out which intents are
// whose, and in which books.
var auditorsColumns = []string{"uuid", "organization_uuid", "name", "mode"}

// Right is something that a role may do.
type Right struct {
	Role      string `json:"role"`
	Privilege string `json:"privilege"`
	On        string `json:"on"` // a table, a column (TABLE.COLUMN), or schema NAME
}

// Rights is what is missing of the rights of roles.
type Rights struct {
	Roles   []string `json:"roles"` // that do not exist
	Missing []Right  `json:"missing"`
}

// Complete reports whether nothing is missing.
func (r Rights) Complete() bool { return len(r.Roles)+len(r.Missing) == 0 }

// String names each right that is missing.
func (r Rights) String() string {
	var parts []string
	for _, role := range r.Roles {
		parts = append(parts, "the role "+role+" does not exist")
	}
	for n := 0; n < len(r.Missing); {
		first := r.Missing[n]
		var privileges []string
		for ; n < len(r.Missing) && r.Missing[n].Role == first.Role && r.Missing[n].On == first.On; n++ {
			privileges = append(privileges, r.Missing[n].Privilege)
		}
		all := strings.Join(privileges, ", ")
		parts = append(parts, fmt.Sprintf("%s lacks %s on %s", first.Role, all, first.On))
	}
	return strings.Join(parts, "; ")
}

// needed are the rights of a role, one for each table and privilege.
func needed(role string) (all []Right) {
	for _, r := range rights {
		for table := range strings.FieldsSeq(r.tables) {
			for privilege := range strings.FieldsSeq(r.privileges) {
				if r.role == role {
					all = append(all, Right{role, privilege, table})
				}
			}
		}
	}
	if role == postgres.AuditorRole {
		for _, column := range auditorsColumns {
			all = append(all, Right{role, "SELECT", "applications." + column})
		}
	}
	return all
}

// A table that does not exist yet lacks no right. Without the right on the schema, none of its
// tables are found.
const missingSQL = `
SELECT $4, 'USAGE', 'schema ' || coalesce(current_schema(), 'public')
WHERE coalesce(NOT has_schema_privilege($4, current_schema(), 'USAGE'), true)
UNION ALL
SELECT $4, n.privilege, n.on_table || coalesce('.' || n.on_column, '')
FROM unnest($1::text[], $2::text[], $3::text[]) AS n(privilege, on_table, on_column)
JOIN pg_class c ON c.relname = n.on_table AND c.relnamespace = current_schema()::regnamespace
WHERE NOT CASE WHEN n.on_column IS NULL THEN has_table_privilege($4, c.oid, n.privilege)
               ELSE has_column_privilege($4, c.oid, n.on_column, n.privilege) END`

// missing are the rights of a role that who lacks.
func missing(ctx context.Context, q postgres.Querier, role, who string) ([]Right, error) {
	var privileges, tables []string
	var columns []*string
	for _, r := range needed(role) {
		table, column, of := strings.Cut(r.On, ".")
		privileges, tables = append(privileges, r.Privilege), append(tables, table)
		if !of {
			columns = append(columns, nil)
			continue
		}
		columns = append(columns, &column)
	}
	return postgres.List(ctx, q, "look for rights", pgx.RowToStructByPos[Right],
		missingSQL, privileges, tables, columns, who)
}

// CheckServiceRights returns nil if the current role of the session may do all that a server does,
// else an error that wraps ErrRights and names each missing right.
func CheckServiceRights(ctx context.Context, q postgres.Querier) error {
	who, err := postgres.Find(ctx, q, "look for the role", nil, pgx.RowTo[string], `SELECT current_user::text`)
	if err != nil {
		return err
	}
	lacks, err := missing(ctx, q, postgres.ServiceRole, who)
	if err == nil && len(lacks) > 0 {
		err = fmt.Errorf("%w: %s; run daftar migrate grants as the owner of the tables",
			ErrRights, Rights{Missing: lacks})
	}
	return err
}

const rolesSQL = `SELECT rolname::text FROM pg_roles WHERE rolname = ANY($1)`

// MissingRights returns the missing roles and rights of both roles.
func MissingRights(ctx context.Context, q postgres.Querier) (Rights, error) {
	roles := []string{postgres.ServiceRole, postgres.AuditorRole}
	existing, err := postgres.List(ctx, q, "look for roles", pgx.RowTo[string], rolesSQL, roles)
	if err != nil {
		return Rights{}, err
	}
	found := Rights{Roles: []string{}, Missing: []Right{}}
	for _, role := range roles {
		if !slices.Contains(existing, role) {
			found.Roles = append(found.Roles, role)
			continue
		}
		lacks, err := missing(ctx, q, role, role)
		if err != nil {
			return Rights{}, err
		}
		found.Missing = append(found.Missing, lacks...)
	}
	return found, nil
}
