// Package pgtest gives tests a real PostgreSQL.
//
// A package whose tests need a database calls Main from its TestMain:
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
// The tests of all packages share the cluster whose address Variable has
// (tools/acceptance/testrun, as `make test` does); without it, Main starts one for this
// process and removes it at the end. A machine without PostgreSQL fails the
// tests, they are never skipped. Database gives each test its own database,
// cloned from a migrated template, so that tests run in parallel and see nothing
// of each other. Queries of a test on the catalogues of the cluster (pg_locks,
// pg_stat_activity) must therefore name its database. Roles are those of
// production: the migrator owns the schema, and the code under test connects as a
// user that has the service role's rights and owns nothing.
//
// Clusters are kept in memory if there is enough. fsync stays on, which costs nothing
// there: `daftar serve` refuses a database without it. Killing a server loses the same
// as on a disk, since both keep what was written to files. NewCluster gives a test its
// own server, to kill and start again.
//
// Proxy forwards between a test's client and the server, and breaks the connection
// where the test says so: a lost request, a lost reply, silence.
package pgtest
