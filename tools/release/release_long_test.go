//go:build long

package main_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	release "daftar/tools/release"
)

const version = "1.2.3+git20261125020525.5b352490"

// makeRelease makes a release of programs that are a few bytes each.
func makeRelease(t *testing.T) string {
	t.Helper()
	binaries, out := t.TempDir(), t.TempDir()
	for _, p := range release.Platforms() {
		dir := filepath.Join(binaries, p)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{
			"daftar": "the program for " + p, "daftar-dev": "the developers' program for " + p,
			"THIRD-PARTY-LICENCES": "licences for " + p,
			"daftar.cdx.json":      sbomOf("daftar", dir), "daftar-dev.cdx.json": sbomOf("daftar-dev", dir),
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := release.Make("../..", version, binaries, out, time.Date(2026, 11, 25, 2, 5, 25, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sbomOf is an SBOM with a machine's own time and hash.
func sbomOf(program, hash string) string {
	const form = `{"metadata":{"timestamp":%q,"tools":[{"name":"sbom","hashes":[%q]}],"component":{"name":%q}}}`
	return fmt.Sprintf(form, time.Now(), hash, program)
}

// The same binaries give the same bytes, from other folders and at another time.
func TestLongReleaseIsReproducible(t *testing.T) {
	t.Parallel()
	first, second := makeRelease(t), makeRelease(t)
	entries, err := os.ReadDir(first)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if !bytes.Equal(read(t, filepath.Join(first, e.Name())), read(t, filepath.Join(second, e.Name()))) {
			t.Errorf("%s has other bytes the second time", e.Name())
		}
	}
	want := []string{"daftar-" + version + "-image.tar", "daftar-for-woocommerce-0.1.0.zip"}
	for _, program := range []string{"daftar", "daftar-dev"} {
		want = append(want, program+"_"+version+"_amd64.deb", program+"_"+version+"_arm64.deb")
		for _, p := range release.Platforms() {
			want = append(want, fmt.Sprintf("%s-%s-%s.tar.gz", program, version, p),
				fmt.Sprintf("%s-%s-%s.cdx.json", program, version, p))
		}
	}
	if slices.Sort(want); !slices.Equal(names, want) {
		t.Errorf("the release has %q, want %q", names, want)
	}
}

// archived returns the folder in a program's archive for a platform, and the files.
func archived(t *testing.T, out, program, platform string) (folder string, files map[string]unpacked) {
	t.Helper()
	folder = fmt.Sprintf("%s-%s-%s", program, version, platform)
	unzipped, err := gzip.NewReader(bytes.NewReader(read(t, filepath.Join(out, folder+".tar.gz"))))
	if err != nil {
		t.Fatal(err)
	}
	return folder, unpack(t, unzipped)
}

func TestLongArchiveHasWhatAPersonNeeds(t *testing.T) {
	t.Parallel()
	out := makeRelease(t)
	for _, p := range release.Platforms() {
		folder, files := archived(t, out, "daftar", p)
		got := string(files[folder+"/daftar"].content)
		if got != "the program for "+p || files[folder+"/daftar"].mode != 0o755 {
			t.Errorf("%s: the program is %q with mode %o", p, got, files[folder+"/daftar"].mode)
		}
		wanted := []string{
			"LICENSE", "NOTICE", "THIRD-PARTY-LICENCES", "README.md", "CHANGELOG.md", "SECURITY.md",
			"completions/daftar.bash", "completions/_daftar", "completions/daftar.fish", "docs/deploy.md",
			"docs/acquirers.md", "docs/runbook/README.md", "docs/runbook/DaftarDown.md", "man/man1/daftar.1",
			"man/man1/daftar-migrate-up.1", "man/man1/daftar-serve.1",
		}
		if strings.HasPrefix(p, "linux-") {
			wanted = append(wanted, "daftar.service", "daftar.env",
				"daftar-sandbox.service", "examples/sandbox.env", "examples/sandbox.Caddyfile",
				"examples/daftar-sandbox.conf",
				"examples/Caddyfile", "examples/daftar.conf", "examples/pgbouncer.ini",
				"examples/alerts.yml", "examples/grafana.json")
		}
		for _, name := range wanted {
			if len(files[folder+"/"+name].content) == 0 {
				t.Errorf("%s lacks %s", p, name)
			}
		}
		for name := range files {
			if strings.Contains(name, "daftar-dev") || strings.Contains(name, "trigger") {
				t.Errorf("%s has %s, which is for developers", p, name)
			}
		}
		page := string(files[folder+"/man/man1/daftar-migrate-grants.1"].content)
		if !strings.Contains(page, `"Nov 2026"`) || !strings.Contains(page, version) ||
			!strings.Contains(page, `\fB--sql\fP`) {
			t.Errorf("the page of migrate grants: %s", page)
		}
	}
}

func TestLongArchiveOfWhatDevelopersRun(t *testing.T) {
	t.Parallel()
	out := makeRelease(t)
	for _, p := range release.Platforms() {
		folder, files := archived(t, out, "daftar-dev", p)
		program := files[folder+"/daftar-dev"]
		if string(program.content) != "the developers' program for "+p || program.mode != 0o755 {
			t.Errorf("%s: the program is %q with mode %o", p, program.content, program.mode)
		}
		for _, name := range []string{
			"LICENSE", "NOTICE", "THIRD-PARTY-LICENCES", "completions/daftar-dev.bash", "completions/_daftar-dev",
			"completions/daftar-dev.fish", "man/man1/daftar-dev.1", "man/man1/daftar-dev-trigger.1",
		} {
			if len(files[folder+"/"+name].content) == 0 {
				t.Errorf("%s lacks %s", p, name)
			}
		}
	}
}

// The SBOM tool writes the time and a hash of its own binary.
func TestLongSBOMSaysNothingOfTheMachine(t *testing.T) {
	t.Parallel()
	var bom struct {
		Metadata struct {
			Timestamp string
			Tools     []map[string]any
			Component struct{ Name string }
		}
	}
	sbom := read(t, filepath.Join(makeRelease(t), "daftar-"+version+"-linux-amd64.cdx.json"))
	err := json.Unmarshal(sbom, &bom)
	if err != nil {
		t.Fatal(err)
	}
	m := bom.Metadata
	if m.Timestamp != "2026-11-25T02:05:25Z" || m.Component.Name != "daftar" || len(m.Tools) != 1 ||
		len(m.Tools[0]) != 1 {
		t.Errorf("the SBOM says %+v", m)
	}
}

// A unit that the package cannot adapt ends the release, because it would start another program.
func TestLongUnitsOfThePackage(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"daftar": {
			"ExecStart=/usr/bin/daftar serve\n", "\nEnvironmentFile=/etc/daftar/daftar.env\n",
			"EnvironmentFile=-/etc/daftar/sandbox.env\n",
			"Documentation=file:/usr/share/doc/daftar/README.Debian\n",
			"# Change settings in /etc/daftar/daftar.env, and this by `systemctl edit daftar`.\n",
		},
		"daftar-sandbox": {
			"ExecStart=/usr/bin/daftar sandbox-acquirer --journal /var/lib/daftar-sandbox/journal\n",
			"\nEnvironmentFile=/etc/daftar/sandbox.env\n",
			"Documentation=file:/usr/share/doc/daftar/README.Debian\n",
			"# Change settings in /etc/daftar/sandbox.env, and this by `systemctl edit daftar-sandbox`.\n",
		},
	} {
		byHand := read(t, "../../deploy/"+name+".service")
		unit, err := release.PackagedUnit(name, byHand)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if strings.Count(string(unit), line) != 1 {
				t.Errorf("%s lacks %q", name, line)
			}
		}
		if strings.Contains(string(unit), "/usr/local") {
			t.Errorf("%s names a path by hand", name)
		}
		for _, wrong := range []string{
			"", "[Unit]\nExecStart=/usr/local/bin/daftar serve\n",
			"# a comment\n[Unit]\nExecStart=/opt/daftar serve\n",
			string(byHand) + "ExecStart=/usr/local/bin/daftar migrate up\n",
		} {
			if _, err := release.PackagedUnit(name, []byte(wrong)); err == nil {
				t.Errorf("%s: the unit %q was taken", name, wrong)
			}
		}
	}
}

type unpacked struct {
	mode    int64
	owner   int
	content []byte
}

// unpack reads the files of a tar file, and checks that all have the release's date.
func unpack(t *testing.T, from io.Reader) map[string]unpacked {
	t.Helper()
	files := map[string]unpacked{}
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(time.Date(2026, 11, 25, 2, 5, 25, 0, time.UTC)) {
			t.Errorf("%s has the time %s", h.Name, h.ModTime)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = unpacked{h.Mode, h.Uid, content}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
