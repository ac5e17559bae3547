package acceptance_test

import (
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// A server starts without its standby, and reads from the primary.
func TestServeWithoutItsStandby(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(),
		"DAFTAR_DATABASE_READ_URL=postgres://u:p@"+address(t)+"/daftar")
	s.awaitLog(t, "where reads go that may be late has changed")
	if strings.Contains(s.Logged(), "u:p@") {
		t.Error("the log has the password")
	}
}
