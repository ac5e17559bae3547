package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra/doc"

	"daftar/cmd/daftar/cli"
)

// file is a file in an archive, a package or an image.
type file struct {
	name    string
	mode    int64
	content []byte
}

// examples are example settings of other programs, from the folder deploy.
var examples = []string{
	"caddy/Caddyfile", "nginx/daftar.conf", "pgbouncer/pgbouncer.ini", "alerts.yml", "grafana.json",
	"cluster/haproxy.cfg", "cluster/patroni.yml", "cluster/roles.sql",
	"sandbox.env", "caddy/sandbox.Caddyfile", "nginx/daftar-sandbox.conf",
}

// exampleName returns the name of an example in an archive.
func exampleName(path string) string { return "examples/" + filepath.Base(path) }

// contents are the files of a platform's archive, by their names in it, without the manual. The
// second result maps paths of the source to paths of the archive.
func (r *release) contents(p platform) (map[string][]byte, places, error) {
	paths := map[string]string{
		"daftar":               filepath.Join(r.binaries, p.String(), "daftar"),
		"THIRD-PARTY-LICENCES": filepath.Join(r.binaries, p.String(), "THIRD-PARTY-LICENCES"),
	}
	documents, err := r.documents()
	if err != nil {
		return nil, nil, err
	}
	placed := places{"LICENSE": "LICENSE", "NOTICE": "NOTICE"}
	for _, name := range documents {
		placed[name] = name
	}
	if p.os == "linux" {
		placed["deploy/daftar.env"] = "daftar.env"
		for _, u := range units {
			placed["deploy/"+u.file()] = u.file()
		}
		for _, path := range examples {
			placed["deploy/"+path] = exampleName(path)
		}
	}
	for source, name := range placed {
		paths[name] = filepath.Join(r.root, source)
	}
	files := map[string][]byte{}
	for name, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, fmt.Errorf("read what is released: %w", err)
		}
		files[name] = content
	}
	return files, placed, nil
}

// devContents are those of the archive of daftar-dev, without the manual.
func (r *release) devContents(p platform, all map[string][]byte) (map[string][]byte, error) {
	program, err := os.ReadFile(filepath.Join(r.binaries, p.String(), "daftar-dev"))
	if err != nil {
		return nil, fmt.Errorf("read what is released: %w", err)
	}
	files := map[string][]byte{"daftar-dev": program}
	for _, name := range []string{"LICENSE", "NOTICE", "THIRD-PARTY-LICENCES"} {
		files[name] = all[name]
	}
	return files, nil
}

// completions are the files for completion in each shell: their paths in an archive and on Debian.
func completions(program string) map[string]string {
	return map[string]string{
		"completions/" + program + ".bash": "/usr/share/bash-completion/completions/" + program,
		"completions/_" + program:          "/usr/share/zsh/vendor-completions/_" + program,
		"completions/" + program + ".fish": "/usr/share/fish/vendor_completions.d/" + program + ".fish",
	}
}

// manual returns a page for each command of a program, and completions, by their names in an
// archive.
func manual(all cli.Commands, version string, date time.Time) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "daftar-manual-")
	if err != nil {
		return nil, fmt.Errorf("make manual pages: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	root := all(&cli.Program{Call: cli.Call{Version: version}})
	root.DisableAutoGenTag = true // the tag has the day of the build
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "Daftar " + version, Manual: "Daftar"}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return nil, fmt.Errorf("make manual pages: %w", err)
	}
	made, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("make manual pages: %w", err)
	}
	pages := map[string][]byte{}
	for _, page := range made {
		if pages["man/man1/"+page.Name()], err = os.ReadFile(filepath.Join(dir, page.Name())); err != nil {
			return nil, fmt.Errorf("make manual pages: %w", err)
		}
	}
	var bash, zsh, fish bytes.Buffer
	for _, err := range []error{
		root.GenBashCompletionV2(&bash, true),
		root.GenZshCompletion(&zsh),
		root.GenFishCompletion(&fish, true),
	} {
		if err != nil {
			return nil, fmt.Errorf("make completions: %w", err)
		}
	}
	name := "completions/" + root.Name()
	pages[name+".bash"], pages[name+".fish"] = bash.Bytes(), fish.Bytes()
	pages["completions/_"+root.Name()] = zsh.Bytes()
	return pages, nil
}

// writeSBOM writes the SBOM of a program's binary for a platform with the release's date. It leaves
// out what the tool that made the SBOM says about itself: the hash of its binary depends on the
// machine.
func (r *release) writeSBOM(program string, p platform) error {
	content, err := os.ReadFile(filepath.Join(r.binaries, p.String(), program+".cdx.json"))
	if err != nil {
		return fmt.Errorf("read SBOM: %w", err)
	}
	var bom map[string]any
	if err := json.Unmarshal(content, &bom); err != nil {
		return fmt.Errorf("read SBOM: %w", err)
	}
	metadata, ok := bom["metadata"].(map[string]any)
	if !ok {
		return fmt.Errorf("the SBOM of %s for %s has no metadata", program, p)
	}
	metadata["timestamp"] = r.date.Format(time.RFC3339)
	tools, _ := metadata["tools"].([]any)
	for _, tool := range tools {
		if t, ok := tool.(map[string]any); ok {
			delete(t, "hashes")
		}
	}
	if content, err = json.MarshalIndent(bom, "", "  "); err != nil {
		return fmt.Errorf("write SBOM: %w", err)
	}
	return r.write(fmt.Sprintf("%s-%s-%s.cdx.json", program, r.version, p), append(content, '\n'))
}

// write writes a file of the release.
func (r *release) write(name string, content []byte) error {
	err := os.WriteFile(filepath.Join(r.out, name), content, 0o644) //nolint:gosec // it is published
	if err != nil {
		return fmt.Errorf("write release: %w", err)
	}
	return nil
}

// compressed returns content compressed with gzip, without a name and a time.
func compressed(content []byte, level int) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return b.Bytes(), nil
}
