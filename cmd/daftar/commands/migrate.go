package commands

import (
	"context"
	"strings"
	"time"

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
	type migration struct {
		Version   int64      `json:"version"`
		AppliedAt *time.Time `json:"applied_at"`
		Applied   string     `json:"-"          label:"applied"`
		Name      string     `json:"name"       label:"migration"`
	}
	listed, pending := make([]migration, len(all)), []string(nil)
	for n, m := range all {
		when := "missing"
		if m.AppliedAt != nil {
			when = m.AppliedAt.UTC().Format(time.RFC3339)
		} else {
			pending = []string{"Run daftar migrate up."}
		}
		listed[n] = migration{m.Version, m.AppliedAt, when, m.Name}
	}
	return reportedUnless(pending == nil, p.Answer(struct {
		Migrations []migration `json:"migrations" label:""`
		UpToDate   bool        `json:"up_to_date"`
	}{listed, pending == nil}, pending...))
}
