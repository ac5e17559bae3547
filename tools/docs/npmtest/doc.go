// Package npmtest runs third-party tools from npm for tests: linters, validators,
// generators.
//
// It promises that a test runs the versions that the folder's package-lock.json
// pins, in a folder of the test's own, and that nothing is fetched or reported
// while it runs: telemetry and the search for updates are switched off, and a tool that
// tries all the same finds a proxy that is not there.
//
// A folder whose packages were not installed fails the test, it is never skipped:
// `make deps` installs them. So does a tool that takes minutes, or
// that cannot be started. What the tool has to say is the test's to judge.
package npmtest
