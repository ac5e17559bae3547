// Package accountstest is a world for the tests of accounts, people and settings: a private
// database with an organisation, an application, people, and a clock that the test moves.
package accountstest
