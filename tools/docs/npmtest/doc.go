// Package npmtest runs third-party tools from npm for tests: linters, validators,
// generators.
//
// A test runs the versions that the folder's package-lock.json pins, in a temporary folder of the
// test. Nothing is downloaded or reported meanwhile: telemetry and update checks are switched off,
// and a tool that tries anyway gets a proxy that does not exist.
//
// A folder whose packages were not installed fails the test, which is never skipped: `make deps`
// installs them. A tool that takes minutes, or that cannot be started, fails it too. The test
// itself has to check a tool's output.
package npmtest
