// Package pgtest gives tests a real PostgreSQL.
//
// A package whose tests need a database calls Main from its TestMain:
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
//
// That starts one throw-away cluster for the test process, migrates one database
// as the template, and removes everything at the end; a machine without
// PostgreSQL fails the tests, they are never skipped. Database then hands each
// test a database of its own, cloned from the template, so that tests run in
// parallel and see nothing of each other. Roles are those of production: the
// migrator owns the schema, and the code under test connects as a user that has
// the service role's rights and owns nothing.
//
// The cluster keeps fsync on: a test of what survives a crash means it.
// NewCluster gives a test a server of its own, to kill and start again.
//
// Proxy stands between a test's client and the server and breaks the connection
// where the test says so: a request lost, a reply lost, silence.
package pgtest
