// Package patroni runs several PostgreSQL servers under Patroni, with a private etcd, on this
// machine: for tests and tools that need a real cluster manager to promote. It uses the
// patroni.yml for operators (deploy/cluster) unchanged, and sets the rest by environment
// variables.
//
// # What it promises
//
// Start returns when there is a primary and every other node is a standby that commits wait
// for. Node.Kill ends a node as the failure of its machine does: Patroni and PostgreSQL end
// without notifying etcd. Node.Start brings it back; Patroni then rewinds it by itself.
// Node.Pause and Node.Resume freeze a machine for a while. Everything listens on 127.0.0.1 and
// ends with this process, also after a kill -9.
//
// # When it fails
//
// Start fails where a program is missing (make deps-torture installs them), with the names of
// the logs otherwise. Waiting ends with its context.
//
// # Who owns what
//
// The caller owns the Cluster and ends it with Stop. The package owns everything in the
// folder that it is given, which the caller removes.
package patroni
