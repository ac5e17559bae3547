// Package commands is the command line of daftar-dev: the demonstration, the fakes of acquirers,
// and payments that are played at the sandbox.
//
// It keeps what package cli promises of exit codes, --json and mistakes in a call. It opens no
// database: trigger and sandbox reach a server by its API and its checkout, as a shop and a payer do.
package commands
