// Package projectionstest fills the read models of a test's database with the rows of many payments,
// by SQL: written as events they would take minutes. There are no events behind the rows, so a replay
// would remove them. A failure ends the test. The database is the caller's.
package projectionstest
