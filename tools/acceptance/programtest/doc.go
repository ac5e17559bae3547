// Package programtest builds the program for tests that call it as its users do, and
// runs it.
//
// Daftar, Dev, Failpoints and Merchant return the path of the binary, built by the first test that asks. The
// test processes of one run share the binaries through the folder in Variable
// (tools/acceptance/testrun sets it, as `make test` does). Without it, each process builds them in
// a temporary folder that Around removes.
//
// Start runs a program in the background and keeps its log; the test's end stops it. It dies with
// the test's process, however that ends.
//
// A program that does not compile, or does not start, fails the test. The package owns the folder
// that it created and the processes that it started.
package programtest
