package accounts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/internal/mail"
	"daftar/internal/sealing"
)

// ActionRekey is the one action that concerns no organisation.
const ActionRekey Action = "secret_key.replace"

// sealedColumns are all secrets of this package and of the mails that it queues, each
// sealed for the row that it stands in.
var sealedColumns = []sealing.Column{
	{
		What:  "webhook secret of application",
		Read:  `SELECT uuid::text, uuid_send(uuid), webhook_secret FROM applications ORDER BY uuid`,
		Write: `UPDATE applications SET webhook_secret = $2 WHERE uuid = $1`,
	},
	{
		What:  "second factor of user",
		Read:  `SELECT uuid::text, uuid_send(uuid), totp_secret FROM users WHERE totp_secret IS NOT NULL ORDER BY uuid`,
		Write: `UPDATE users SET totp_secret = $2 WHERE uuid = $1`,
	},
	{
		What:  "unconfirmed second factor of user",
		Read:  `SELECT uuid::text, uuid_send(uuid), totp_pending FROM users WHERE totp_pending IS NOT NULL ORDER BY uuid`,
		Write: `UPDATE users SET totp_pending = $2 WHERE uuid = $1`,
	},
	{
		What: "settings of acquirer",
		Read: `SELECT application_uuid || '/' || acquirer, uuid_send(application_uuid) || convert_to(acquirer, 'UTF8'), settings
FROM acquirer_accounts ORDER BY application_uuid, acquirer`,
		Write: `UPDATE acquirer_accounts SET settings = $2 WHERE application_uuid = split_part($1, '/', 1)::uuid AND acquirer = split_part($1, '/', 2)`,
	},
	mail.Sealed,
}

// CheckSecretKey opens every sealed secret and says how many there are; an
// error means that the key is missing or not the one that sealed them.
func (a *Accounts) CheckSecretKey(ctx context.Context) (int, error) {
	opened := 0
	for _, column := range sealedColumns {
		n, err := column.Check(ctx, a.pool, a.key)
		if err != nil {
			return 0, fmt.Errorf("check secret key: %w", err)
		}
		opened += n
	}
	return opened, nil
}

// Rekey seals again, under the present key, every secret that is sealed under
// the old one (see sealing.Column.Reseal), and returns how many those were. Only
// operators may.
func Rekey(ctx context.Context, tx pgx.Tx, by Actor, key SecretKey) (int, error) {
	if !by.operator {
		return 0, ErrForbidden
	}
	changed := 0
	for _, column := range sealedColumns {
		n, err := column.Reseal(ctx, tx, key)
		if err != nil {
			return 0, fmt.Errorf("replace secret key: %w", err)
		}
		changed += n
	}
	return changed, Record(ctx, tx, by, OrganizationID{}, Entry{Action: ActionRekey, Detail: map[string]any{"secrets": changed}})
}
