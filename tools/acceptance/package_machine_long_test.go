//go:build long

package acceptance_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// machine is a folder that dpkg treats as a machine with systemd. It has the commands that the
// package's scripts call.
type machine struct {
	t           *testing.T
	root, bin   string
	calls, runs string // the calls of systemctl, and a folder with the process of each service
}

// systemctlOfTests records its calls, and stops the processes of services.
const systemctlOfTests = `#!/bin/sh
echo "$*" >>"$CALLS"
for unit in "$@"; do
	runs=$RUNS/$unit
	case "$unit" in *.service) ;; *) continue ;; esac
	case "$*" in
	*is-active*) test -e "$runs" || exit 3 ;;
	*restart* | *--now*)
		if [ -e "$runs" ]; then
			kill "$(cat "$runs")" && tail --pid="$(cat "$runs")" -f /dev/null && rm "$runs"
		fi ;;
	esac
done
`

// systemdRunOfTests runs a command of the machine with the variables of some of its files.
const systemdRunOfTests = `#!/bin/sh
set -e
while [ "${1#--}" != "$1" ]; do
	case "$1" in --property=EnvironmentFile=*) files="$files ${1#--property=EnvironmentFile=}" ;; esac
	shift
done
set -a
for file in $files; do
	case "$file" in -*) [ -e "$DPKG_ROOT${file#-}" ] || continue ;; esac
	. "$DPKG_ROOT${file#-}"
done
program=$1
shift
"$DPKG_ROOT$program" "$@"
`

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, root: t.TempDir(), bin: t.TempDir()}
	m.calls, m.runs = filepath.Join(m.bin, "calls"), filepath.Join(m.bin, "runs")
	if err := os.Mkdir(m.runs, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{
		"/run/systemd/system", "/var/lib/dpkg/info", "/var/lib/dpkg/updates", "/etc",
	} {
		if err := os.MkdirAll(m.path(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.configure("/var/lib/dpkg/available", "")
	m.configure("/var/lib/dpkg/status",
		"Package: ca-certificates\nStatus: install ok installed\nArchitecture: all\nVersion: 20230311\n"+
			"Maintainer: tests\nDescription: as on any machine\n")
	for _, target := range []string{"sysinit", "basic", "shutdown", "multi-user", "network-online"} {
		m.configure("/usr/lib/systemd/system/"+target+".target", "[Unit]\n")
	}
	for name, script := range map[string]string{
		"systemctl": systemctlOfTests, "systemd-run": systemdRunOfTests,
	} {
		if err := os.WriteFile(filepath.Join(m.bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) path(name string) string { return filepath.Join(m.root, name) }

func (m *machine) has(name string) bool {
	_, err := os.Lstat(m.path(name))
	return err == nil
}

func (m *machine) read(name string) string {
	m.t.Helper()
	return read(m.t, m.path(name))
}

// configure writes a file as an administrator would.
func (m *machine) configure(name, content string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(content), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// dpkg runs dpkg on the machine and returns its output. Earlier calls of systemctl are forgotten.
func (m *machine) dpkg(args ...string) string {
	m.t.Helper()
	_ = os.Remove(m.calls) // it may not exist
	flags := []string{
		"--root=" + m.root, "--force-not-root", "--force-script-chrootless",
		"--log=" + filepath.Join(m.bin, "log"),
	}
	c := exec.CommandContext(m.t.Context(), "dpkg", append(flags, args...)...)
	c.Env = []string{
		"PATH=" + m.bin + ":/usr/sbin:/usr/bin:/sbin:/bin", "CALLS=" + m.calls, "RUNS=" + m.runs, "LC_ALL=C",
		"DEBIAN_FRONTEND=noninteractive",
	}
	said, err := c.CombinedOutput()
	if err != nil {
		m.t.Fatalf("dpkg %v: %v: %s", args, err, said)
	}
	return string(said)
}

// systemctl returns the calls of systemctl during the latest call of dpkg.
func (m *machine) systemctl() string {
	calls, _ := os.ReadFile(m.calls) // there may have been none
	return strings.TrimSpace(string(calls))
}

// verifyUnits makes systemd read the units, find their program, and rate their security.
func (m *machine) verifyUnits() {
	m.t.Helper()
	for _, args := range [][]string{{"verify"}, {"security", "--offline=true", "--threshold=15"}} {
		for _, unit := range []string{"daftar.service", "daftar-sandbox.service"} {
			c := exec.CommandContext(m.t.Context(), "systemd-analyze",
				append(args, "--no-pager", "--root="+m.root, unit)...)
			if said, err := c.CombinedOutput(); err != nil || args[0] == "verify" && len(said) > 0 {
				m.t.Errorf("systemd-analyze %v %s: %v: %s", args, unit, err, said)
			}
		}
	}
}

// unit returns what systemd would start for a unit: the program, and its settings and credentials.
// Its state is in a folder.
func (m *machine) unit(name, state string) (command, env []string) {
	m.t.Helper()
	credentials := m.t.TempDir()
	folders := strings.NewReplacer("%d", credentials, "/var/lib/daftar/checkpoints", state,
		"/var/lib/daftar-sandbox", state)
	for line := range strings.Lines(m.read("/usr/lib/systemd/system/" + name)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch key {
		case "ExecStart":
			command = strings.Fields(folders.Replace(value))
		case "LoadCredential":
			name, path, _ := strings.Cut(value, ":")
			if err := os.WriteFile(filepath.Join(credentials, name), []byte(m.read(path)), 0o600); err != nil {
				m.t.Fatal(err)
			}
		case "Environment":
			env = append(env, strings.Fields(folders.Replace(value))...)
		case "EnvironmentFile":
			path, optional := strings.CutPrefix(value, "-")
			if optional && !m.has(path) {
				continue
			}
			for line := range strings.Lines(m.read(path)) {
				if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
					env = append(env, name+"="+strings.Trim(value, "'"))
				}
			}
		}
	}
	return command, env
}

// startUnit starts the service as systemd would.
func (m *machine) startUnit() *service {
	m.t.Helper()
	return m.serve(m.unit("daftar.service", m.t.TempDir()))
}

// startSandbox starts that of the package as systemd would. Its books are in a folder.
func (m *machine) startSandbox(state string) process {
	m.t.Helper()
	command, env := m.unit("daftar-sandbox.service", state)
	p, _ := startProgram(m.t, m.path(command[0]), m.t.TempDir(), env, command[1:]...)
	m.isRunning("daftar-sandbox.service", p)
	for _, variable := range env {
		url, is := strings.CutPrefix(variable, "DAFTAR_SANDBOX_URL=")
		if !is {
			continue
		}
		pgtest.WaitFor(m.t, "the sandbox", func() bool {
			response, err := http.Get(url + "/control/ledger")
			return p.Ended() || err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
		})
	}
	return p
}

// isRunning notes the process of a service.
func (m *machine) isRunning(unit string, p process) {
	m.t.Helper()
	pid := strconv.Itoa(p.Process.Pid)
	if err := os.WriteFile(filepath.Join(m.runs, unit), []byte(pid), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) serve(command, env []string) *service {
	m.t.Helper()
	p, _ := startProgram(m.t, m.path(command[0]), m.t.TempDir(), env, command[1:]...)
	s := &service{process: p, env: env}
	for _, variable := range env {
		if address, is := strings.CutPrefix(variable, "DAFTAR_LISTEN="); is {
			s.base = "http://" + address + "/api/v1"
		}
		if address, is := strings.CutPrefix(variable, "DAFTAR_OPS_LISTEN="); is {
			s.ops = "http://" + address
		}
	}
	m.isRunning("daftar.service", p)
	pgtest.WaitFor(m.t, "the service to be ready", func() bool {
		return s.Ended() || s.status("/readyz") == http.StatusOK
	})
	return s
}
