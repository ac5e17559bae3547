package pgtest

import (
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	dirPrefix = "daftar-pgtest-"
	// freshFor protects a directory whose process has not locked it yet.
	freshFor = 10 * time.Minute
)

// sweep removes the clusters of test processes that were killed or timed out:
// their servers died with them, their directories stay. A directory in use is
// locked by its process (pgcluster.Cluster does it).
func sweep(tempDir string) {
	dirs, err := filepath.Glob(filepath.Join(tempDir, dirPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err == nil && time.Since(info.ModTime()) > freshFor && unlocked(dir) {
			_ = os.RemoveAll(dir) // another user's: not ours to remove
		}
	}
}

func unlocked(dir string) bool {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if err != nil {
		return os.IsNotExist(err)
	}
	defer func() { _ = file.Close() }()
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
