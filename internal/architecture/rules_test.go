package architecture_test

// rules says which of our packages a package may import; patterns as in
// path.Match, and "x/..." for x and everything below. The first row that matches
// counts. Tests may import more: they test several packages together.
var rules = []struct {
	packages string
	imports  []string
}{
	{"domain", nil},
	{"books", []string{"domain", "internal/plaintext"}}, // pure, as domain is
	{"books/export", []string{"books", "domain"}},
	{"books/bookstest", []string{"books", "books/export", "domain", "eventstore"}},
	// Words in both languages.
	{"facts", []string{"domain", "internal/locale"}},
	// SQL, failpoints and back-off, nothing else.
	{"eventstore", []string{"internal/plaintext", "internal/postgres", "internal/failpoint",
		"internal/worker"}},
	{"eventstore/feed", []string{"eventstore", "internal/postgres", "internal/failpoint", "internal/worker"}},
	// It does not know what rebuilds it.
	{"projections", []string{"books", "domain", "eventstore/...", "facts", "internal/plaintext",
		"internal/postgres/...", "internal/worker"}},
	{"projections/projectionstest", []string{"domain"}},
	{"projections/rebuild", []string{"projections", "eventstore", "internal/postgres",
		"internal/failpoint", "internal/worker"}},
	{"ledger", []string{"books", "domain", "eventstore", "projections", "internal/postgres",
		"internal/tracing"}},
	// It only reads.
	{"reconcile", []string{"domain", "eventstore", "facts", "payments/acquirer/registry",
		"payments/acquirer/statements", "projections", "internal/plaintext", "internal/postgres"}},
	{"recovery", []string{"domain", "eventstore", "projections", "transparency", "webhooks",
		"internal/postgres"}},
	{"accounts", []string{"domain", "internal/..."}},
	{"accounts/people", []string{"accounts", "domain", "internal/..."}},
	{"accounts/people/passkeytest", nil},
	{"accounts/settings", []string{"accounts", "domain", "internal/..."}},
	{"accounts/accountstest", []string{"accounts/...", "domain", "internal/..."}},
	{"requestlog", []string{"accounts", "domain", "internal/postgres", "internal/queue"}},
	{"transparency", []string{"eventstore/...", "internal/..."}},
	// No database.
	{"transparency/witness", []string{"transparency", "internal/exactjson", "internal/wholefile",
		"internal/worker"}},

	{"payments/acquirer", []string{"domain", "internal/locale", "payments/acquirer/statements"}},
	{"payments/acquirer/statements", nil},
	{"payments/acquirer/registry", []string{"payments/acquirer", "payments/acquirer/*"}},
	{"payments/acquirer/exchange", []string{"payments/acquirer"}},
	{"payments/acquirer/fake", nil},
	{"payments/acquirer/conformance", []string{"payments/acquirer", "payments/acquirer/acquirertest",
		"payments/acquirer/fake", "domain"}},
	{"payments/acquirer/acquirertest", []string{"payments/acquirer", "payments/acquirer/fake", "domain"}},
	// The text of QR codes is a format: the adapter and its fake may share it.
	{"payments/acquirer/lypay/numo", nil},
	{"payments/acquirer/lypay/fake", []string{"payments/acquirer/fake", "payments/acquirer/lypay/numo"}},
	{"payments/acquirer/lypay", append([]string{"payments/acquirer/lypay/numo"}, adapter...)},
	{"payments/acquirer/*/fake", []string{"payments/acquirer/fake", "domain"}}, // nothing of the service's
	{"payments/acquirer/sandbox/bank", []string{"domain", "internal/locale"}},
	{"payments/acquirer/*", adapter},
	{"payments/attempt", []string{"payments/acquirer", "domain"}}, // pure, as domain is
	{"payments", append([]string{"accounts/settings", "payments/acquirer", "payments/attempt"}, core...)},
	{"payments/decisions", core},
	{"payments/till", core},
	// Calls acquirers through the engine.
	{"payments/refunds", append([]string{"payments", "payments/acquirer", "payments/decisions"}, core...)},
	// Settles by way of both.
	{"payments/outcomes", append([]string{"payments", "payments/refunds"}, core...)},
	// Lays what a comparison found into the books.
	{"payments/settlements", append([]string{"payments", "payments/acquirer/statements", "payments/outcomes",
		"reconcile"}, core...)},
	// Tells of what the others keep.
	{"notices", append([]string{"payments/decisions", "payments/outcomes", "webhooks"}, core...)},
	{"checkout/receiptpicture", nil}, // texts in, a picture out
	// A receipt shows which webhooks the shop got, and proves the payment.
	{"checkout", append([]string{"accounts/settings", "checkout/receiptpicture", "payments", "payments/acquirer",
		"payments/acquirer/registry", "payments/attempt", "transparency", "webhooks"}, core...)},
	{"docs", nil}, // the guides, as text, and their pictures
	// Needs no database.
	{"docs/site", []string{"docs", "facts", "internal/layout", "internal/locale", "internal/web"}},
	// Its page needs no database; the payment to try is made in the ledger.
	{"frontdoor", []string{"accounts", "domain", "ledger", "internal/layout", "internal/locale",
		"internal/throttle", "internal/web"}},
	// Shows why attempts failed, and gives deliveries to `daftar listen`.
	{"httpapi", append([]string{"payments/acquirer", "payments/refunds", "requestlog", "webhooks"}, core...)},
	// Of acquirers it knows the interface and their descriptions: it opens accounts to check them.
	{"dashboard", append([]string{"accounts/...", "checkout", "dashboard/view", "payments",
		"payments/acquirer", "payments/acquirer/registry", "payments/acquirer/statements",
		"payments/decisions", "payments/outcomes", "payments/refunds",
		"payments/settlements", "payments/till", "notices", "reconcile", "requestlog", "webhooks"}, core...)},
	// What it shows: methods and reasons, actors, deliveries, reconciliations, the guide.
	{"dashboard/view", []string{"accounts/...", "books", "docs", "domain", "facts", "ledger", "notices",
		"payments", "payments/acquirer", "payments/acquirer/registry", "payments/acquirer/statements",
		"payments/attempt", "payments/decisions", "payments/outcomes", "payments/refunds",
		"payments/settlements", "payments/till", "projections", "reconcile", "requestlog", "webhooks",
		"internal/layout", "internal/locale", "internal/mail", "internal/plaintext"}},
	{"webhooks", core},
	{"export", []string{"eventstore/...", "internal/worker"}}, // knows nothing of payments
	{"expiry", core},

	// The wiring: it assembles the parts, and only cmd and tools import it.
	{"cmd/daftar/config", []string{"accounts", "accounts/people", "domain", "export", "httpapi", "transparency",
		"payments/acquirer", "payments/acquirer/registry", "internal/mail", "internal/postgres",
		"internal/tracing", "internal/web"}},
	{"cmd/daftar/server", append([]string{
		"accounts/...", "cmd/daftar/config", "checkout", "dashboard", "dashboard/view", "docs/site",
		"expiry", "export", "frontdoor", "httpapi", "migrations", "notices", "payments/...", "projections/rebuild",
		"requestlog", "transparency", "webhooks",
	}, core...)},
	{"cmd/daftar/cli", []string{"accounts", "cmd/daftar/config", "domain", "httpapi", "migrations",
		"internal/..."}},
	{"cmd/daftar-dev/fakes", []string{"payments/acquirer/...", "cmd/daftar/config", "internal/web"}},
	{"cmd/daftar-dev/demo", []string{"cmd/daftar-dev/fakes", "cmd/daftar/config", "cmd/daftar/server",
		"accounts/...", "domain", "httpapi", "migrations", "payments", "payments/acquirer/registry",
		"internal/..."}},
	{"cmd/...", []string{"..."}},
	{"internal/output", nil},

	{"migrations", []string{"internal/postgres"}},
	{"internal/freeport", nil},
	{"internal/postgres", []string{"internal/postgres/primary"}},
	{"internal/postgres/primary", nil},
	{"internal/postgres/pgtest", []string{"internal/pgcluster", "internal/postgres", "migrations"}},
	{"internal/logo", nil}, // pictures alone
	{"internal/logtest", nil},
	{"internal/pgcluster/patroni", []string{"internal/freeport", "internal/pgcluster"}},
	{"internal/pgcluster", []string{"internal/freeport", "internal/postgres"}},
	{"internal/architecture", nil},
	{"internal/locale", []string{"domain", "internal/plaintext"}}, // amounts in words
	{"internal/layout", []string{"internal/locale"}},
	{"internal/web", []string{"domain", "internal/throttle"}}, // whose request it is
	{"internal/ops", []string{"internal/postgres", "internal/tracing", "internal/web"}},
	{"internal/plaintext", nil},
	{"internal/sealing", []string{"internal/postgres"}},
	// Knows nothing of the content of mails.
	{"internal/mail", []string{"internal/postgres", "internal/queue", "internal/sealing", "internal/worker"}},
	{"internal/tracing", nil},
	{"internal/throttle", nil},
	{"internal/exactjson", nil},
	{"internal/wholefile", nil},
	{"internal/worker", nil},
	{"internal/queue", []string{"internal/worker"}},
	{"internal/failpoint", nil},

	{"tools/...", []string{"..."}}, // separate modules; TestToolsStandApart
	// Merchants' programs, in separate modules: they talk to the API alone.
	{"sdk/go", nil},
	{"examples/go", []string{"sdk/go"}},
}

// adapter are the imports of an acquirer's adapter.
var adapter = []string{"payments/acquirer", "payments/acquirer/exchange", "payments/acquirer/statements",
	"domain", "internal/locale"}

// core are the imports of the parts that face the outside.
var core = []string{"books", "ledger", "projections", "accounts", "domain", "eventstore/...", "facts",
	"internal/..."}

// forTests are packages that the product may not contain.
var forTests = []string{"accounts/accountstest", "accounts/people/passkeytest", "books/bookstest",
	"payments/acquirer/acquirertest", "payments/acquirer/conformance", "internal/logtest",
	"internal/postgres/pgtest", "projections/projectionstest"}
