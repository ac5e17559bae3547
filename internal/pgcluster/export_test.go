package pgcluster

import (
	"context"
	"os/exec"
)

// AwaitPredecessor waits for the server of an earlier owner.
var AwaitPredecessor = awaitPredecessor

// ServerProcess returns a command that runs as the server's user.
func ServerProcess(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	id, err := serverIdentity()
	return id.command(ctx, name, args...), err
}
