package fake

import "net/http"

// Program is what it takes to run a fake next to a server: daftar-dev fake-acquirer does.
type Program struct {
	Acquirer string
	Variable string   // of the server; it gets the fake's address
	Settings string   // JSON: an account that the fake knows
	Methods  []string // that the demonstration offers with that account
	// Note says in a line what else there is at the fake's address, which follows it; empty:
	// nothing.
	Note, NotePath string
	// Open starts the fake, which sends its messages to notifyURL; end stops it.
	Open func(notifyURL string) (handler http.Handler, end func())
}
