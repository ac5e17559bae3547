package commands

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/cmd/daftar/cli"
	"daftar/internal/mail"
	"daftar/internal/sealing"
	"daftar/transparency"
)

func (p *program) rekey() *cobra.Command {
	c := cli.Command("rekey", "Seal all secrets of the database under a new DAFTAR_SECRET_KEY",
		p.onDatabase(forCommands, p.replaceKey, "DAFTAR_SECRET_KEY", "DAFTAR_SECRET_KEY_OLD"))
	c.Long = `Seal all secrets of the database under a new DAFTAR_SECRET_KEY.

DAFTAR_SECRET_KEY is the new key and DAFTAR_SECRET_KEY_OLD the one before;
DAFTAR_DATABASE_URL is that with which "migrate up" is run, as the service may not
change a signing key. Webhook secrets, second factors, mails that wait and signing
keys stay what they are: merchants and people notice nothing.

Without an interruption: restart the servers with both variables, run this, restart
them without the old one. All is changed or nothing, and a second run changes
nothing. Backups from before are still sealed under the old key.`
	return c
}

// sealed are all secrets under DAFTAR_SECRET_KEY, but for signing keys.
var sealed = slices.Concat(accounts.Sealed, people.Sealed, settings.Sealed, []sealing.Column{mail.Sealed})

func (p *program) replaceKey(ctx context.Context, s session) error {
	var secrets, signingKeys int
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if secrets, err = accounts.Rekey(ctx, tx, operator(), s.SecretKey, sealed); err != nil {
			return err
		}
		signingKeys, err = transparency.Rekey(ctx, tx, s.SecretKey)
		return err
	})
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	return p.Answer(map[string]int{"secrets": secrets, "signing_keys": signingKeys},
		fmt.Sprintf("Sealed under the new key: %d secrets, %d signing keys.", secrets, signingKeys))
}
