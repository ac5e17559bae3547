// Testrun starts what the tests of all packages share, runs a command with the
// addresses in its environment, and ends all of it: a PostgreSQL cluster with the
// migrated template (internal/postgres/pgtest), a browser (tools/acceptance/browsertest)
// and a folder for the programs that tests build (tools/acceptance/programtest). `make
// test` runs go test in it; a package tested without it starts its own.
//
// Its exit code is the command's.
package main
