package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// settings are those of the image that deploy/Dockerfile makes, except for the user, which is a
// number: from a name Kubernetes cannot see that it is not root.
func (r *release) settings() v1.Config {
	return v1.Config{
		User:         "65532:65532",
		ExposedPorts: map[string]struct{}{"8080/tcp": {}, "9090/tcp": {}},
		Env:          []string{"PATH=/", "DAFTAR_LISTEN=0.0.0.0:8080", "DAFTAR_OPS_LISTEN=0.0.0.0:9090"},
		Entrypoint:   []string{"/daftar"},
		Cmd:          []string{"serve"},
		WorkingDir:   "/",
		StopSignal:   "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title":       "Daftar",
			"org.opencontainers.image.description": "A payment ledger with a hosted checkout for Libyan dinars",
			"org.opencontainers.image.version":     r.version,
			"org.opencontainers.image.created":     r.date.Format(time.RFC3339),
			"org.opencontainers.image.licenses":    "Apache-2.0",
		},
	}
}

// writeImage writes the images of all platforms as one file: an OCI layout in a tar file, which
// podman, skopeo and Docker load.
func (r *release) writeImage(all []platform) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range all {
		image, err := r.image(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}},
		})
	}
	dir, err := os.MkdirTemp("", "daftar-image-")
	if err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	tag := strings.ReplaceAll(r.version, "+", "-") // a tag must not have a plus
	err = path.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": "docker.io/library/daftar:" + tag,
	}))
	if err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	var files []file
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		files = append(files, file{name, 0o644, content})
		return err
	})
	if err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	content, err := packed(files, r.date)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("daftar-%s-image.tar", r.version), content)
}

// image is the image of one platform: the common files in one layer, and the program in another.
func (r *release) image(p platform) (v1.Image, error) {
	contents, _, err := r.contents(p)
	if err != nil {
		return nil, err
	}
	base := []file{
		{"etc/passwd", 0o644, []byte("nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n")},
		{"etc/group", 0o644, []byte("nonroot:x:65532:\n")},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, certificates()},
	}
	program := []file{{"daftar", 0o755, contents["daftar"]}}
	for _, name := range []string{"LICENSE", "NOTICE", "THIRD-PARTY-LICENCES"} {
		program = append(program, file{name, 0o644, contents[name]})
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, step := range []struct {
		files []file
		what  string
	}{{base, "a user and certificates"}, {program, "daftar " + r.version}} {
		content, err := packed(step.files, r.date)
		if err != nil {
			return nil, err
		}
		open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
		layer, err := tarball.LayerFromOpener(open,
			tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
		if err != nil {
			return nil, fmt.Errorf("make layer: %w", err)
		}
		history := v1.History{Created: v1.Time{Time: r.date}, CreatedBy: step.what}
		addendum := mutate.Addendum{Layer: layer, MediaType: types.OCILayer, History: history}
		if image, err = mutate.Append(image, addendum); err != nil {
			return nil, fmt.Errorf("make image: %w", err)
		}
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("make image: %w", err)
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = p.os, p.arch
	config.Created, config.Config = v1.Time{Time: r.date}, r.settings()
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return nil, fmt.Errorf("make image: %w", err)
	}
	return image, nil
}

// certificates are Mozilla's roots. They include those that are trusted only for certificates
// issued before some day, as in Debian's list: a file cannot express the day.
func certificates() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // to memory
	}
	return b.Bytes()
}
