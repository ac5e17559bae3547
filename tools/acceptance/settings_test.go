package acceptance_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// siblingURL is the address of another database or login of the same server.
func siblingURL(t *testing.T, address, database, user, options string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if database != "" {
		u.Path = "/" + database
	}
	if password, _ := u.User.Password(); user != "" {
		u.User = url.UserPassword(user, password)
	}
	if options != "" {
		u.RawQuery += "&" + options
	}
	return u.String()
}

// A database with an encoding other than UTF-8 is refused before anything is created in it, and the
// doctor reports it.
func TestDatabaseInAnotherEncoding(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	admin := pgtest.Open(t, db.SuperuserURL(), postgres.Options{})
	for n, encoding := range []string{"SQL_ASCII", "LATIN1", "EUC_JIS_2004", "UTF8"} {
		name := fmt.Sprintf("%s_encoding_%d", db.Name(), n)
		// The cluster's database administrator creates it, as docs/deploy.md says.
		_, err := admin.Exec(t.Context(),
			"CREATE DATABASE "+name+" ENCODING '"+encoding+"' LOCALE 'C' TEMPLATE template0 OWNER "+pgtest.Owner)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = admin.Exec(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)") })
		address := siblingURL(t, db.URL(), name, "", "")
		clients := []string{
			"", "client_encoding=LATIN1", "client_encoding=UTF8", "options=-c%20client_encoding%3DLATIN1",
		}
		if encoding != "UTF8" { // refused whatever encoding a client requests
			clients = clients[:2]
		}
		for _, options := range clients {
			env := []string{
				"DAFTAR_DATABASE_URL=" + siblingURL(t, address, "", "", options),
				"DAFTAR_SECRET_KEY=" + secretKey,
			}
			if encoding == "UTF8" {
				if r := call(t, env, "migrate", "up"); r.code != 0 {
					t.Errorf("UTF8 with %q: exit %d: %s", options, r.code, r.errors)
				}
				if r := call(t, env, "org", "create", "--name", "مقهى الميدان"); r.code != 0 {
					t.Errorf("an Arabic name with %q: exit %d: %s", options, r.code, r.errors)
				}
				if r := call(t, env, "projections", "rebuild", "intents"); r.code != 0 {
					t.Errorf("rebuild with %q: exit %d: %s", options, r.code, r.errors)
				}
				if f := examined(t, env, "database settings"); !f.OK || f.Warning {
					t.Errorf("UTF8 with %q: %+v", options, f)
				}
				continue
			}
			for _, command := range []string{"migrate up", "serve"} {
				r := call(t, env, strings.Fields(command)...)
				if r.code != 1 || !strings.Contains(r.errors, encoding) ||
					!strings.Contains(r.errors, "ENCODING 'UTF8' TEMPLATE template0") {
					t.Errorf("%s: %s: exit %d: %s", command, encoding, r.code, r.errors)
				}
			}
			if f := examined(t, env, "database settings"); f.OK || !strings.Contains(f.Detail, encoding) {
				t.Errorf("%s: %+v", encoding, f)
			}
		}
		var tables int
		err = pgtest.Open(t, address, postgres.Options{}).QueryRow(t.Context(),
			`SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace`).Scan(&tables)
		if err != nil {
			t.Fatal(err)
		}
		if (tables == 0) == (encoding == "UTF8") {
			t.Errorf("%s: %d tables and indexes were made", encoding, tables)
		}
	}
}

