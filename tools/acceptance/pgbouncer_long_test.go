//go:build long

package acceptance_test

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// bouncer is PgBouncer with the configuration of deploy/pgbouncer.
type bouncer struct {
	process
	address string
	command func() *exec.Cmd
}

// bounce starts PgBouncer in front of a database, for its owner and for servers, in a pooling mode.
func bounce(t *testing.T, db *pgtest.DB, mode string) *bouncer {
	t.Helper()
	program := programOf(t, "pgbouncer")
	dir, err := os.MkdirTemp("", "daftar-pgbouncer-") //nolint:usetesting // the server's own user must get to it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	b := &bouncer{address: address(t)}
	var users strings.Builder
	name, port := "", ""
	for _, direct := range []string{db.URL(), db.ServiceURL()} {
		parsed, err := url.Parse(direct)
		if err != nil {
			t.Fatal(err)
		}
		password, _ := parsed.User.Password()
		fmt.Fprintf(&users, "%q %q\n", parsed.User.Username(), password)
		name, port = strings.TrimPrefix(parsed.Path, "/"), parsed.Port()
	}
	text := substituted(t, "../../deploy/pgbouncer/pgbouncer.ini",
		"daftar = host=127.0.0.1 port=5432 dbname=daftar",
		fmt.Sprintf("%s = host=127.0.0.1 port=%s dbname=%[1]s", name, port),
		"listen_port = 6432", "listen_port = "+portOf(b.address),
		"/etc/pgbouncer", dir, "/var/run/postgresql", dir, "/var/log/postgresql", dir,
		"auth_type = scram-sha-256", "auth_type = md5", // as on the tests' server: SCRAM takes long
		"pool_mode = session", "pool_mode = "+mode,
	)
	for _, file := range []string{
		dir, write(t, dir, "userlist.txt", users.String()), write(t, dir, "pgbouncer.ini", text),
	} {
		if err := pgcluster.Give(file); err != nil {
			t.Fatal(err)
		}
	}
	b.command = func() *exec.Cmd {
		c, err := pgcluster.Command(t.Context(), program, filepath.Join(dir, "pgbouncer.ini"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	b.start(t)
	return b
}

func (b *bouncer) start(t *testing.T) {
	t.Helper()
	b.process = process{programtest.Start(t, b.command())}
	pgtest.WaitFor(t, "PgBouncer to listen", func() bool {
		conn, err := net.Dial("tcp", b.address)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// through changes a URL of the database server so that it leads through PgBouncer.
func (b *bouncer) through(url string) string {
	at, path := strings.LastIndex(url, "@"), strings.LastIndex(url, "/")
	return url[:at+1] + b.address + url[path:]
}

// programOf is Debian's path of a program, which may be outside of PATH.
func programOf(t *testing.T, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	path := "/usr/sbin/" + name
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; make deps-torture installs it", err)
	}
	return path
}

// substituted is a file of deploy with texts replaced: pairs of old and new.
func substituted(t *testing.T, path string, pairs ...string) string {
	t.Helper()
	text := read(t, path)
	for n := 0; n+1 < len(pairs); n += 2 {
		if !strings.Contains(text, pairs[n]) {
			t.Fatalf("%s lacks %q", path, pairs[n])
		}
		text = strings.ReplaceAll(text, pairs[n], pairs[n+1])
	}
	return text
}

// With session pooling everything works through PgBouncer, and a session has the same settings as
// without it.
func TestLongPgBouncerWithSessions(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	b := bounce(t, db, "session")
	owner, server := b.through(db.URL()), b.through(db.ServiceURL())
	asOwner := []string{"DAFTAR_DATABASE_URL=" + owner, "DAFTAR_SECRET_KEY=" + secretKey}
	answer[map[string]any](t, asOwner, "migrate", "up")
	administrator := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	hasSettings(t, server)

	servers := []*service{serve(t, server), serve(t, server)}
	who := newShop(t, servers[0].env)
	created := createTogether(t, servers, who, 50)
	for _, s := range servers {
		if strings.Contains(s.Logged(), "with all the rights") {
			t.Errorf("a server says\n%s", s.Logged())
		}
	}
	hasConnections(t, administrator, servers[0])

	for _, command := range []string{
		"migrate status", "migrate grants", "projections rebuild intents", "projections verify intents",
		"audit verify",
	} {
		if r := call(t, asOwner, strings.Fields(command)...); r.code != 0 {
			t.Errorf("daftar %s: exit %d: %s%s", command, r.code, r.out, r.errors)
		}
	}
	if r := call(t, servers[0].env, "doctor"); r.code != 0 {
		t.Errorf("doctor: exit %d: %s%s", r.code, r.out, r.errors)
	}

	_ = b.Process.Kill() // it runs
	<-b.Done()
	b.start(t)
	pgtest.WaitFor(t, "the servers to work again", func() bool {
		one, err := servers[0].tryCreate(t, who, "again")
		two, err2 := servers[1].tryCreate(t, who, "again")
		return err == nil && err2 == nil && one/100 == 2 && two/100 == 2
	})
	got := servers[1].ask(t, who, http.MethodGet, "/payment-intents/"+created[0], "")
	if got.status != http.StatusOK {
		t.Errorf("retrieve afterwards: %d %s", got.status, got.body)
	}
}

// hasSettings opens a pool as servers do, and checks its settings.
func hasSettings(t *testing.T, url string) {
	t.Helper()
	pool := pgtest.Open(t, url, postgres.Options{
		ApplicationName: "through", StatementTimeout: 8 * time.Second, SetServiceRole: true, MaxConns: 2,
		RuntimeParams: map[string]string{"plan_cache_mode": "force_generic_plan",
			"default_transaction_isolation": "read committed"},
	})
	for setting, want := range map[string]string{
		"application_name": "through", "statement_timeout": "8s", "role": postgres.ServiceRole,
		"plan_cache_mode": "force_generic_plan", "TimeZone": "UTC",
	} {
		got, err := postgres.Find(t.Context(), pool, "read a setting", nil, pgx.RowTo[string],
			`SELECT current_setting($1)`, setting)
		if err != nil || got != want {
			t.Errorf("%s is %q, want %q (%v)", setting, got, want, err)
		}
	}
}

// createTogether makes servers create at the same time, so that they wait for each other.
func createTogether(t *testing.T, servers []*service, who shop, n int) []string {
	t.Helper()
	created := make([]string, n)
	var all sync.WaitGroup
	for k := range n {
		all.Go(func() {
			r := servers[k%len(servers)].ask(t, who, http.MethodPost, "/payment-intents",
				order(fmt.Sprintf("together-%d", k)))
			if r.status != http.StatusCreated {
				t.Errorf("create: %d %s", r.status, r.body)
			}
			created[k] = r.data.UUID
		})
	}
	all.Wait()
	return created
}

// hasConnections compares the guide's number of connections with those that a server may open: its
// pools, and the connections that listen.
func hasConnections(t *testing.T, administrator postgres.Querier, s *service) {
	t.Helper()
	most := 0
	for line := range strings.Lines(fetch(t, s.ops+"/metrics")) {
		var n float64
		if strings.HasPrefix(line, "daftar_pool_connections{") && strings.Contains(line, `state="max"`) {
			if _, err := fmt.Sscan(line[strings.LastIndex(line, " "):], &n); err != nil {
				t.Fatal(err)
			}
			most += int(n)
		}
	}
	const channels = 2 // each server listens to this many, on one connection each
	pgtest.WaitFor(t, "both servers to listen", func() bool {
		listening, err := postgres.Find(t.Context(), administrator, "count listeners", nil, pgx.RowTo[int], `
			SELECT count(*)
			FROM pg_stat_activity
			WHERE datname = current_database()
			AND query LIKE 'LISTEN %'`)
		return err == nil && listening == 2*channels
	})
	most += channels
	guide := read(t, "../../docs/deploy.md")
	for _, text := range []string{
		fmt.Sprintf("opens at most %d connections", most), fmt.Sprintf("%d with `DAFTAR_NATS_URL`", most+1),
	} {
		if !strings.Contains(guide, text) {
			t.Errorf("docs/deploy.md does not say %q", text)
		}
	}
}

// With shared sessions nothing starts, and every command reports why, also while other clients use
// the pool.
func TestLongPgBouncerWithTransactions(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	for _, mode := range []string{"transaction", "statement"} {
		b := bounce(t, db, mode)
		var busy sync.WaitGroup
		quit := make(chan struct{})
		for range 4 {
			config, err := pgx.ParseConfig(b.through(db.ServiceURL()))
			if err != nil {
				t.Fatal(err)
			}
			config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
			conn, err := pgx.ConnectConfig(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			busy.Go(func() {
				defer func() { _ = conn.Close(t.Context()) }()
				for {
					select {
					case <-quit:
						return
					default:
					}
					if _, err := conn.Exec(t.Context(), `SELECT pg_sleep(0.001)`); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for login, url := range map[string]string{"owner": db.URL(), "server": db.ServiceURL()} {
			env := []string{
				"DAFTAR_DATABASE_URL=" + b.through(url), "DAFTAR_SECRET_KEY=" + secretKey,
				"DAFTAR_LISTEN=" + address(t), "DAFTAR_OPS_LISTEN=" + address(t),
			}
			for _, command := range []string{
				"serve", "doctor", "migrate up", "migrate status", "migrate grants", "projections rebuild intents",
				"org list", "audit verify", "attempts list",
			} {
				r := call(t, env, strings.Fields(command)...)
				if r.code != 2 || !strings.Contains(r.errors, "pool_mode = transaction") {
					t.Errorf("%s, %s as %s: exit %d: %s%s", mode, command, login, r.code, r.out, r.errors)
				}
			}
		}
		close(quit)
		busy.Wait()
	}
	r := call(t, []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}, "doctor")
	if r.code != 0 {
		t.Errorf("without PgBouncer: exit %d: %s", r.code, r.errors)
	}
}
