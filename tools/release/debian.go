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
	devDescription = `what developers run of the payment ledger Daftar
 A demonstration with a private database, fakes of the acquirers Plutu, Moamalat
 and LYPay that move play money, and payments that are played for their webhooks.`
)

// writePackage writes a platform's Debian package of daftar.
func (r *release) writePackage(p platform, placed places, contents, pages map[string][]byte) error {
	files, err := r.installed(placed, contents, pages)
	if err != nil {
		return err
	}
	info := &nfpm.Info{Name: "daftar", Description: description}
	info.Depends, info.Suggests = []string{"ca-certificates"}, []string{"postgresql (>= 15)"}
	for name, script := range map[string]*string{
		"postinst": &info.Scripts.PostInstall, "prerm": &info.Scripts.PreRemove,
		"postrm": &info.Scripts.PostRemove,
	} {
		*script = filepath.Join(r.root, "deploy", "debian", name)
	}
	return r.pack(p, info, files)
}

// writeDevPackage writes a platform's Debian package of daftar-dev.
func (r *release) writeDevPackage(p platform, contents, pages map[string][]byte) error {
	files, err := r.documented("daftar-dev", contents, pages)
	if err != nil {
		return err
	}
	info := &nfpm.Info{Name: "daftar-dev", Description: devDescription}
	info.Recommends = []string{"postgresql (>= 15)"} // for the demonstration only
	return r.pack(p, info, files)
}

// pack writes a package of files.
func (r *release) pack(p platform, info *nfpm.Info, files []file) error {
	dir, err := os.MkdirTemp("", "daftar-package-")
	if err != nil {
		return fmt.Errorf("write package: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	info.Arch, info.Platform, info.Version, info.VersionSchema = p.arch, p.os, r.version, "none"
	info.Section, info.Priority, info.Maintainer, info.License = "net", "optional", maintainer, "Apache-2.0"
	info.MTime, info.DisableGlobbing, info.Deb.Compression = r.date, true, "gzip:6"
	for n, f := range files {
		source := filepath.Join(dir, fmt.Sprint(n))
		if err := os.WriteFile(source, f.content, 0o600); err != nil {
			return fmt.Errorf("write package: %w", err)
		}
		c := &nfpmfiles.Content{
			Source: source, Destination: f.name,
			FileInfo: &nfpmfiles.ContentFileInfo{
				Owner: "root", Group: "root", Mode: os.FileMode(f.mode), MTime: r.date,
			},
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
	return r.write(fmt.Sprintf("%s_%s_%s.deb", info.Name, r.version, p.arch), b.Bytes())
}

// documented are a program, its manual, its completions, and the package's copyright file: each at
// its place on Debian.
func (r *release) documented(program string, contents, pages map[string][]byte) ([]file, error) {
	copyright, err := os.ReadFile(filepath.Join(r.root, "deploy", "debian", "copyright"))
	if err != nil {
		return nil, fmt.Errorf("read what is packaged: %w", err)
	}
	folder := "/usr/share/doc/" + program + "/"
	files := []file{
		{"/usr/bin/" + program, 0o755, contents[program]},
		{folder + "NOTICE", 0o644, contents["NOTICE"]},
		{folder + "copyright", 0o644, copyright},
	}
	for name, place := range completions(program) {
		files = append(files, file{place, 0o644, pages[name]})
	}
	// Debian requires compressed manual pages and long documents, and a changelog of the package.
	long := map[string][]byte{
		folder + "changelog": fmt.Appendf(nil,
			"%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz of package daftar.\n\n -- %s  %s\n",
			program, r.version, maintainer, r.date.Format(time.RFC1123Z)),
		folder + "THIRD-PARTY-LICENCES": contents["THIRD-PARTY-LICENCES"],
	}
	for name, page := range pages {
		if strings.HasPrefix(name, "man/") {
			long["/usr/share/"+name] = page
		}
	}
	zipped, err := zip(long)
	return append(files, zipped...), err
}

// zip compresses the files that Debian requires to be compressed.
func zip(long map[string][]byte) ([]file, error) {
	var files []file
	for _, name := range slices.Sorted(maps.Keys(long)) {
		content, err := compressed(long[name], gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name + ".gz", 0o644, content})
	}
	return files, nil
}

// installed are the files of the package of daftar, at their places on Debian.
func (r *release) installed(placed places, contents, pages map[string][]byte) ([]file, error) {
	files, err := r.documented("daftar", contents, pages)
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(r.root, "deploy", "debian", "README.Debian"))
	if err != nil {
		return nil, fmt.Errorf("read what is packaged: %w", err)
	}
	files = append(files,
		file{environment, 0o600, contents["daftar.env"]},
		file{docFolder + "README.Debian", 0o644, readme})
	for _, u := range units {
		content, err := u.packaged(contents[u.file()])
		if err != nil {
			return nil, err
		}
		files = append(files, file{u.place(), 0o644, content})
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
	long := map[string][]byte{}
	for _, name := range []string{"README.md", "CHANGELOG.md", "SECURITY.md"} {
		long[docFolder+name] = placed.relink(name, contents[name])
	}
	zipped, err := zip(long)
	return append(files, zipped...), err
}

// packaged maps the places in an archive to those in the package, relative to the folder of
// documents.
func packaged(archived places) places {
	all := maps.Clone(archived)
	maps.Copy(all, places{
		"README.md":         "README.md.gz",
		"CHANGELOG.md":      "CHANGELOG.md.gz",
		"SECURITY.md":       "SECURITY.md.gz",
		"LICENSE":           "copyright",
		"deploy/daftar.env": environment,
	})
	for _, u := range units {
		all["deploy/"+u.file()] = u.place()
	}
	return all
}
