package accounts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/sealing"
)

// ActionRekey is the one action that concerns no organisation.
const ActionRekey Action = "secret_key.replace"

// Sealed are the webhook secrets, each sealed for its application.
var Sealed = []sealing.Column{{
	What: "webhook secret of application",
	Read: `
SELECT uuid::text, uuid_send(uuid), webhook_secret
FROM applications
ORDER BY uuid`,
	Write: `UPDATE applications SET webhook_secret = $2 WHERE uuid = $1`,
}}

// CheckSecretKey opens every sealed secret of some columns and returns how many there are; an
// error means that the key is missing or not the one that sealed them.
func CheckSecretKey(ctx context.Context, q postgres.Querier, key SecretKey,
	columns []sealing.Column,
) (int, error) {
	opened := 0
	for _, column := range columns {
		n, err := column.Check(ctx, q, key)
		if err != nil {
			return 0, fmt.Errorf("check secret key: %w", err)
		}
		opened += n
	}
	return opened, nil
}

// Rekey seals again, under the current key, every secret of some columns that is sealed under
// the old key (see sealing.Column.Reseal), and returns how many it changed. Only operators may.
func Rekey(ctx context.Context, tx pgx.Tx, by Actor, key SecretKey, columns []sealing.Column) (int, error) {
	if !by.operator {
		return 0, ErrForbidden
	}
	changed := 0
	for _, column := range columns {
		n, err := column.Reseal(ctx, tx, key)
		if err != nil {
			return 0, fmt.Errorf("replace secret key: %w", err)
		}
		changed += n
	}
	entry := Entry{Action: ActionRekey, Detail: map[string]any{"secrets": changed}}
	return changed, Record(ctx, tx, by, OrganizationID{}, entry)
}
