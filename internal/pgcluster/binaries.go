package pgcluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"daftar/internal/postgres"
)

// ErrNotInstalled is returned by FindBinaries where there is no PostgreSQL
// server that Daftar can start.
var ErrNotInstalled = errors.New("PostgreSQL 15 or newer is not installed; " +
	"on Debian or Ubuntu: apt-get install postgresql")

// FindBinaries returns the directory of the newest installed PostgreSQL server
// (initdb and postgres), version 15 or newer: Debian's first, then the one on
// PATH. The error is ErrNotInstalled.
func FindBinaries() (string, error) {
	dirs, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", fmt.Errorf("find PostgreSQL: %w", err)
	}
	if dir := newest(dirs); dir != "" {
		return dir, nil
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		return "", ErrNotInstalled
	}
	// initdb is often a link; postgres is in the folder of its target.
	initdb, err = filepath.EvalSymlinks(initdb)
	if err != nil {
		return "", fmt.Errorf("find PostgreSQL: %w", err)
	}
	if dir := filepath.Dir(initdb); hasServer(dir) {
		return dir, nil
	}
	return "", ErrNotInstalled
}

// newest returns the directory VERSION/bin with the highest version from
// postgres.MinVersion that holds a whole server, "" if there is none. A client package
// alone leaves such a directory without initdb.
func newest(dirs []string) string {
	best, bestVersion := "", postgres.MinVersion-1
	for _, dir := range dirs {
		version, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
		if err == nil && version > bestVersion && hasServer(dir) {
			best, bestVersion = dir, version
		}
	}
	return best
}

func hasServer(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}
