package pgtest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestSweepRemovesOnlyUnusedClusters(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	create := func(name string, age time.Duration) (string, *os.File) {
		dir := filepath.Join(temp, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		lock, err := os.Create(filepath.Join(dir, "lock"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = lock.Close() })
		then := time.Now().Add(-age)
		if err := os.Chtimes(dir, then, then); err != nil {
			t.Fatal(err)
		}
		return dir, lock
	}
	left, _ := create("daftar-pgtest-left", time.Hour)
	used, lock := create("daftar-pgtest-used", time.Hour)
	fresh, _ := create("daftar-pgtest-fresh", time.Second)
	other, _ := create("another-program", time.Hour)
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	sweep(temp)
	for dir, want := range map[string]bool{left: false, used: true, fresh: true, other: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s exists: %t, want %t", filepath.Base(dir), err == nil, want)
		}
	}
}
