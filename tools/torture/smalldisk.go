package torture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"daftar/internal/pgcluster"
)

// smallDisk is a file system of limited size for the write-ahead log, so that it can be full
// (F8).
type smallDisk struct{ mount string }

// smallDiskSize is twice the largest size of the write-ahead log.
const smallDiskSize = "768m"

// moveLog moves PostgreSQL's write-ahead log to a separate disk. Only root can mount one;
// for other users it returns nil and F8 is left out.
func (s *stage) moveLog(ctx context.Context) (*smallDisk, error) {
	d := &smallDisk{mount: filepath.Join(s.dir, "small")}
	if err := os.Mkdir(d.mount, 0o755); err != nil { //nolint:gosec // the database's user passes through
		return nil, fmt.Errorf("make directory: %w", err)
	}
	if err := syscall.Mount("tmpfs", d.mount, "tmpfs", 0, "size="+smallDiskSize+",mode=0755"); err != nil {
		s.progressf("F8 (no room on the disk) is left out: no file system can be mounted here: %v", err)
		return nil, nil
	}
	if err := s.cluster.Stop(ctx); err != nil {
		return d, fmt.Errorf("stop PostgreSQL: %w", err)
	}
	old, place := filepath.Join(s.cluster.Dir(), "data", "pg_wal"), filepath.Join(d.mount, "pg_wal")
	err := errors.Join(
		os.CopyFS(place, os.DirFS(old)),
		os.RemoveAll(old),
		os.Symlink(place, old),
		d.chown(s.cluster.Dir(), place))
	if err != nil {
		return d, fmt.Errorf("move the write-ahead log: %w", err)
	}
	if err := s.cluster.Start(ctx); err != nil {
		return d, fmt.Errorf("start PostgreSQL: %w", err)
	}
	return d, nil
}

// chown gives all files in a directory the owner of the database.
func (d *smallDisk) chown(cluster, place string) error {
	info, err := os.Stat(filepath.Join(cluster, "data"))
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return errors.New("the owner of the database's directory is not known")
	}
	uid, gid := int(owner.Uid), int(owner.Gid)
	return filepath.WalkDir(place, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		mode := os.FileMode(0o600)
		if entry.IsDir() {
			mode = 0o700
		}
		return errors.Join(os.Chmod(path, mode), os.Lchown(path, uid, gid)) //nolint:gosec // PostgreSQL is stopped
	})
}

// fill uses up the space of the disk; free releases it.
func (d *smallDisk) fill() (free func(), err error) {
	path := filepath.Join(d.mount, "ballast")
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("fill the disk: %w", err)
	}
	defer func() { _ = f.Close() }()
	block := make([]byte, 1<<20)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		_ = os.Remove(path)
		return nil, fmt.Errorf("fill the disk: %w", err)
	}
	return func() { _ = os.Remove(path) }, nil
}

// unmount copies the log back to a stopped cluster, so that a kept database can be started,
// and unmounts the disk.
func (d *smallDisk) unmount(cluster string) {
	place := filepath.Join(cluster, "data", "pg_wal")
	if target, err := os.Readlink(place); err == nil && filepath.Dir(target) == d.mount {
		_ = os.Remove(place)
		_ = os.CopyFS(place, os.DirFS(target))
		_ = d.chown(cluster, place)
	}
	_ = syscall.Unmount(d.mount, syscall.MNT_DETACH)
}

// revive starts PostgreSQL if it has ended, or waits until it has recovered by itself.
func (s *stage) revive(ctx context.Context) error {
	deadline := time.Now().Add(time.Minute)
	for {
		err := s.cluster.Start(ctx)
		if err == nil {
			return nil
		}
		if errors.Is(err, pgcluster.ErrRunning) && s.pool.Ping(ctx) == nil {
			return nil
		}
		if time.Now().After(deadline) || !wait(ctx, 20*time.Millisecond) {
			return fmt.Errorf("start PostgreSQL again: %w", err)
		}
	}
}
