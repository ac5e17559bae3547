package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"daftar/internal/postgres"
	"daftar/migrations"
)

func (e examination) login(ctx context.Context) (string, error) {
	found, err := postgres.LoginWarning(ctx, e.pool)
	if found != "" {
		return "", warning(found)
	}
	return "no superuser, and not the owner of the tables", err
}

// databaseSettings makes the check that serve makes at its start.
func (e examination) databaseSettings(ctx context.Context) (string, error) {
	warnings, err := postgres.CheckSettings(ctx, e.DatabaseURL)
	if err != nil {
		return "", err
	}
	if len(warnings) > 0 {
		return "", warning(strings.Join(warnings, "; "))
	}
	return "UTF8, and nothing set for the login or the database that is in the way", nil
}

// rights names each right that a role lacks. Without the roles everything works, but servers have
// more rights than they need.
func (e examination) rights(ctx context.Context) (string, error) {
	found, err := migrations.MissingRights(ctx, e.pool)
	if err != nil {
		return "", err
	}
	says := found.String() + "; daftar migrate grants mends it, or says who may"
	if len(found.Missing) > 0 {
		return "", errors.New(says)
	}
	if len(found.Roles) > 0 {
		return "", warning(says)
	}
	role, err := postgres.RoleWarning(ctx, e.pool)
	if role != "" {
		return "", warning(role)
	}
	return postgres.ServiceRole + " and " + postgres.AuditorRole + " have all that they need", err
}

func (e examination) schema(ctx context.Context) (string, error) {
	err := migrations.Check(ctx, e.pool)
	if errors.Is(err, migrations.ErrOutOfDate) {
		err = fmt.Errorf("%w; run daftar migrate up", err)
	}
	return "up to date", err
}

func (e examination) durability(ctx context.Context) (string, error) {
	return "fsync, full_page_writes and synchronous_commit are on", postgres.CheckDurability(ctx, e.pool)
}
