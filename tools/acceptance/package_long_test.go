//go:build long

package acceptance_test

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// The package is installed, its service is set up as its README says and takes a payment. It keeps
// running through an upgrade, before and after the schema is migrated. A removal keeps settings and
// state; a purge deletes them.
func TestLongDebianPackage(t *testing.T) {
	t.Parallel()
	older, newer := packaged(t, "1.0.0"), packaged(t, "1.0.1+git20261125020525.5b352490")
	db := pgtest.Database(t)
	m := newMachine(t)

	said := m.dpkg("--install", older)
	if !strings.Contains(said, "README.Debian") || m.systemctl() != "daemon-reload" {
		t.Errorf("the installation said %s, and called systemctl %q: it starts nothing", said, m.systemctl())
	}
	m.verifyUnits()
	m.isComplete("1.0.0")

	bank, books := address(t), t.TempDir()
	m.configure("/etc/daftar/sandbox.env", "DAFTAR_SANDBOX_URL=http://"+bank+"\nDAFTAR_SANDBOX_LISTEN="+bank+
		"\nDAFTAR_SANDBOX_SECRET="+sandboxSecret+"\n")
	m.configure("/etc/daftar/secret-key", secretKey+"\n")
	m.configure("/etc/daftar/daftar.env",
		"DAFTAR_DATABASE_URL='"+db.ServiceURL()+"'\nDAFTAR_LISTEN="+address(t)+"\nDAFTAR_OPS_LISTEN="+address(t)+
			"\n# settings of this machine\n")
	s, sandbox := m.startUnit(), m.startSandbox(books)
	who := newShop(t, s.env)
	intents := []string{m.paid(s, who, "by the package", "0912345601")}

	// The schema is older than the new program requires: the running server is left alone.
	owner := db.OwnerPool(t)
	var newest int64
	err := owner.QueryRow(t.Context(), `
		DELETE FROM goose_db_version
		WHERE version_id = (SELECT max(version_id) FROM goose_db_version)
		RETURNING version_id`).Scan(&newest)
	if err != nil {
		t.Fatal(err)
	}
	said = m.dpkg("--install", newer)
	if !strings.Contains(said, "systemctl restart daftar") ||
		m.systemctl() != "daemon-reload\ntry-restart daftar-sandbox.service\n--quiet is-active daftar.service" ||
		s.Ended() {
		t.Errorf("the upgrade before a migration said %s, and called systemctl %q", said, m.systemctl())
	}
	// The sandbox has no schema, and keeps its books.
	pgtest.WaitFor(t, "the end of the old sandbox", sandbox.Ended)
	sandbox = m.startSandbox(books)
	_, err = owner.Exec(t.Context(),
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, newest)
	if err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the old program to serve on the schema that it had", func() bool {
		return s.status("/readyz") == http.StatusOK
	})
	m.dpkg("--install", newer)
	if got := m.systemctl(); !strings.HasSuffix(got, "\nrestart daftar.service") {
		t.Errorf("the upgrade of a running service called systemctl %q", got)
	}
	pgtest.WaitFor(t, "the end of the old program", s.Ended)
	m.isComplete("1.0.1+git20261125020525.5b352490")
	pgtest.WaitFor(t, "the end of the sandbox", sandbox.Ended)
	s, sandbox = m.startUnit(), m.startSandbox(books)
	for _, intent := range append(intents, m.paid(s, who, "by the upgrade", "0912345602")) {
		if r := s.ask(t, who, http.MethodGet, "/payment-intents/"+intent, ""); r.data.Status != "succeeded" {
			t.Errorf("after the upgrade: %d %s", r.status, r.body)
		}
	}

	m.dpkg("--remove", "daftar")
	if got := m.systemctl(); got !=
		"--no-reload disable --now daftar.service daftar-sandbox.service\ndaemon-reload" {
		t.Errorf("the removal called systemctl %q", got)
	}
	pgtest.WaitFor(t, "the end of both services", func() bool { return s.Ended() && sandbox.Ended() })
	if !strings.Contains(m.read("/etc/daftar/daftar.env"), "# settings of this machine") ||
		m.read("/etc/daftar/secret-key") == "" || m.has("/usr/bin/daftar") {
		t.Error("the removal did not leave the settings, or left the program")
	}
	// Installed again while nothing is running: nothing is started.
	m.dpkg("--install", newer)
	if got := m.systemctl(); strings.Contains(strings.ReplaceAll(got, "try-restart", ""), "restart") ||
		!strings.Contains(m.read("/etc/daftar/daftar.env"), "# settings of this machine") {
		t.Errorf("the second installation called systemctl %q", m.systemctl())
	}

	m.configure("/var/lib/private/daftar/checkpoints/1", "a checkpoint")
	m.configure("/var/lib/private/daftar-sandbox/journal", "the books of the sandbox")
	said = m.dpkg("--purge", "daftar")
	if m.has("/etc/daftar/daftar.env") || m.has("/etc/daftar/sandbox.env") ||
		m.has("/var/lib/private/daftar") || m.has("/var/lib/private/daftar-sandbox") ||
		m.has("/usr/share/doc/daftar") ||
		m.read("/etc/daftar/secret-key") == "" || !strings.Contains(said, "keys") {
		t.Errorf("the purge left settings or state, or took the key: %s", said)
	}
	if err := os.Remove(m.path("/etc/daftar/secret-key")); err != nil {
		t.Fatal(err)
	}
	m.dpkg("--install", newer)
	if m.dpkg("--purge", "daftar"); m.has("/etc/daftar") {
		t.Error("the purge left an empty folder")
	}
	m.takesWhatDevelopersRun(strings.Replace(newer, "/daftar_", "/daftar-dev_", 1))
}

