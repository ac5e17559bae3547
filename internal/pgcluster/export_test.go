package pgcluster

import "context"

// PrepareDirectory exposes where a cluster's directory ends up when the server's user may
// be given only these capabilities.
func PrepareDirectory(
	ctx context.Context, dir, fallback string, choices [][]uintptr,
) (string, []uintptr, error) {
	id, err := serverIdentity()
	if err != nil {
		return "", nil, err
	}
	used, id, err := id.prepareDirectory(ctx, dir, fallback, choices)
	return used, id.caps, err
}

// CapabilityChoices are what Start tries.
var CapabilityChoices = capabilityChoices

// RunsAsAnother reports whether the server runs as another user than this process.
func RunsAsAnother() bool {
	id, err := serverIdentity()
	return err == nil && id.root
}

// ServerProcess returns a command that runs as the server's user.
func ServerProcess(ctx context.Context, name string, args ...string) (interface {
	Start() error
	Wait() error
}, func() int, error,
) {
	id, err := serverIdentity()
	if err != nil {
		return nil, nil, err
	}
	cmd := id.command(ctx, name, args...)
	return cmd, func() int { return cmd.Process.Pid }, nil
}

// AwaitPredecessor exposes the wait for the server of an earlier owner.
var AwaitPredecessor = awaitPredecessor

// Newest exposes the choice among Debian's directories.
var Newest = newest
