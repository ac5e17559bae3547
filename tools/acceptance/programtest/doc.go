// Package programtest builds the program for tests that call it as its users do, and
// runs it.
//
// Daftar, Dev and Failpoints return the path of the binary, built by the first test
// that asks. The test processes of one run share what was built through the folder
// that Variable names (tools/acceptance/testrun, as `make test` does); without it, each
// process builds for itself, in a folder that Around removes.
//
// Start runs a program in the background, with its log kept, and the test's end stops
// it. It dies with the test's process, whatever kills that.
//
// A program that does not compile, or does not start, fails the test that asked. The
// package owns the folder that it made and the processes that it started.
package programtest
