package pgcluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// hba lets in anyone who knows a role's password, over TCP on this machine, backups
// too, which "all" does not cover. There is no unix socket: its path would be too
// long in a deep directory (107 bytes).
func hba(method string) string {
	return "host all all 127.0.0.1/32 " + method + "\nhost replication all 127.0.0.1/32 " + method + "\n"
}

// defaultSettings suit a small machine. What keeps acknowledged data over a crash
// is written out, so that reading the file answers the question.
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
	_, err := os.Stat(c.data())
	exists := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("find database: %w", err)
	}
	password, err := os.ReadFile(c.path("password"))
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && !exists:
		if password, err = c.createPassword(); err != nil {
			return err
		}
	default:
		return fmt.Errorf("read the database's password: %w", err)
	}
	c.password = strings.TrimSpace(string(password))
	if c.password == "" {
		return fmt.Errorf("read the database's password: %s is empty", c.path("password"))
	}
	if exists {
		return nil
	}
	return c.initdb(ctx)
}

// createPassword gives the file to the server's user, because initdb reads it as
// that user, who can read the data anyway.
func (c *Cluster) createPassword() ([]byte, error) {
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return nil, fmt.Errorf("draw password: %w", err)
	}
	password := []byte(hex.EncodeToString(random) + "\n")
	if err := replaceFile(c.path("password"), password, 0o600, c.chown); err != nil {
		return nil, fmt.Errorf("write the database's password: %w", err)
	}
	return password, nil
}

// initdb builds the data beside its place and renames it, so that a crash half
// way leaves nothing that looks like a database.
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
	settings["port"] = strconv.Itoa(c.port)
	maps.Copy(settings, c.config.Settings)
	var text strings.Builder
	text.WriteString("# Written at every start; changes here are lost.\n")
	// initdb has found out what this kernel offers (dynamic_shared_memory_type).
	fmt.Fprintf(&text, "include = '%s'\n", quoteSetting(filepath.Join(c.data(), "postgresql.conf")))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&text, "%s = '%s'\n", name, quoteSetting(settings[name]))
	}
	noOwner := func(string) error { return nil }
	if err := replaceFile(c.path("postgresql.conf"), []byte(text.String()), 0o644, noOwner); err != nil {
		return fmt.Errorf("write server configuration: %w", err)
	}
	if err := replaceFile(c.path("pg_hba.conf"), []byte(hba(c.config.Authentication)), 0o644, noOwner); err != nil {
		return fmt.Errorf("write server configuration: %w", err)
	}
	return nil
}

func quoteSetting(value string) string {
	return strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(value)
}

// replaceFile writes a whole file or none, whatever the umask, and lets own set
// its owner before it gets its name.
func replaceFile(path string, content []byte, mode os.FileMode, own func(path string) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // gone already when all went well
	_, err = file.Write(content)
	if err := errors.Join(err, file.Chmod(mode), file.Close()); err != nil {
		return err
	}
	if err := own(file.Name()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
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
	return c.asSuperuser(ctx, func(conn *pgx.Conn) error {
		var exists bool
		err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`, name).Scan(&exists)
		if err != nil || exists {
			return err
		}
		statement := "CREATE ROLE " + pgx.Identifier{name}.Sanitize() + " LOGIN PASSWORD '" + c.password + "'"
		if createRoles {
			statement += " CREATEROLE"
		}
		_, err = conn.Exec(ctx, statement)
		return err
	})
}

// EnsureDatabase makes a database that owner owns, unless there is one.
func (c *Cluster) EnsureDatabase(ctx context.Context, name, owner string) error {
	return c.asSuperuser(ctx, func(conn *pgx.Conn) error {
		var exists bool
		err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&exists)
		if err != nil || exists {
			return err
		}
		_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()+" OWNER "+pgx.Identifier{owner}.Sanitize())
		return err
	})
}

func (c *Cluster) asSuperuser(ctx context.Context, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres", superuser))
	if err != nil {
		return fmt.Errorf("connect as superuser: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := do(conn); err != nil {
		return fmt.Errorf("prepare cluster: %w", err)
	}
	return nil
}
