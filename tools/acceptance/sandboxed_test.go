package acceptance_test

import (
	"net/http"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// sandboxed is a server with a sandbox acquirer, which may or may not run, and a merchant: a demo
// without a separate database server.
type sandboxed struct {
	*demonstration
	*service
	db       *pgtest.DB
	merchant shop
	acquirer []string // variables of the server about it
	listen   string   // its address
}

func newSandboxed(t *testing.T, extra ...string) *sandboxed {
	t.Helper()
	s := &sandboxed{db: pgtest.Database(t), listen: address(t)}
	s.acquirer = []string{"DAFTAR_SANDBOX_URL=http://" + s.listen, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret}
	s.service = serve(t, s.db.ServiceURL(), append(s.acquirer, extra...)...)
	s.merchant = newShop(t, s.service.env)
	s.demonstration = &demonstration{
		process: s.service.process, base: s.service.base, key: s.merchant.key,
		authorization: "Bearer " + s.merchant.token, sandbox: "http://" + s.listen,
	}
	return s
}

// startAcquirer starts the acquirer and waits until it answers.
func (s *sandboxed) startAcquirer(t *testing.T) {
	t.Helper()
	env := []string{"DAFTAR_SANDBOX_LISTEN=" + s.listen, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret}
	start(t, t.TempDir(), env, "sandbox-acquirer")
	pgtest.WaitFor(t, "the acquirer", func() bool {
		response, err := http.Get(s.sandbox + "/control/ledger")
		return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
	})
}
