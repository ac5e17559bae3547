package pgcluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// defaultSettings suit a small machine. The settings that keep acknowledged data over
// a crash have their defaults, and are written so that the file shows them.
func defaultSettings() map[string]string {
	return map[string]string{
		"fsync":                   "on",
		"full_page_writes":        "on",
		"synchronous_commit":      "on",
		"shared_buffers":          "256MB",
		"max_wal_size":            "4GB",
		"checkpoint_timeout":      "15min",
		"max_connections":         "100",
		"jit":                     "off", // compiling costs more than any query here runs
		"timezone":                "UTC",
		"log_timezone":            "UTC",
		"log_line_prefix":         "%m [%p] %u@%d ",
		"logging_collector":       "off", // the log goes to stderr, that is to us
		"cluster_name":            "daftar",
		"listen_addresses":        "127.0.0.1",
		"unix_socket_directories": "",
		"password_encryption":     "scram-sha-256",
	}
}

// initialise reads the password, and creates it and the data where they are missing.
func (c *Cluster) initialise(ctx context.Context) error {
	_, missing := os.Stat(c.data())
	if missing != nil && !errors.Is(missing, fs.ErrNotExist) {
		return fmt.Errorf("find database: %w", missing)
	}
	password, err := os.ReadFile(c.path("password"))
	if missing != nil && errors.Is(err, fs.ErrNotExist) {
		password = []byte(rand.Text() + "\n")
		err = c.replaceFile("password", string(password), 0o600) // initdb reads it as the server's user
	}
	c.password = strings.TrimSpace(string(password))
	if err == nil && c.password == "" {
		err = fmt.Errorf("%s is empty", c.path("password"))
	}
	if err != nil {
		return fmt.Errorf("keep the database's password: %w", err)
	}
	if missing == nil {
		return nil
	}
	return c.initdb(ctx)
}

// initdb builds the data in another folder and renames that, so that a crash in between
// leaves nothing that looks like a database.
func (c *Cluster) initdb(ctx context.Context) error {
	fresh := c.path("data.new")
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("clear half-made database: %w", err)
	}
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return fmt.Errorf("create data directory: %w", err)
	}
	if err := c.chown(fresh); err != nil {
		return fmt.Errorf("give data directory to its user: %w", err)
	}
	cmd := c.identity.command(ctx, filepath.Join(c.bin, "initdb"),
		"--pgdata="+fresh, "--username="+superuser, "--pwfile="+c.path("password"), "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--data-checksums", "--no-sync", "--no-instructions")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("create database cluster: %w: %s", err, output)
	}
	if err := os.Rename(fresh, c.data()); err != nil {
		return fmt.Errorf("move data into place: %w", err)
	}
	return nil
}

// writeConfiguration keeps both files out of the data directory, which belongs
// to the server's user: root writes nothing where that user could plant a link.
func (c *Cluster) writeConfiguration() error {
	settings := defaultSettings()
	_, settings["port"], _ = strings.Cut(c.addr, ":")
	conninfo, err := c.primaryConninfo()
	if err != nil {
		return err
	}
	settings["primary_conninfo"] = conninfo
	maps.Copy(settings, c.config.Settings)
	var text strings.Builder
	text.WriteString("# Written at every start; changes here are lost.\n")
	// initdb has found out what this kernel offers (dynamic_shared_memory_type).
	fmt.Fprintf(&text, "include = '%s'\n", quoteSetting(filepath.Join(c.data(), "postgresql.conf")))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&text, "%s = '%s'\n", name, quoteSetting(settings[name]))
	}
	// A standby's has the password in it.
	if err := c.replaceFile("postgresql.conf", text.String(), 0o600); err != nil {
		return fmt.Errorf("write server configuration: %w", err)
	}
	// A role's password is enough, over TCP on this machine, also for replication, which
	// "all" does not cover. There is no unix socket: its path would be too long in a deep
	// directory (107 bytes).
	method := cmp.Or(c.config.Authentication, "scram-sha-256")
	hba := "host all all 127.0.0.1/32 " + method + "\nhost replication all 127.0.0.1/32 " + method + "\n"
	if err := c.replaceFile("pg_hba.conf", hba, 0o644); err != nil {
		return fmt.Errorf("write server configuration: %w", err)
	}
	return nil
}

func quoteSetting(value string) string {
	return strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(value)
}

// replaceFile writes a file for the server's user, whole or not at all, whatever the umask.
func (c *Cluster) replaceFile(name, content string, mode os.FileMode) error {
	file, err := os.CreateTemp(c.dir, ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // gone already when all went well
	_, err = file.WriteString(content)
	if err := errors.Join(err, file.Chmod(mode), file.Close(), c.chown(file.Name())); err != nil {
		return err
	}
	return os.Rename(file.Name(), c.path(name))
}

func (c *Cluster) chown(path string) error {
	if !c.identity.root {
		return nil
	}
	return os.Chown(path, int(c.identity.uid), int(c.identity.gid))
}

// EnsureRole makes a role that can log in with the cluster's password, unless
// there is one. With createRoles it may create roles, as the owner of a schema
// that brings its own roles must.
func (c *Cluster) EnsureRole(ctx context.Context, name string, createRoles bool) error {
	statement := "CREATE ROLE " + pgx.Identifier{name}.Sanitize() + " LOGIN PASSWORD '" + c.password + "'"
	if createRoles {
		statement += " CREATEROLE"
	}
	return c.ensure(ctx, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`, name, statement)
}

// EnsureDatabase makes a database that owner owns, unless there is one.
func (c *Cluster) EnsureDatabase(ctx context.Context, name, owner string) error {
	return c.ensure(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name,
		"CREATE DATABASE "+pgx.Identifier{name}.Sanitize()+" OWNER "+pgx.Identifier{owner}.Sanitize())
}

// ensure executes a statement where a query for a name finds nothing.
func (c *Cluster) ensure(ctx context.Context, existsSQL, name, statement string) error {
	err := c.asSuperuser(ctx, func(conn *pgx.Conn) error {
		var exists bool
		err := conn.QueryRow(ctx, existsSQL, name).Scan(&exists)
		if err == nil && !exists {
			_, err = conn.Exec(ctx, statement)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("prepare cluster: %w", err)
	}
	return nil
}
