package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/migrations"
	"daftar/transparency"
)

func (p *program) rekey() *cobra.Command {
	return &cobra.Command{
		Use: "rekey", Short: "Seal all secrets of the database under a new DAFTAR_SECRET_KEY", Args: cobra.NoArgs,
		Long: `Seal all secrets of the database under a new DAFTAR_SECRET_KEY.

DAFTAR_SECRET_KEY is the new key and DAFTAR_SECRET_KEY_OLD the one before;
DAFTAR_DATABASE_URL is that with which "migrate up" is run, as the service may not
change a signing key. Webhook secrets, second factors and signing keys stay what
they are: merchants and people notice nothing.

Without an interruption: restart the servers with both variables, run this, restart
them without the old one. All is changed or nothing, and a second run changes
nothing. Backups from before are still sealed under the old key.`,
		RunE: running(func(c *cobra.Command, _ []string) error {
			conf, err := p.configure("DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY", "DAFTAR_SECRET_KEY_OLD")
			if err != nil {
				return err
			}
			return p.replaceKey(c.Context(), conf)
		}),
	}
}

func (p *program) replaceKey(ctx context.Context, conf config) error {
	pool, err := p.database(ctx, conf)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	var secrets, signingKeys int
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if secrets, err = accounts.Rekey(ctx, tx, byOperator(), conf.secretKey); err != nil {
			return err
		}
		signingKeys, err = transparency.Rekey(ctx, tx, conf.transparency.sealing)
		return err
	})
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	return p.answer(map[string]any{"secrets": secrets, "signing_keys": signingKeys},
		fmt.Sprintf("Sealed under the new key: %d secrets, %d signing keys.\n", secrets, signingKeys))
}
