//go:build long

package main_test

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
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
)

// TestLongImage compares the image with the one that deploy/Dockerfile makes.
func TestLongImage(t *testing.T) {
	t.Parallel()
	out := makeRelease(t)
	dir := t.TempDir()
	for name, f := range unpack(t,
		bytes.NewReader(read(t, filepath.Join(out, "daftar-"+version+"-image.tar")))) {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, f.content, 0o600))
		if err != nil {
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
	const tag = "1.2.3-git20261125020525.5b352490"
	if got := top.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; got != tag {
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
	got := files["daftar"]
	if string(got.content) != fmt.Sprintf("the program for %s-%s", p.OS, p.Architecture) || got.mode != 0o755 {
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
	n := bytes.Count(files["etc/ssl/certs/ca-certificates.crt"].content, []byte("BEGIN CERTIFICATE"))
	if n < 100 {
		t.Errorf("%s: the image has %d certificates", p, n)
	}
	for name, f := range files {
		if f.mode&0o022 != 0 || f.owner != 0 {
			t.Errorf("%s: %s has mode %o and owner %d: the program could change it", p, name, f.mode, f.owner)
		}
	}
}
