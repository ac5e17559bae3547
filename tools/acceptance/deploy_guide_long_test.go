//go:build long

package acceptance_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

const deployPage = "../../docs/deploy.md"

// guideMachine is the machine on which the guide is followed: its files are in a folder, its
// PostgreSQL is the test's, and the services that systemctl starts are processes of the test.
type guideMachine struct {
	t       *testing.T
	root    string // of /etc
	cluster *pgtest.Cluster
	front   *proxy
	listen  string // of Daftar; ops is the operators' address
	ops     string
	daftar  *service
	proxies int // the number of proxies started
}

// systemctl does what the guide asks systemd to do.
func (m *guideMachine) systemctl(w http.ResponseWriter, r *http.Request) {
	m.t.Logf("systemctl %s", r.URL.Query().Get("do"))
	switch do := r.URL.Query().Get("do"); do {
	case "enable --now daftar", "restart daftar":
		if m.daftar != nil {
			m.daftar.Stop(m.t, syscall.SIGTERM)
		}
		m.startUnit()
	case "enable --now daftar-sandbox":
		m.startSandbox()
	case "reload caddy":
		if m.proxies > 0 {
			m.front.Stop(m.t, syscall.SIGTERM)
		}
		startCaddyWith(m.t, m.front, filepath.Join(m.root, "etc", "caddy", "Caddyfile"), portOf(m.ops), m.listen)
		m.proxies++
	case "reload nginx":
		m.front.Stop(m.t, syscall.SIGTERM) // Caddy
		startNginxWith(m.t, m.front, filepath.Join(m.root, "etc", "nginx", "sites-enabled", "daftar"), m.listen)
		m.proxies++
	default:
		http.Error(w, "systemctl "+do+" is none of the guide's", http.StatusNotFound)
	}
}

// startUnit starts the service with the environment of the unit only, and handles its credentials
// as systemd does: a missing file keeps the unit from starting.
func (m *guideMachine) startUnit() {
	unit := read(m.t, "../../deploy/daftar.service")
	credentials := m.t.TempDir()
	credential := regexp.MustCompile(`(?m)^LoadCredential=(\S+?):(\S+)$`)
	for _, line := range credential.FindAllStringSubmatch(unit, -1) {
		write(m.t, credentials, line[1], read(m.t, m.root+line[2]))
	}
	env := m.environment(unit)
	folders := strings.NewReplacer("%d", credentials, "/var/lib/daftar/checkpoints", m.t.TempDir())
	for _, line := range regexp.MustCompile(`(?m)^Environment=(.*)$`).FindAllStringSubmatch(unit, -1) {
		env = append(env, strings.Fields(folders.Replace(line[1]))...)
	}
	m.daftar = serveWith(m.t, programtest.Daftar(m.t), m.listen, m.ops, env)
}

// environment returns the variables of a unit's files; those with a hyphen may be missing.
func (m *guideMachine) environment(unit string) (env []string) {
	files := regexp.MustCompile(`(?m)^EnvironmentFile=(-?)(\S+)$`).FindAllStringSubmatch(unit, -1)
	if len(files) == 0 {
		m.t.Fatal("the unit reads no file")
	}
	for _, file := range files {
		_, err := os.Stat(m.root + file[2])
		if file[1] == "" || err == nil {
			env = append(env, strings.Fields(read(m.t, m.root+file[2]))...)
		}
	}
	return env
}

// startSandbox does for the sandbox what startUnit does for the service.
func (m *guideMachine) startSandbox() {
	m.front.sandbox = address(m.t)
	env := m.environment(read(m.t, "../../deploy/daftar-sandbox.service"))
	start(m.t, m.t.TempDir(), append(env, "DAFTAR_SANDBOX_LISTEN="+m.front.sandbox),
		"sandbox-acquirer", "--journal", filepath.Join(m.t.TempDir(), "journal"))
	pgtest.WaitFor(m.t, "the sandbox", func() bool {
		response, err := http.Get("http://" + m.front.sandbox + "/bank.css")
		return err == nil && response.Body.Close() == nil
	})
}

