package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// writeArchive writes a program's archive for a platform, with everything in one folder.
func (r *release) writeArchive(program string, p platform, placed places, all ...map[string][]byte) error {
	folder := fmt.Sprintf("%s-%s-%s", program, r.version, p)
	var files []file
	for _, contents := range all {
		for name, content := range contents {
			if strings.HasSuffix(name, ".md") {
				content = placed.relink(name, content)
			}
			mode := int64(0o644)
			if name == program {
				mode = 0o755
			}
			files = append(files, file{path.Join(folder, name), mode, content})
		}
	}
	content, err := packed(files, r.date)
	if err == nil {
		content, err = compressed(content, gzip.DefaultCompression)
	}
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return r.write(folder+".tar.gz", content)
}

// packed returns a tar file of root's, with a folder in front of each name.
func packed(files []file, date time.Time) ([]byte, error) {
	modes, contents := map[string]int64{}, map[string][]byte{}
	for _, f := range files {
		modes[f.name], contents[f.name] = f.mode, f.content
		for dir := path.Dir(f.name); dir != "." && dir != "/"; dir = path.Dir(dir) {
			modes[dir+"/"] = 0o755
		}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(modes)) {
		header := &tar.Header{
			Name: name, Mode: modes[name], ModTime: date,
			Size: int64(len(contents[name])), Typeflag: tar.TypeReg, Format: tar.FormatPAX,
		}
		if strings.HasSuffix(name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		if _, err := w.Write(contents[name]); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return b.Bytes(), nil
}
