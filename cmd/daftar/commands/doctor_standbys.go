package commands

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/internal/output"
	"daftar/internal/postgres"
)

const synchronousSQL = `SELECT current_setting('synchronous_standby_names')`

// standbys reports whether what is acknowledged outlives the machine of the primary.
func (e examination) standbys(ctx context.Context) (string, error) {
	names, err := postgres.Find(ctx, e.pool, "read the standbys' names", nil, pgx.RowTo[string], synchronousSQL)
	if err != nil {
		return "", err
	}
	hosts, err := postgres.Hosts(e.DatabaseURL)
	switch {
	case err != nil:
		return "", err
	case names == "" && hosts > 1:
		return "", warning("DAFTAR_DATABASE_URL names several hosts and synchronous_standby_names is empty: " +
			"a promotion loses what was acknowledged last")
	case names == "":
		return "none: what is acknowledged is on one machine, and its backups", nil
	case hosts == 1:
		return "", warning(fmt.Sprintf("commits wait for %s, and DAFTAR_DATABASE_URL names one host: "+
			"servers find no other after a promotion, unless the address moves", names))
	}
	return fmt.Sprintf("commits wait for %s; %d hosts to choose from", names, hosts), nil
}

// lateReads checks the standby from which lists and exports come.
func (e examination) lateReads(ctx context.Context) (string, error) {
	if e.ReadURL == "" {
		return "everything is read from the primary (DAFTAR_DATABASE_READ_URL)", nil
	}
	o := forCommands
	o.MayBeLate = true
	var err error
	if e.pool, err = postgres.Open(ctx, e.ReadURL, o); err != nil {
		return "", err
	}
	defer e.pool.Close()
	behind, err := behindPrimary(ctx, e.session, answerLimit)
	switch {
	case errors.Is(err, postgres.ErrNoStandby):
		return "", warning("DAFTAR_DATABASE_READ_URL leads to a primary: servers do not use it")
	case err != nil:
		return "", err
	case behind == 0:
		return "from a standby that is not behind", nil
	}
	return fmt.Sprintf("from a standby that was %s bytes of the log behind, and has caught up",
		output.Count(behind)), nil
}
