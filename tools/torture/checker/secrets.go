package checker

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

const tablesSQL = `
SELECT format('%I.%I', n.nspname, c.relname)
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND n.nspname NOT LIKE 'pg_toast%'
ORDER BY 1`

// secrets is I14: no secret that was issued in the run, or that the servers were configured
// with, is in a log or in any column of any table, in any form. Hashes and encrypted texts
// do not count.
func (c *checker) secrets(ctx context.Context, f *finding) error {
	all := map[string]string{}
	for _, a := range c.run.Applications {
		all["the API key of "+a.UUID.String()] = a.APIKey
		all["the access token of "+a.UUID.String()] = a.AccessToken
		all["the webhook secret of "+a.UUID.String()] = a.WebhookSecret
	}
	for n, secret := range c.o.Secrets {
		all[fmt.Sprintf("secret %d of the servers", n+1)] = secret
	}
	n, err := newNeedles(all)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return nil // the verdict reports that nothing was looked at
	}
	var bytes int64
	for _, path := range c.run.Logs {
		found, size, err := n.searchFile(path)
		if err != nil {
			return err
		}
		bytes += size
		for _, name := range found {
			f.wrongf("%s is in %s", name, filepath.Base(path))
		}
	}
	inDatabase, err := c.searchDatabase(ctx, n, f)
	if err != nil {
		return err
	}
	f.looked = bytes + inDatabase
	f.notef("%d secrets; %d bytes of %d logs and %d of the database",
		len(all), bytes, len(c.run.Logs), inDatabase)
	return nil
}

func (n *needles) searchFile(path string) (found []string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("search log: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	found, size, err = n.search(file)
	if err != nil {
		return nil, size, fmt.Errorf("search log %s: %w", path, err)
	}
	return found, size, nil
}

func (c *checker) searchDatabase(ctx context.Context, n *needles, f *finding) (int64, error) {
	rows, err := c.pool.Query(ctx, tablesSQL)
	if err != nil {
		return 0, fmt.Errorf("list tables: %w", err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return 0, fmt.Errorf("list tables: %w", err)
	}
	var bytes int64
	for _, table := range tables {
		found, size, err := c.searchTable(ctx, n, table)
		if err != nil {
			return bytes, err
		}
		bytes += size
		for _, name := range found {
			f.wrongf("%s is in the table %s", name, table)
		}
	}
	return bytes, nil
}

// searchTable searches the text of a table while PostgreSQL writes it.
func (c *checker) searchTable(
	ctx context.Context, n *needles, table string,
) (found []string, size int64, err error) {
	conn, err := c.pool.Acquire(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("search %s: %w", table, err)
	}
	defer conn.Release()
	reader, writer := io.Pipe()
	copied := make(chan error, 1)
	go func() {
		_, err := conn.Conn().PgConn().CopyTo(ctx, writer, "COPY "+table+" TO STDOUT")
		_ = writer.CloseWithError(err) // nil: the reader gets io.EOF
		copied <- err
	}()
	found, size, err = n.search(reader)
	_ = reader.Close()
	if copying := <-copied; err == nil {
		err = copying
	}
	if err != nil {
		return nil, size, fmt.Errorf("search %s: %w", table, err)
	}
	return found, size, nil
}