// The doctor and serve both find settings of a login or a database that break Daftar, and print the
// setting and the command that resets it.
func TestSettingsOfTheLogin(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	admin := pgtest.Open(t, db.SuperuserURL(), postgres.Options{})
	login := db.Name() + "_login"
	for _, sql := range []string{
		"CREATE SCHEMA audit", "CREATE ROLE " + login + " LOGIN IN ROLE daftar_service",
	} {
		if _, err := admin.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _, _ = admin.Exec(context.Background(), "DROP ROLE "+login) })
	var password string
	if u, err := url.Parse(db.URL()); err == nil {
		password, _ = u.User.Password()
	}
	_, err := admin.Exec(t.Context(), fmt.Sprintf("ALTER ROLE %s PASSWORD '%s'", login, password))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{
		"DAFTAR_DATABASE_URL=" + siblingURL(t, db.ServiceURL(), "", login, ""), "DAFTAR_SECRET_KEY=" + secretKey,
		"DAFTAR_LISTEN=" + address(t), "DAFTAR_OPS_LISTEN=" + address(t),
	}
	role, database, both := "ROLE "+login, "DATABASE "+db.Name(), "ROLE "+login+" IN DATABASE "+db.Name()
	for _, c := range []struct {
		of, setting, value string
	}{
		{role, "default_transaction_read_only", "on"}, {database, "default_transaction_read_only", "on"},
		{role, "synchronous_commit", "off"}, {both, "synchronous_commit", "off"},
		{role, "search_path", "audit, public"}, {database, "search_path", "nowhere"},
		{both, "search_path", "audit"},
		{role, "session_replication_role", "replica"}, {database, "zero_damaged_pages", "on"},
		{role, "ignore_checksum_failure", "on"},
	} {
		alter := "ALTER " + c.of
		if _, err := admin.Exec(t.Context(), alter+" SET "+c.setting+" = "+c.value); err != nil {
			t.Fatal(err)
		}
		cure := strings.NewReplacer(login, `"`+login+`"`, db.Name()+" ",
			`"`+db.Name()+`" `).Replace(alter + " RESET " + c.setting)
		f := examined(t, env, "database settings")
		r := call(t, env, "serve")
		for who, says := range map[string]string{"the doctor": f.Detail, "serve": r.errors} {
			if !strings.Contains(says, c.setting+" is ") || !strings.Contains(strings.ReplaceAll(says, `"`, ""),
				strings.ReplaceAll(cure, `"`, "")) || strings.Contains(says, "migrate up") {
				t.Errorf("%s = %s: %s says %s", c.setting, c.value, who, says)
			}
		}
		if f.OK || r.code != 1 {
			t.Errorf("%s = %s: exit %d, %+v", c.setting, c.value, r.code, f)
		}
		if c.setting == "search_path" && c.value != "audit, public" {
			r := call(t, env, "org", "list")
			if r.code != 1 || !strings.Contains(r.errors, "search_path") || strings.Contains(r.errors, "migrate up") {
				t.Errorf("search_path = %s: a command says %s", c.value, r.errors)
			}
		}
		if _, err := admin.Exec(t.Context(), alter+" RESET "+c.setting); err != nil {
			t.Fatal(err)
		}
	}
	if f := examined(t, env, "database settings"); !f.OK || f.Warning {
		t.Errorf("with nothing set: %+v", f)
	}
}

// Both warn of a setting that only weakens Daftar; a harmless limit is no warning.
func TestLimitsOfTheLogin(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	admin := pgtest.Open(t, db.SuperuserURL(), postgres.Options{})
	limits := map[string]string{
		"statement_timeout": "30s", "lock_timeout": "100ms", "idle_in_transaction_session_timeout": "5s",
		"idle_session_timeout": "1min",
	}
	set := func(to func(short string) string) {
		for name, short := range limits {
			_, err := admin.Exec(t.Context(), "ALTER DATABASE "+db.Name()+" SET "+name+" = '"+to(short)+"'")
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	set(func(string) string { return "1d" })
	if f := examined(t, env, "database settings"); !f.OK || f.Warning {
		t.Errorf("with limits of a day: %+v", f)
	}
	set(func(short string) string { return short })
	f := examined(t, env, "database settings")
	s := serve(t, db.ServiceURL())
	s.Stop(t, syscall.SIGTERM)
	for name := range limits {
		if !f.OK || !f.Warning || !strings.Contains(f.Detail, name+" is ") ||
			!strings.Contains(s.Logged(), name+" is ") {
			t.Errorf("%s: the doctor says %+v, serve\n%s", name, f, s.Logged())
		}
	}
}
