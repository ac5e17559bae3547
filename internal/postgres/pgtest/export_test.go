package pgtest

import (
	"context"
	"testing"
)

// Sweep exposes how Main removes what killed test processes have left.
var Sweep = sweep

// ParentDir exposes where clusters are kept.
var ParentDir = parentDir

// Process is what Main makes for the tests of one process.
type Process struct{ s *server }

// OpenProcess does what Main does before the first test where Variable has an address.
func OpenProcess(ctx context.Context, address string) (Process, error) {
	s, err := open(ctx, address)
	return Process{s}, err
}

// Database is the function of the same name, in this process.
func (p Process) Database(t testing.TB) *DB { return p.s.create(t, template) }

// Stop does what Main does after the last test.
func (p Process) Stop() error { return p.s.stop() }

// Address is what Variable has, or would have, for the tests of this package.
func Address() string { return running.address }

// Held reports whether the proxy keeps anything back.
func (p *ProxyServer) Held() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held > 0
}
