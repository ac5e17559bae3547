package main

import (
	archivezip "archive/zip"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The zip is what WordPress unpacks: one folder, with the file that has the header, and without tests.
func TestPluginZip(t *testing.T) {
	t.Parallel()
	r := release{root: "../..", out: t.TempDir(), date: time.Date(2026, 11, 25, 2, 5, 25, 0, time.UTC)}
	if err := r.writePlugin(); err != nil {
		t.Fatal(err)
	}
	z, err := archivezip.OpenReader(filepath.Join(r.out, "daftar-for-woocommerce-0.1.0.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, ".md") && strings.Contains(string(content), "](../") {
			t.Errorf("%s links out of the plugin", f.Name)
		}
		if !strings.HasPrefix(f.Name, "daftar-for-woocommerce/") || strings.Contains(f.Name, "/tests/") {
			t.Errorf("%s is in the zip", f.Name)
		}
	}
	for _, name := range []string{
		"daftar-for-woocommerce.php", "uninstall.php", "LICENSE", "readme.txt", "src/Gateway.php",
		"assets/blocks.js", "languages/daftar-for-woocommerce-ar.mo",
	} {
		if !slices.Contains(names, "daftar-for-woocommerce/"+name) {
			t.Errorf("the zip lacks %s: %q", name, names)
		}
	}
}
