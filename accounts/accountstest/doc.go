// Package accountstest is a world for the tests of accounts, people and settings: a database of
// the test's own with an organisation, an application, people, and a clock that stands still.
package accountstest
