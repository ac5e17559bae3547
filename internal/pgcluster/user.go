package pgcluster

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// identity is the user that the server runs as.
type identity struct {
	root     bool // this process is root, and the server runs as another user
	uid, gid uint32
	// caps let the server's user pass directories that only root may enter. They are
	// empty where that user reaches its files without them.
	caps []uintptr
}

// serverIdentity returns the user of this process, or the user postgres if that is root.
// There is no fallback to the user "nobody": every other service that runs as that user
// could read its files.
func serverIdentity() (identity, error) {
	if os.Geteuid() != 0 {
		return identity{}, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return identity{}, errors.New("PostgreSQL does not run as root " +
			`and there is no user "postgres" to run it as; ` +
			"run this as an ordinary user, or: useradd --system postgres")
	}
	uid, errUID := strconv.ParseUint(account.Uid, 10, 32)
	gid, errGID := strconv.ParseUint(account.Gid, 10, 32)
	if err := errors.Join(errUID, errGID); err != nil {
		return identity{}, fmt.Errorf("look up user postgres: %w", err)
	}
	return identity{root: true, uid: uint32(uid), gid: uint32(gid)}, nil
}

// command prepares a child that runs as the server's user. Its working
// directory is / because that user may not be able to enter ours.
func (id identity) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{
		// A separate process group: Ctrl-C on the terminal is for us, and we stop the
		// server after everything that still needs it.
		Setpgid: true,
	}
	if id.root {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: id.uid, Gid: id.gid}
		setCapabilities(cmd.SysProcAttr, id.caps)
	}
	return cmd
}

// Command prepares another program that works on a server's files, such as a backup: it
// runs as the user that servers run as.
func Command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	id, err := serverIdentity()
	if err != nil {
		return nil, err
	}
	return id.command(ctx, name, args...), nil
}

// Give makes the user that servers run as the owner of a file or a folder, not of the
// folder's content.
func Give(path string) error {
	id, err := serverIdentity()
	if err != nil || !id.root {
		return err
	}
	if err := os.Chown(path, int(id.uid), int(id.gid)); err != nil {
		return fmt.Errorf("give to the server's user: %w", err)
	}
	return nil
}

// reaches reports whether the server's user can enter dir and write to it.
func (id identity) reaches(ctx context.Context, dir string) bool {
	return id.command(ctx, "/bin/sh", "-c", `cd "$1" && test -w .`, "sh", dir).Run() == nil
}

// prepareDirectory makes dir a place where the server can keep its data and returns the
// directory that is really used. A clone in a directory of mode 0700 is closed
// to the user postgres; then the server gets the right to pass directories:
// first the narrow capability, then the one that containers usually still have.
// Where the kernel grants neither, or dir's file system knows no owners, the
// data goes to a fixed place under fallback.
func (id identity) prepareDirectory(ctx context.Context, dir, fallback string,
	choices [][]uintptr,
) (string, identity, error) {
	prepared, err := id.tryDirectory(ctx, dir, choices)
	if err == nil {
		return dir, prepared, nil
	}
	if !id.root {
		return "", id, err
	}
	hash := fnv.New64a()
	hash.Write([]byte(dir))
	elsewhere := filepath.Join(fallback, fmt.Sprintf("daftar-demo-%016x", hash.Sum64()))
	prepared, errElsewhere := id.tryDirectory(ctx, elsewhere, choices)
	if errElsewhere != nil {
		return "", id, fmt.Errorf("prepare data directory: %w", errors.Join(err, errElsewhere))
	}
	return elsewhere, prepared, nil
}

func (id identity) tryDirectory(ctx context.Context, dir string, choices [][]uintptr) (identity, error) {
	mode := os.FileMode(0o700)
	if id.root {
		mode = 0o711 // the server's user passes through to its data and sees no names
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return id, fmt.Errorf("create directory: %w", err)
	}
	if err := os.Chmod(dir, mode); err != nil {
		return id, fmt.Errorf("set mode of directory: %w", err)
	}
	if !id.root {
		return id, nil
	}
	probe, err := os.MkdirTemp(dir, "probe-")
	if err != nil {
		return id, fmt.Errorf("create probe directory: %w", err)
	}
	defer os.Remove(probe)
	if err := os.Chown(probe, int(id.uid), int(id.gid)); err != nil {
		return id, fmt.Errorf("give directory to user postgres: %w", err)
	}
	for _, caps := range choices {
		id.caps = caps
		if id.reaches(ctx, probe) {
			return id, nil
		}
	}
	return id, fmt.Errorf("user postgres cannot reach %s", dir)
}