// programs returns the folder of the programs that replace those that would change the machine or
// use the network.
func (m *guideMachine) programs(control string) (dir string) {
	dir = m.t.TempDir()
	superuser, err := url.Parse(m.cluster.URL("postgres", "postgres"))
	if err != nil {
		m.t.Fatal(err)
	}
	password, _ := superuser.User.Password()
	for name, text := range map[string]string{
		"systemctl": fmt.Sprintf("exec /usr/bin/curl --fail --silent --show-error --get"+
			" --data-urlencode \"do=$*\" %s", control),
		"sudo": fmt.Sprintf("[ \"$1 $2\" = '-u postgres' ] && shift 2 &&"+
			" exec env PGHOST=127.0.0.1 PGPORT=%s PGUSER=postgres PGPASSWORD=%s \"$@\"",
			portOf(m.cluster.Addr()), password),
		"curl": fmt.Sprintf("exec /usr/bin/curl --cacert %s"+
			" --connect-to %s:443:%s --connect-to %s:443:%[3]s \"$@\"",
			m.front.file("fullchain.pem"), payExample, m.front.secure, sandboxExample),
		"apt-get": fmt.Sprintf("echo \"$@\" >> %s/installed", m.root),
		"nginx":   fmt.Sprintf("[ \"$*\" = -t ] && test -s %s/etc/nginx/sites-enabled/daftar", m.root),
		"daftar":  fmt.Sprintf("exec %s \"$@\"", programtest.Daftar(m.t)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			m.t.Fatal(err)
		}
	}
	return dir
}

