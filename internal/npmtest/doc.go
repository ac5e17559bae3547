// Package npmtest runs tools of other people's making, from npm, for tests that
// want somebody else's judgement: linters, validators, generators.
//
// It promises that a test runs the versions that the folder's package-lock.json
// pins, in a folder of the test's own, and that nothing is fetched or reported
// while it runs: the switches that the tools have against telemetry and looking for
// updates are set, and what does not obey them finds a proxy that is not there.
//
// A folder whose packages were not installed fails the test, it is never skipped:
// `make deps` installs them. So does a tool that takes minutes, or
// that cannot be started. What the tool has to say is the test's to judge.
package npmtest
