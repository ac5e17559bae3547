package commands

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/internal/postgres"
	"daftar/migrations"
)

func (p *program) migrate() *cobra.Command {
	return cli.Group("migrate", "Bring the database's schema up to date, or say where it stands",
		cli.Command("up", "Apply the migrations that are missing",
			p.configured(p.migrateUp, "DAFTAR_DATABASE_URL")),
		p.migrateGrants(),
		cli.Command("status", "List the migrations and when they were applied",
			p.configured(p.migrateStatus, "DAFTAR_DATABASE_URL")))
}

func (p *program) migrateUp(ctx context.Context, s session) error {
	applied, err := migrations.Up(ctx, s.DatabaseURL)
	if err != nil {
		return err
	}
	rights, err := migrations.Grant(ctx, s.DatabaseURL)
	if err != nil {
		return err
	}
	text := "The schema is up to date."
	if len(applied) > 0 {
		text = "Applied " + strings.Join(applied, ", ") + "."
	}
	p.reportRights(rights)
	return p.Answer(map[string]any{"applied": append([]string{}, applied...), "rights": rights}, text)
}

func (p *program) migrateGrants() *cobra.Command {
	var sql bool
	c := cli.Command("grants [--sql]",
		"Make the roles of servers and auditors, and give them the rights that they lack",
		p.configured(func(ctx context.Context, s session) error {
			if sql {
				text, err := migrations.GrantsSQL(ctx, s.DatabaseURL)
				if err != nil {
					return err
				}
				return p.Answer(map[string]string{"sql": text}, strings.Split(strings.TrimSpace(text), "\n")...)
			}
			rights, err := migrations.Grant(ctx, s.DatabaseURL)
			if err != nil {
				return err
			}
			p.reportRights(rights)
			text := "Some rights are still missing."
			if rights.Complete() {
				text = postgres.ServiceRole + " and " + postgres.AuditorRole + " have all that they need."
			}
			answer := map[string]any{"complete": rights.Complete(), "rights": rights}
			return cli.ReportedUnless(rights.Complete(), p.Answer(answer, text))
		}, "DAFTAR_DATABASE_URL"))
	c.Long = `Make the roles of servers and auditors, and give them the rights that they lack.

daftar_service is what servers work as, daftar_auditor what auditors read as; neither can
log in. "migrate up" does the same. Where the login may not create roles, as the owner of a
database at many hosts may not, a database administrator runs what --sql prints, all of it
or only the first lines, which make the roles. After that, and after every right that
was lost, this command gives the roles what they lack. Run again it changes nothing.

Then give the roles to login roles: GRANT daftar_service TO NAME.`
	c.Flags().BoolVar(&sql, "sql", false,
		"only print what a database administrator has to run, in this database")
	return c
}

// reportRights prints which rights could not be granted to the roles, and who can grant them.
func (p *program) reportRights(r migrations.Rights) {
	if r.Complete() {
		return
	}
	p.Notef("RIGHTS ARE MISSING: %s.", r)
	p.Notef("This login may not change that. " +
		"A database administrator runs what daftar migrate grants --sql prints, in this database.")
	if len(r.Roles) > 0 {
		p.Notef("Until then servers work with all the rights of their login, " +
			"and nothing but triggers keeps them from rewriting the log.")
	}
}

func (p *program) migrateStatus(ctx context.Context, s session) error {
	all, err := migrations.Status(ctx, s.DatabaseURL)
	if err != nil {
		return err
	}
	var sentences []string
	pending := slices.ContainsFunc(all, func(m migrations.Migration) bool { return m.AppliedAt == nil })
	if pending {
		sentences = []string{"Run daftar migrate up."}
	}
	return cli.ReportedUnless(!pending, p.Answer(struct {
		Migrations []migrations.Migration `json:"migrations" label:""`
		UpToDate   bool                   `json:"up_to_date"`
	}{all, !pending}, sentences...))
}
