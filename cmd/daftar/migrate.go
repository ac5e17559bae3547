package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/internal/postgres"
	"daftar/migrations"
)

func (p *program) migrate() *cobra.Command {
	return group("migrate", "Bring the database's schema up to date, or say where it stands",
		&cobra.Command{
			Use: "up", Short: "Apply the migrations that are missing", Args: cobra.NoArgs,
			RunE: running(func(c *cobra.Command, _ []string) error {
				conf, err := p.configure("DAFTAR_DATABASE_URL")
				if err != nil {
					return err
				}
				applied, err := migrations.Up(c.Context(), conf.databaseURL)
				if err != nil {
					return err
				}
				if applied == nil {
					applied = []string{}
				}
				text := "The schema is up to date.\n"
				if len(applied) > 0 {
					text = "Applied " + strings.Join(applied, ", ") + ".\n"
				}
				return p.answer(map[string]any{"applied": applied}, text)
			}),
		},
		&cobra.Command{
			Use: "status", Short: "List the migrations and when they were applied", Args: cobra.NoArgs,
			RunE: running(func(c *cobra.Command, _ []string) error { return p.migrateStatus(c.Context()) }),
		},
	)
}

func (p *program) migrateStatus(ctx context.Context) error {
	conf, err := p.configure("DAFTAR_DATABASE_URL")
	if err != nil {
		return err
	}
	all, err := migrations.Status(ctx, conf.databaseURL)
	if err != nil {
		return err
	}
	type entry struct {
		Version   int64      `json:"version"`
		Name      string     `json:"name"`
		AppliedAt *time.Time `json:"applied_at"`
	}
	entries := make([]entry, len(all))
	pending := 0
	var text strings.Builder
	for n, m := range all {
		entries[n] = entry{Version: m.Version, Name: m.Name, AppliedAt: m.AppliedAt}
		when := "missing"
		if m.AppliedAt != nil {
			when = m.AppliedAt.UTC().Format(time.RFC3339)
		} else {
			pending++
		}
		fmt.Fprintf(&text, "%-20s  %s\n", when, m.Name)
	}
	if pending > 0 {
		text.WriteString("Run daftar migrate up.\n")
	}
	err = p.answer(map[string]any{"migrations": entries, "up_to_date": pending == 0}, text.String())
	if err == nil && pending > 0 {
		return errReported
	}
	return err
}

// database opens a pool for a command that runs to its end. It works with the
// rights of the URL's user, who may be no more than an auditor.
func (p *program) database(ctx context.Context, conf config) (*pgxpool.Pool, error) {
	return postgres.Open(ctx, conf.databaseURL, postgres.Options{ApplicationName: "daftar command", MaxConns: 2})
}
