// Package programtest builds the program for tests that call it as its users do.
//
// Daftar and Failpoints return the path of the binary, built by the first test
// that asks. The test processes of one run share what was built through the folder
// that Variable names (internal/testrun, as `make test` does); without it, each
// process builds for itself, in a folder that Main removes.
//
// A program that does not compile fails the test that asked. The package owns the
// folder that it made and nothing else.
package programtest
