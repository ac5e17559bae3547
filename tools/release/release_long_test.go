//go:build long

package main_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	release "daftar/tools/release"
)

const version = "1.2.3+git20261125020525.5b352490"

// made makes a release of programs that are a few bytes each.
func made(t *testing.T) string {
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
	if err := release.Make("../..", version, binaries, out,
		time.Date(2026, 11, 25, 2, 5, 25, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	return out
}

// sbomOf is one with a machine's own time and hash.
func sbomOf(program, hash string) string {
	const form = `{"metadata":{"timestamp":%q,"tools":[{"name":"sbom","hashes":[%q]}],"component":{"name":%q}}}`
	return fmt.Sprintf(form, time.Now(), hash, program)
}

// The same binaries give the same bytes, from other folders and at another time.
func TestLongReleaseIsReproducible(t *testing.T) {
	t.Parallel()
	first, second := made(t), made(t)
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
	want := []string{"daftar-" + version + "-image.tar"}
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

// archived is the folder in a program's archive for a platform, and the files.
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
	out := made(t)
	for _, p := range release.Platforms() {
		folder, files := archived(t, out, "daftar", p)
		if got := string(files[folder+"/daftar"].content); got != "the program for "+p ||
			files[folder+"/daftar"].mode != 0o755 {
			t.Errorf("%s: the program is %q with mode %o", p, got, files[folder+"/daftar"].mode)
		}
		wanted := []string{
			"LICENSE", "NOTICE", "THIRD-PARTY-LICENCES", "README.md", "CHANGELOG.md", "SECURITY.md",
			"completions/daftar.bash", "completions/_daftar",
			"completions/daftar.fish", "docs/deploy.md", "docs/acquirers.md", "docs/runbook/README.md",
			"docs/runbook/DaftarDown.md", "man/man1/daftar.1", "man/man1/daftar-migrate-up.1",
			"man/man1/daftar-serve.1",
		}
		if strings.HasPrefix(p, "linux-") {
			wanted = append(wanted, "daftar.service", "daftar.env",
				"examples/Caddyfile", "examples/daftar.conf", "examples/pgbouncer.ini", "examples/alerts.yml", "examples/grafana.json")
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
	out := made(t)
	for _, p := range release.Platforms() {
		folder, files := archived(t, out, "daftar-dev", p)
		program := files[folder+"/daftar-dev"]
		if string(program.content) != "the developers' program for "+p || program.mode != 0o755 {
			t.Errorf("%s: the program is %q with mode %o", p, program.content, program.mode)
		}
		for _, name := range []string{
			"LICENSE", "NOTICE", "THIRD-PARTY-LICENCES", "completions/daftar-dev.bash",
			"completions/_daftar-dev",
			"completions/daftar-dev.fish", "man/man1/daftar-dev.1", "man/man1/daftar-dev-trigger.1",
		} {
			if len(files[folder+"/"+name].content) == 0 {
				t.Errorf("%s lacks %s", p, name)
			}
		}
	}
}

// TestLongImage holds the image to what deploy/Dockerfile makes.
func TestLongImage(t *testing.T) {
	t.Parallel()
	out := made(t)
	dir := t.TempDir()
	for name, f := range unpack(t,
		bytes.NewReader(read(t, filepath.Join(out, "daftar-"+version+"-image.tar")))) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, f.content, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	path, err := layout.FromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	outer, err := path.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	top, err := outer.IndexManifest()
	if err != nil || len(top.Manifests) != 1 {
		t.Fatalf("the layout has %+v (%v)", top, err)
	}
	if got := top.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; got != "1.2.3-git20261125020525.5b352490" {
		t.Errorf("the image has the tag %q", got)
	}
	index, err := outer.ImageIndex(top.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, m.Platform.String())
		checkImage(t, image, *m.Platform)
	}
	if want := []string{"linux/amd64", "linux/arm64"}; !slices.Equal(found, want) {
		t.Errorf("the image is for %v, want %v", found, want)
	}
}

func checkImage(t *testing.T, image v1.Image, p v1.Platform) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.OS != p.OS || config.Architecture != p.Architecture ||
		!config.Created.Equal(time.Date(2026, 11, 25, 2, 5, 25, 0, time.UTC)) {
		t.Errorf("%s: the image is of %s/%s, of %s", p, config.OS, config.Architecture, config.Created)
	}
	docker := string(read(t, "../../deploy/Dockerfile"))
	instruction := func(name string) string {
		m := regexp.MustCompile(`(?m)^`+name+` (.*)$`).FindAllStringSubmatch(docker, -1)
		if m == nil {
			t.Fatalf("the Dockerfile has no %s", name)
		}
		return m[len(m)-1][1]
	}
	asJSON := func(words []string) string { return strings.ReplaceAll(fmt.Sprintf("%q", words), `" "`, `", "`) }
	c := config.Config
	for name, got := range map[string]string{
		"ENTRYPOINT": asJSON(c.Entrypoint), "CMD": asJSON(c.Cmd), "STOPSIGNAL": c.StopSignal,
		"ENV":    strings.Join(c.Env[1:], " "),
		"EXPOSE": strings.ReplaceAll(strings.Join(slices.Sorted(maps.Keys(c.ExposedPorts)), " "), "/tcp", ""),
	} {
		if want := instruction(name); got != want {
			t.Errorf("%s: %s is %s, in the Dockerfile %s", p, name, got, want)
		}
	}
	for _, label := range regexp.MustCompile(`(org\.\S+)="([^"]*)"`).FindAllStringSubmatch(docker, -1) {
		if want := strings.ReplaceAll(label[2], "${VERSION}", version); c.Labels[label[1]] != want {
			t.Errorf("%s: the label %s is %q, want %q", p, label[1], c.Labels[label[1]], want)
		}
	}

	files := unpack(t, mutate.Extract(image))
	passwd := string(files["etc/passwd"].content)
	if c.User != "65532:65532" || !strings.Contains(passwd, "nonroot:x:65532:65532:") ||
		strings.Contains(passwd, ":0:") || instruction("USER") != "nonroot" {
		t.Errorf("%s: the user is %s of %s", p, c.User, passwd)
	}
	if got := files["daftar"]; string(got.content) != fmt.Sprintf("the program for %s-%s", p.OS,
		p.Architecture) || got.mode != 0o755 {
		t.Errorf("%s: the program is %q with mode %o", p, got.content, got.mode)
	}
	for _, name := range []string{"LICENSE", "NOTICE", "THIRD-PARTY-LICENCES"} {
		if len(files[name].content) == 0 {
			t.Errorf("%s lacks %s", p, name)
		}
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(files["etc/ssl/certs/ca-certificates.crt"].content) ||
		!bytes.Contains(files["etc/ssl/certs/ca-certificates.crt"].content, []byte("-----END CERTIFICATE-----\n")) {
		t.Errorf("%s: the image has no certificates", p)
	}
	if n := bytes.Count(files["etc/ssl/certs/ca-certificates.crt"].content,
		[]byte("BEGIN CERTIFICATE")); n < 100 {
		t.Errorf("%s: the image has %d certificates", p, n)
	}
	for name, f := range files {
		if f.mode&0o022 != 0 || f.owner != 0 {
			t.Errorf("%s: %s has mode %o and owner %d: the program could change it", p, name, f.mode, f.owner)
		}
	}
}

// What makes the SBOM writes the hour and a hash of its own binary.
func TestLongSBOMSaysNothingOfTheMachine(t *testing.T) {
	t.Parallel()
	var bom struct {
		Metadata struct {
			Timestamp string
			Tools     []map[string]any
			Component struct{ Name string }
		}
	}
	if err := json.Unmarshal(read(t, filepath.Join(made(t), "daftar-"+version+"-linux-amd64.cdx.json")),
		&bom); err != nil {
		t.Fatal(err)
	}
	m := bom.Metadata
	if m.Timestamp != "2026-11-25T02:05:25Z" || m.Component.Name != "daftar" || len(m.Tools) != 1 ||
		len(m.Tools[0]) != 1 {
		t.Errorf("the SBOM says %+v", m)
	}
}

// A unit that the package cannot adapt ends the release: it would start another program.
func TestLongUnitOfThePackage(t *testing.T) {
	t.Parallel()
	unit, err := release.PackagedUnit(read(t, "../../deploy/daftar.service"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"ExecStart=/usr/bin/daftar serve\n",
		"EnvironmentFile=/etc/daftar/daftar.env\n", "Documentation=file:/usr/share/doc/daftar/README.Debian\n"} {
		if strings.Count(string(unit), line) != 1 {
			t.Errorf("the unit lacks %q", line)
		}
	}
	if strings.Contains(string(unit), "/usr/local") {
		t.Error("the unit names a path by hand")
	}
	for _, wrong := range []string{"", "[Unit]\nExecStart=/usr/local/bin/daftar serve\n",
		"# a comment\n[Unit]\nExecStart=/opt/daftar serve\n"} {
		if _, err := release.PackagedUnit([]byte(wrong)); err == nil {
			t.Errorf("the unit %q was taken", wrong)
		}
	}
}

type unpacked struct {
	mode    int64
	owner   int
	content []byte
}

// unpack reads the files of a tar file; all have the release's date.
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