func newGuideMachine(t *testing.T) *guideMachine {
	t.Helper()
	m := &guideMachine{
		t: t, root: t.TempDir(), cluster: pgtest.NewCluster(t, nil), front: newProxy(t),
		listen: address(t), ops: address(t),
	}
	// The guide creates the owner itself.
	administrator := pgtest.Open(t, m.cluster.URL("postgres", "postgres"), postgres.Options{MaxConns: 1})
	if _, err := administrator.Exec(t.Context(), `DROP ROLE `+pgtest.Owner); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{
		"etc/daftar", "etc/caddy", "etc/nginx/sites-available", "etc/nginx/sites-enabled",
	} {
		if err := os.MkdirAll(filepath.Join(m.root, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// The guide's commands, run in order in one terminal, lead to a service with Caddy in front, to one
// with nginx in front, through an upgrade, and to a sandbox behind Caddy.
func TestLongDeployGuide(t *testing.T) {
	t.Parallel()
	m := newGuideMachine(t)
	control := httptest.NewServer(http.HandlerFunc(m.systemctl))
	t.Cleanup(control.Close)
	typed := strings.NewReplacer(
		"/etc/", m.root+"/etc/", "127.0.0.1:5432", m.cluster.Addr(), "127.0.0.1:9090", m.ops,
	).Replace(strings.Join(blocks(t, deployPage, "sh"), "\n"))
	c := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", typed)
	c.Dir = "../.."
	c.Env = append(os.Environ(), "PATH="+m.programs(control.URL)+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("typed as printed: %v\n%s", err, out)
	}
	if m.proxies != 3 || strings.Count(string(out), "Maydan Coffee") < 2 ||
		strings.Contains(string(out), "BAD") {
		t.Errorf("%d proxies; it says\n%s", m.proxies, out)
	}
	if strings.Contains(m.daftar.Logged(), "more rights") || strings.Contains(m.daftar.Logged(),
		"with all the rights") || strings.Contains(m.daftar.Logged(), "owns the tables") {
		t.Errorf("the server says\n%s", m.daftar.Logged())
	}
	for _, name := range []string{"secret-key", "owner-url", "daftar.env", "sandbox.env"} {
		info, err := os.Stat(filepath.Join(m.root, "etc", "daftar", name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	script := read(t, "../../scripts/install-packages")
	for _, name := range []string{"postgresql", "caddy"} {
		if !strings.Contains(read(t, filepath.Join(m.root, "installed")), name) || !strings.Contains(script, name) {
			t.Errorf("the guide or the tests do not install %s", name)
		}
	}
}

// The guide's snippets for several servers are those of the files in deploy, with other addresses.
func TestLongDeployGuideForSeveralServers(t *testing.T) {
	t.Parallel()
	servers := regexp.MustCompile(`10\.0\.0\.11:8080 10\.0\.0\.12:8080|10\.0\.0\.1[12]:8080`)
	for language, path := range map[string]string{
		"nginx": "../../deploy/nginx/daftar.conf",
		"caddy": "../../deploy/caddy/Caddyfile",
	} {
		piece := strings.Join(blocks(t, deployPage, language), "")
		for line := range strings.Lines(servers.ReplaceAllString(piece, "127.0.0.1:8080")) {
			if !strings.Contains(read(t, path), line) {
				t.Errorf("%s has no line %q", path, line)
			}
		}
		if piece == "" {
			t.Errorf("the guide has nothing for %s", language)
		}
	}
	source := read(t, "../../cmd/daftar/config/config.go")
	for _, variable := range regexp.MustCompile(`\bDAFTAR_[A-Z_]+`).FindAllString(read(t, deployPage), -1) {
		if !strings.Contains(source, `"`+strings.TrimSuffix(variable, "_FILE")+`"`) {
			t.Errorf("the guide names %s, which no program reads", variable)
		}
	}
	for _, m := range linkForm.FindAllStringSubmatch(read(t, deployPage), -1) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(deployPage), m[1])); err != nil {
			t.Errorf("the guide links to %s: %v", m[1], err)
		}
	}
}

// Servers work on a managed PostgreSQL as on one's own: over TLS with a verified name, with the
// number of connections that the guide gives, and with logins that have no further rights.
func TestLongManagedPostgreSQL(t *testing.T) {
	t.Parallel()
	certificate := newProxy(t) // nothing listens; the certificate covers this machine's address, too
	cluster := pgtest.NewCluster(t, nil)
	_, direct := cluster.Database(t, "daftar")
	settings := map[string]string{"ssl": "on"}
	for setting, name := range map[string]string{
		"ssl_cert_file": "fullchain.pem", "ssl_key_file": "privkey.pem",
	} {
		settings[setting] = write(t, cluster.Dir(), name, read(t, certificate.file(name)))
		if err := pgcluster.Give(settings[setting]); err != nil {
			t.Fatal(err)
		}
	}
	if err := cluster.Set(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	administrator := pgtest.Open(t, cluster.URL("daftar", "postgres"), postgres.Options{MaxConns: 1})
	_, err := administrator.Exec(t.Context(), `ALTER ROLE `+pgtest.Service+` CONNECTION LIMIT 66`)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.Replace(direct, "sslmode=disable",
		"sslmode=verify-full&sslrootcert="+certificate.file("fullchain.pem"), 1)
	env := []string{"DAFTAR_DATABASE_URL=" + url, "DAFTAR_SECRET_KEY=" + secretKey}
	other := strings.Replace(env[0], "@127.0.0.1:", "@localhost:", 1)
	r := call(t, []string{other, env[1]}, "doctor")
	if r.code != 3 || !strings.Contains(r.errors, "certificate") {
		t.Errorf("a certificate for another name: exit %d: %s", r.code, r.errors)
	}
	a, b := serve(t, url), serve(t, url)
	createTogether(t, []*service{a, b}, newShop(t, env), 50)
	var plain, super int
	err = administrator.QueryRow(t.Context(), `
		SELECT count(*) FILTER (WHERE NOT s.ssl), count(*) FILTER (WHERE r.rolsuper)
		FROM pg_stat_ssl s
		JOIN pg_stat_activity a USING (pid)
		JOIN pg_roles r ON r.rolname = a.usename
		WHERE a.usename = $1`, pgtest.Service).Scan(&plain, &super)
	if err != nil || plain+super > 0 {
		t.Errorf("%d sessions without TLS, %d of a superuser: %v", plain, super, err)
	}
	for _, s := range []*service{a, b} {
		if strings.Contains(s.Logged(), "too many connections") {
			t.Errorf("a server says\n%s", s.Logged())
		}
	}
}
