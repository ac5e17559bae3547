package fake

import "net/http"

// Program is what daftar-dev fake-acquirer needs to run a fake next to a server.
type Program struct {
	Acquirer string
	Variable string   // the server's variable for the fake's address
	Settings string   // JSON: an account that the fake knows
	Methods  []string // that the demonstration offers with that account
	// Note describes a page of the fake in one line, and NotePath is its path; empty: there
	// is none.
	Note, NotePath string
	// Open starts the fake, which sends its messages to notifyURL; end stops it.
	Open func(notifyURL string) (handler http.Handler, end func())
}
