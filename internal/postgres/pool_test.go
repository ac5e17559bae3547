package postgres_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestOpenAppliesOptions(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.EmptyDatabase(t).URL(), postgres.Options{
		ApplicationName:          "daftar test",
		MaxConns:                 2,
		StatementTimeout:         1500 * time.Millisecond,
		IdleInTransactionTimeout: 100 * time.Microsecond, // rounded up: 0 is no limit
		PingAfter:                time.Minute,
		RuntimeParams:            map[string]string{"lock_timeout": "7s"},
	})
	for setting, want := range map[string]string{
		"application_name":                    "daftar test",
		"statement_timeout":                   "1500ms",
		"idle_in_transaction_session_timeout": "1ms",
		"lock_timeout":                        "7s",
		"timezone":                            "UTC",
	} {
		var got string
		if err := pool.QueryRow(t.Context(), `SELECT current_setting($1)`, setting).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s = %q, want %q", setting, got, want)
		}
	}
	if got := pool.Config().MaxConns; got != 2 {
		t.Errorf("MaxConns = %d, want 2", got)
	}
	for idle, want := range map[time.Duration]bool{59 * time.Second: false, 61 * time.Second: true} {
		if got := pool.Config().ShouldPing(t.Context(), pgxpool.ShouldPingParams{IdleDuration: idle}); got != want {
			t.Errorf("a ping after %v: %v", idle, got)
		}
	}
}

func TestTimesComeBackInUTC(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	var at time.Time
	err := pool.QueryRow(t.Context(), `SELECT '2026-01-02 03:04:05.678901+02'::timestamptz`).Scan(&at)
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 1, 2, 1, 4, 5, 678901000, time.UTC); at != want {
		t.Errorf("got %v, want %v, zone included", at, want)
	}
}

func TestOpenTakesServiceRole(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	for name, c := range map[string]struct {
		url  string
		set  bool
		want string
	}{
		"owner serves with the least rights": {db.URL(), true, postgres.ServiceRole},
		"superuser too":                      {db.SuperuserURL(), true, postgres.ServiceRole},
		"service user":                       {db.ServiceURL(), true, postgres.ServiceRole},
		"only when asked":                    {db.URL(), false, pgtest.Owner},
	} {
		pool := pgtest.Open(t, c.url, postgres.Options{SetServiceRole: c.set, MaxConns: 1})
		// RESET must not give the rights back.
		if _, err := pool.Exec(t.Context(), `RESET ROLE`); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := pool.QueryRow(t.Context(), `SELECT current_user`).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s: runs as %s, want %s", name, got, c.want)
		}
	}
}

// Both checks use one server with unsafe settings and without the service role.
func TestForeignServer(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, map[string]string{"fsync": "off", "full_page_writes": "off"})
	isNotDurable(t, cluster)
	hasUsersWithoutServiceRole(t, cluster)
}

// A user that is no member keeps its own rights: Open must not fail.
func hasUsersWithoutServiceRole(t *testing.T, cluster *pgtest.Cluster) {
	t.Helper()
	if err := cluster.EnsureDatabase(t.Context(), "plain", pgtest.Owner); err != nil {
		t.Fatal(err)
	}
	open := func() string {
		t.Helper()
		var got string
		pool := pgtest.Open(t, cluster.URL("plain", pgtest.Service),
			postgres.Options{SetServiceRole: true, MaxConns: 1})
		if err := pool.QueryRow(t.Context(), `SELECT current_user`).Scan(&got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := open(); got != pgtest.Service {
		t.Errorf("where the role does not exist: runs as %s", got)
	}
	if err := cluster.EnsureRole(t.Context(), postgres.ServiceRole, false); err != nil {
		t.Fatal(err)
	}
	if got := open(); got != pgtest.Service {
		t.Errorf("as no member of the role: runs as %s", got)
	}
}

func TestErrorsHideThePassword(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	right := pgtest.EmptyDatabase(t).URL()
	at := strings.LastIndexByte(right, '@')
	wrong := "postgres://" + pgtest.Owner + ":" + secret + right[at:]
	for name, url := range map[string]string{
		"wrong password":        wrong,
		"nothing listens":       "postgres://daftar:" + secret + "@127.0.0.1:1/daftar",
		"slash in the password": "postgres://daftar:" + secret + "/x@127.0.0.1/daftar",
		"percent in it":         "postgres://daftar:" + secret + "%zz@127.0.0.1/daftar",
		"bad port":              "postgres://daftar:" + secret + "@127.0.0.1:port/daftar",
		"two at signs":          "postgres://daftar:@" + secret + "@127.0.0.1:x/daftar",
		"key=value":             "host=127.0.0.1 port=x password=" + secret,
		"quoted":                "host=127.0.0.1 password='" + secret,
		"not a URL":             secret,
	} {
		_, err := postgres.Open(t.Context(), url, postgres.Options{})
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), secret) {
				t.Errorf("%s: the password is in the error %q", name, e)
			}
		}
		if !errors.Is(err, postgres.ErrBadURL) && postgres.Classify(err) != postgres.Unavailable {
			t.Errorf("%s: %v is neither a bad URL nor an unreachable database", name, err)
		}
	}
}

func TestCheckDurability(t *testing.T) {
	t.Parallel()
	if err := postgres.CheckDurability(t.Context(), pgtest.Database(t).Pool(t)); err != nil {
		t.Errorf("the tests' own server: %v", err)
	}
}

func isNotDurable(t *testing.T, careless *pgtest.Cluster) {
	t.Helper()
	pool := pgtest.Open(t, careless.URL("postgres", "postgres"), postgres.Options{
		RuntimeParams: map[string]string{"synchronous_commit": "off"},
	})
	err := postgres.CheckDurability(t.Context(), pool)
	if !errors.Is(err, postgres.ErrNotDurable) {
		t.Fatalf("a server that loses data passes: %v", err)
	}
	for _, name := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		if !strings.Contains(err.Error(), name+" is off") {
			t.Errorf("%q does not name %s", err, name)
		}
	}
}
