package commands

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/config"
	"daftar/migrations"
)

func (p *program) migrate() *cobra.Command {
	return group("migrate", "Bring the database's schema up to date, or say where it stands",
		command("up", "Apply the migrations that are missing", p.configured(p.migrateUp, "DAFTAR_DATABASE_URL")),
		command("status", "List the migrations and when they were applied", p.configured(p.migrateStatus, "DAFTAR_DATABASE_URL")))
}

func (p *program) migrateUp(ctx context.Context, conf config.Config, _ []string) error {
	applied, err := migrations.Up(ctx, conf.DatabaseURL)
	if err != nil {
		return err
	}
	text := "The schema is up to date."
	if len(applied) > 0 {
		text = "Applied " + strings.Join(applied, ", ") + "."
	}
	return p.Answer(map[string][]string{"applied": append([]string{}, applied...)}, text)
}

func (p *program) migrateStatus(ctx context.Context, conf config.Config, _ []string) error {
	all, err := migrations.Status(ctx, conf.DatabaseURL)
	if err != nil {
		return err
	}
	var sentences []string
	pending := slices.ContainsFunc(all, func(m migrations.Migration) bool { return m.AppliedAt == nil })
	if pending {
		sentences = []string{"Run daftar migrate up."}
	}
	return reportedUnless(!pending, p.Answer(struct {
		Migrations []migrations.Migration `json:"migrations" label:""`
		UpToDate   bool                   `json:"up_to_date"`
	}{all, !pending}, sentences...))
}