// takesWhatDevelopersRun installs only daftar-dev, and removes it.
func (m *machine) takesWhatDevelopersRun(archive string) {
	m.t.Helper()
	m.dpkg("--install", archive)
	if said := m.dpkg("--verify", "daftar-dev"); said != "" || m.systemctl() != "" ||
		m.has("/usr/bin/daftar") {
		m.t.Errorf("dpkg --verify daftar-dev: %s", said)
	}
	for _, name := range []string{
		"/usr/share/man/man1/daftar-dev-trigger.1.gz", "/usr/share/bash-completion/completions/daftar-dev",
		"/usr/share/doc/daftar-dev/copyright", "/usr/share/doc/daftar-dev/changelog.gz",
	} {
		if !m.has(name) {
			m.t.Errorf("the package lacks %s", name)
		}
	}
	said, err := exec.CommandContext(m.t.Context(), m.path("/usr/bin/daftar-dev"), "version").Output()
	if err != nil || !strings.HasPrefix(string(said), "daftar-dev 1.0.1+git20261125020525.5b352490, go") {
		m.t.Errorf("daftar-dev version: %s (%v)", said, err)
	}
	if m.dpkg("--purge", "daftar-dev"); m.has("/usr/share/doc/daftar-dev") {
		m.t.Error("the purge left something")
	}
}

// packaged is the Debian package of a version for this machine, with everything else that a release
// has.
func packaged(t *testing.T, version string) string {
	t.Helper()
	out := t.TempDir()
	c := exec.CommandContext(t.Context(), "../../scripts/release", version)
	c.Env = append(os.Environ(), "PLATFORMS=linux/"+runtime.GOARCH, "OUT="+out)
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	// The installation takes minutes: it logs its steps, and warns only of faults.
	steps := regexp.MustCompile(`(?m)^release: .*(: the programs|licences and SBOM|archives|done: 9 files)`)
	if len(steps.FindAll(said, -1)) != 4 || strings.Contains(string(said), "WRN") {
		t.Errorf("the release says %s", said)
	}
	sums := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "SHA256SUMS")
	sums.Dir = out
	if said, err := sums.CombinedOutput(); err != nil || strings.Count(string(said), ": OK") != 8 {
		t.Errorf("the sums of archives, SBOMs, packages, image and plugin: %v: %s", err, said)
	}
	return filepath.Join(out, "daftar_"+version+"_"+runtime.GOARCH+".deb")
}

// isComplete checks that every file of the package is as packed, and where people, shells and
// systemd look for it.
func (m *machine) isComplete(version string) {
	m.t.Helper()
	if said := m.dpkg("--verify", "daftar"); said != "" && !strings.Contains(said, " c /etc/daftar/daftar.env") {
		m.t.Errorf("dpkg --verify: %s", said)
	}
	for _, name := range []string{
		"/usr/share/man/man1/daftar.1.gz", "/usr/share/man/man1/daftar-migrate-up.1.gz",
		"/usr/share/bash-completion/completions/daftar", "/usr/share/zsh/vendor-completions/_daftar",
		"/usr/share/fish/vendor_completions.d/daftar.fish", "/usr/share/doc/daftar/copyright",
		"/usr/share/doc/daftar/THIRD-PARTY-LICENCES.gz", "/usr/share/doc/daftar/examples/Caddyfile",
		"/usr/share/doc/daftar/examples/sandbox.env", "/usr/share/doc/daftar/examples/sandbox.Caddyfile",
		"/usr/share/doc/daftar/examples/daftar-sandbox.conf",
	} {
		if !m.has(name) {
			m.t.Errorf("the package lacks %s", name)
		}
	}
	if info, err := os.Stat(m.path("/etc/daftar/daftar.env")); err != nil || info.Mode().Perm() != 0o600 {
		m.t.Errorf("daftar.env: %v, %v", info.Mode(), err)
	}
	said, err := exec.CommandContext(m.t.Context(), m.path("/usr/bin/daftar"), "version").Output()
	if err != nil || !strings.HasPrefix(string(said), "daftar "+version+", go") {
		m.t.Errorf("daftar version: %s (%v), want %s", said, err, version)
	}
	// The completion calls the program.
	bash := exec.CommandContext(m.t.Context(), "bash", "-c", `PATH="$1/usr/bin:$PATH"
		_get_comp_words_by_ref() { cur=mig; prev=daftar; words=(daftar mig); cword=1; }
		_init_completion() { _get_comp_words_by_ref; }
		__ltrim_colon_completions() { :; }
		compopt() { :; }
		. "$1/usr/share/bash-completion/completions/daftar"
		__start_daftar
		echo "${COMPREPLY[@]}"`, "bash", m.root)
	if said, err := bash.CombinedOutput(); err != nil || !strings.HasPrefix(string(said), "migrate") {
		m.t.Errorf("completion of daftar mig: %s (%v)", said, err)
	}
}

// paid is an intent that a customer paid at the sandbox.
func (m *machine) paid(s *service, who shop, reference, phone string) string {
	m.t.Helper()
	r := s.ask(m.t, who, http.MethodPost, "/payment-intents", order(reference))
	if r.status != http.StatusCreated {
		m.t.Fatalf("create: %d %s", r.status, r.body)
	}
	fill(m.t, r, s, s, "attempts", "otp", url.Values{"method": {"wallet"}, "phone": {phone}})
	fill(m.t, r, s, s, "code", "receipt", url.Values{"otp": {"111111"}})
	return r.data.UUID
}
