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
	calls, runs string // the calls of systemctl, and the process of the service
}

// systemctlOfTests records its calls, and stops the service's process.
const systemctlOfTests = `#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
*is-active*) test -e "$RUNS" ;;
*restart* | *--now*)
	if [ -e "$RUNS" ]; then
		kill "$(cat "$RUNS")" && tail --pid="$(cat "$RUNS")" -f /dev/null && rm "$RUNS"
	fi ;;
esac
`

// systemdRunOfTests runs a command of the machine with the variables of one of its files.
const systemdRunOfTests = `#!/bin/sh
set -e
while [ "${1#--}" != "$1" ]; do
	case "$1" in --property=EnvironmentFile=*) file=${1#--property=EnvironmentFile=} ;; esac
	shift
done
set -a
. "$DPKG_ROOT$file"
program=$1
shift
"$DPKG_ROOT$program" "$@"
`

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, root: t.TempDir(), bin: t.TempDir()}
	m.calls, m.runs = filepath.Join(m.bin, "calls"), filepath.Join(m.bin, "runs")
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

// verifyUnit makes systemd read the unit, find its program, and rate its security.
func (m *machine) verifyUnit() {
	m.t.Helper()
	for _, args := range [][]string{{"verify"}, {"security", "--offline=true", "--threshold=15"}} {
		c := exec.CommandContext(m.t.Context(), "systemd-analyze",
			append(args, "--no-pager", "--root="+m.root, "daftar.service")...)
		if said, err := c.CombinedOutput(); err != nil || args[0] == "verify" && len(said) > 0 {
			m.t.Errorf("systemd-analyze %v: %v: %s", args, err, said)
		}
	}
}

// startUnit starts the service as systemd would: the unit's program, settings and credentials.
func (m *machine) startUnit() *service {
	m.t.Helper()
	credentials, state := m.t.TempDir(), m.t.TempDir()
	var command, env []string
	for line := range strings.Lines(m.read("/usr/lib/systemd/system/daftar.service")) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch key {
		case "ExecStart":
			command = strings.Fields(value)
		case "LoadCredential":
			name, path, _ := strings.Cut(value, ":")
			if err := os.WriteFile(filepath.Join(credentials, name), []byte(m.read(path)), 0o600); err != nil {
				m.t.Fatal(err)
			}
		case "Environment":
			value = strings.ReplaceAll(value, "%d", credentials)
			env = append(env, strings.Fields(strings.ReplaceAll(value, "/var/lib/daftar/checkpoints", state))...)
		case "EnvironmentFile":
			for line := range strings.Lines(m.read(value)) {
				if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
					env = append(env, name+"="+strings.Trim(value, "'"))
				}
			}
		}
	}
	return m.serve(command, env)
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
	if err := os.WriteFile(m.runs, []byte(strconv.Itoa(p.Process.Pid)), 0o600); err != nil {
		m.t.Fatal(err)
	}
	pgtest.WaitFor(m.t, "the service to be ready", func() bool {
		return s.Ended() || s.status("/readyz") == http.StatusOK
	})
	return s
}
