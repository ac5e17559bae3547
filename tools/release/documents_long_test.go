//go:build long

package main_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	release "daftar/tools/release"
)

// The documents of an archive and of a package have no broken links: each link has its file, and
// each alert its page.
func TestLongDocumentsLeadToWhatIsThere(t *testing.T) {
	t.Parallel()
	out := makeRelease(t)
	installed := map[string][]byte{}
	for _, p := range release.Platforms() {
		folder := fmt.Sprintf("daftar-%s-%s/", version, p)
		archive := read(t, filepath.Join(out, strings.TrimSuffix(folder, "/")+".tar.gz"))
		unzipped, err := gzip.NewReader(bytes.NewReader(archive))
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		for name, f := range unpack(t, unzipped) {
			files[strings.TrimPrefix(name, folder)] = f.content
		}
		checkLinks(t, p, files)
		for _, m := range pageForm.FindAllSubmatch(files["examples/alerts.yml"], -1) {
			if len(files[string(m[1])]) == 0 {
				t.Errorf("%s lacks the page %s of an alert", p, m[1])
			}
		}
	}
	// ar(1): the third member has the installed files.
	data := read(t, filepath.Join(out, "daftar_"+version+"_amd64.deb"))
	at := bytes.Index(data, []byte("data.tar.gz"))
	unzipped, err := gzip.NewReader(bytes.NewReader(data[at+60:]))
	if err != nil {
		t.Fatal(err)
	}
	unzipped.Multistream(false)
	for name, f := range unpack(t, unzipped) {
		name = "/" + strings.TrimPrefix(name, "./")
		if plain, is := strings.CutSuffix(name, ".md.gz"); is {
			r, err := gzip.NewReader(bytes.NewReader(f.content))
			if err != nil {
				t.Fatal(err)
			}
			if f.content, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
			name = plain + ".md.gz"
		}
		installed[name] = f.content
	}
	for _, name := range []string{
		"docs/deploy.md", "docs/acquirers.md", "docs/operate/variables.md",
		"docs/runbook/DaftarWritesRefused.md", "examples/roles.sql", "examples/sandbox.env",
	} {
		if len(installed["/usr/share/doc/daftar/"+name]) == 0 {
			t.Errorf("the package lacks %s", name)
		}
	}
	for _, unit := range []string{"daftar", "daftar-sandbox"} {
		if len(installed["/usr/lib/systemd/system/"+unit+".service"]) == 0 {
			t.Errorf("the package lacks the unit %s", unit)
		}
	}
	if _, there := installed["/etc/daftar/sandbox.env"]; there {
		t.Error("the package turns the sandbox on")
	}
	checkLinks(t, "the package", installed)
}

var (
	pageForm   = regexp.MustCompile(`runbook: (\S+)`)
	targetForm = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
)

// checkLinks checks that the links of the documents among some files have targets.
func checkLinks(t *testing.T, where string, files map[string][]byte) {
	t.Helper()
	links := 0
	for name, content := range files {
		if !strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".md") {
			continue
		}
		for _, m := range targetForm.FindAllSubmatch(content, -1) {
			target := string(m[1])
			if strings.Contains(target, ":") {
				continue
			}
			if !strings.HasPrefix(target, "/") {
				target = path.Join(path.Dir(name), target)
			}
			links++
			_, there := files[target]
			for other := range files {
				there = there || strings.HasPrefix(other, target+"/")
			}
			if !there {
				t.Errorf("%s: %s links to %s, which is not there", where, name, target)
			}
		}
	}
	if links < 100 {
		t.Errorf("%s: %d links were looked at", where, links)
	}
}
