package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	nfpmfiles "github.com/goreleaser/nfpm/v2/files"
)

const (
	maintainer  = "Daftar <developers@pay.example>"
	environment = "/etc/daftar/daftar.env"
	docFolder   = "/usr/share/doc/daftar/"
	description = `payment ledger with a hosted checkout for Libyan dinars
 A merchant's server creates a payment intent, sends the customer to the checkout
 page, and asks for the intent's status to know whether it was paid. Every change in
 an intent's life is an event in a PostgreSQL ledger that is only ever appended to.`
)

// writePackage writes a platform's Debian package.
func (r *release) writePackage(p platform, placed places, contents, pages map[string][]byte) error {
	files, err := r.installed(placed, contents, pages)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "daftar-package-")
	if err != nil {
		return fmt.Errorf("write package: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	info := &nfpm.Info{
		Name: "daftar", Arch: p.arch, Platform: p.os, Version: r.version, VersionSchema: "none", Section: "net", Priority: "optional",
		Maintainer: maintainer, Description: description, License: "Apache-2.0", MTime: r.date, DisableGlobbing: true,
	}
	info.Depends, info.Suggests = []string{"ca-certificates"}, []string{"postgresql (>= 15)"}
	info.Deb.Compression = "gzip:6"
	for name, script := range map[string]*string{"postinst": &info.Scripts.PostInstall, "prerm": &info.Scripts.PreRemove, "postrm": &info.Scripts.PostRemove} {
		*script = filepath.Join(r.root, "deploy", "debian", name)
	}
	for n, f := range files {
		source := filepath.Join(dir, fmt.Sprint(n))
		if err := os.WriteFile(source, f.content, 0o600); err != nil {
			return fmt.Errorf("write package: %w", err)
		}
		c := &nfpmfiles.Content{
			Source: source, Destination: f.name, FileInfo: &nfpmfiles.ContentFileInfo{Owner: "root", Group: "root", Mode: os.FileMode(f.mode), MTime: r.date},
		}
		if f.name == environment {
			c.Type = nfpmfiles.TypeConfig
		}
		info.Contents = append(info.Contents, c)
	}
	var b bytes.Buffer
	if err := deb.Default.Package(nfpm.WithDefaults(info), &b); err != nil {
		return fmt.Errorf("write package: %w", err)
	}
	return r.write(fmt.Sprintf("daftar_%s_%s.deb", r.version, p.arch), b.Bytes())
}

// installed are the files of the package, where Debian has them.
func (r *release) installed(placed places, contents, pages map[string][]byte) ([]file, error) {
	unit, err := packagedUnit(contents["daftar.service"])
	if err != nil {
		return nil, err
	}
	files := []file{
		{"/usr/bin/daftar", 0o755, contents["daftar"]},
		{environment, 0o600, contents["daftar.env"]},
		{"/usr/lib/systemd/system/daftar.service", 0o644, unit},
		{"/usr/share/bash-completion/completions/daftar", 0o644, pages[bashCompletion]},
		{"/usr/share/zsh/vendor-completions/_daftar", 0o644, pages[zshCompletion]},
		{"/usr/share/fish/vendor_completions.d/daftar.fish", 0o644, pages[fishCompletion]},
		{docFolder + "NOTICE", 0o644, contents["NOTICE"]},
	}
	for _, name := range []string{"copyright", "README.Debian"} {
		content, err := os.ReadFile(filepath.Join(r.root, "deploy", "debian", name))
		if err != nil {
			return nil, fmt.Errorf("read what is packaged: %w", err)
		}
		files = append(files, file{docFolder + name, 0o644, content})
	}
	for _, path := range examples {
		files = append(files, file{docFolder + exampleName(path), 0o644, contents[exampleName(path)]})
	}
	placed = packaged(placed)
	for source, place := range placed {
		if strings.HasPrefix(source, "docs/") {
			files = append(files, file{docFolder + place, 0o644, placed.relink(source, contents[source])})
		}
	}
	// Debian has manual pages and long documents compressed, and a changelog of the package's own.
	long := map[string][]byte{
		docFolder + "changelog": fmt.Appendf(nil, "daftar (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n", r.version, maintainer, r.date.Format(time.RFC1123Z)),
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "SECURITY.md"} {
		long[docFolder+name] = placed.relink(name, contents[name])
	}
	long[docFolder+"THIRD-PARTY-LICENCES"] = contents["THIRD-PARTY-LICENCES"]
	for name, page := range pages {
		if strings.HasPrefix(name, "man/") {
			long["/usr/share/"+name] = page
		}
	}
	for _, name := range slices.Sorted(maps.Keys(long)) {
		content, err := compressed(long[name], gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name + ".gz", 0o644, content})
	}
	return files, nil
}

// packaged is where the package has what an archive has, seen from the folder of documents.
func packaged(archived places) places {
	all := maps.Clone(archived)
	maps.Copy(all, places{
		"README.md": "README.md.gz", "CHANGELOG.md": "CHANGELOG.md.gz", "SECURITY.md": "SECURITY.md.gz", "LICENSE": "copyright",
		"deploy/daftar.service": "/usr/lib/systemd/system/daftar.service", "deploy/daftar.env": environment,
	})
	return all
}

// packagedUnit is the unit for the program where the package has it.
func packagedUnit(byHand []byte) ([]byte, error) {
	head, rest, ok := bytes.Cut(byHand, []byte("[Unit]\n"))
	const local, packaged = "ExecStart=/usr/local/bin/daftar serve\n", "ExecStart=/usr/bin/daftar serve\n"
	if !ok || !bytes.HasPrefix(head, []byte("#")) || bytes.Count(rest, []byte(local)) != 1 {
		return nil, fmt.Errorf("the unit does not have one line %q", strings.TrimSpace(local))
	}
	rest = bytes.Replace(rest, []byte(local), []byte(packaged), 1)
	rest = bytes.Replace(rest, []byte("/README.md\n"), []byte("/README.Debian\n"), 1)
	return append([]byte("# Change settings in "+environment+", and this by `systemctl edit daftar`.\n[Unit]\n"), rest...), nil
}
