package main

import (
	archivezip "archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// plugin is the plugin for WooCommerce: the folder that WordPress unpacks, and the file with its header.
const plugin = "daftar-for-woocommerce"

var pluginVersion = regexp.MustCompile(`(?m)^ \* Version: ([0-9][0-9A-Za-z.-]*)$`)

// writePlugin writes the zip that a shop uploads to WordPress. It has a version of its own, and no tests.
func (r *release) writePlugin() error {
	root := filepath.Join(r.root, "plugins", "woocommerce")
	header, err := os.ReadFile(filepath.Join(root, plugin+".php"))
	if err != nil {
		return fmt.Errorf("read plugin: %w", err)
	}
	version := pluginVersion.FindSubmatch(header)
	if version == nil {
		return errors.New("read plugin: its header has no version")
	}
	var b bytes.Buffer
	w := archivezip.NewWriter(&b)
	// In the order of the names, and with the release's time: the same bytes each time.
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil || entry.IsDir() {
			if name == "tests" {
				return fs.SkipDir
			}
			return err
		}
		content, err := os.ReadFile(file) //nolint:gosec // of the source's folder
		if err != nil {
			return err
		}
		into, err := w.CreateHeader(&archivezip.FileHeader{
			Name: plugin + "/" + filepath.ToSlash(name), Method: archivezip.Deflate, Modified: r.date,
		})
		if err == nil {
			_, err = into.Write(relinkPlugin(name, content))
		}
		return err
	})
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("write plugin: %w", err)
	}
	return r.write(fmt.Sprintf("%s-%s.zip", plugin, version[1]), b.Bytes())
}

// link is a link of Markdown to a file outside the plugin.
var link = regexp.MustCompile(`\[([^\]]+)\]\((?:\.\./)+[^)]*\)`)

// relinkPlugin takes links out that lead nowhere in a shop.
func relinkPlugin(name string, content []byte) []byte {
	if !strings.HasSuffix(name, ".md") {
		return content
	}
	return link.ReplaceAll(content, []byte("$1"))
}
