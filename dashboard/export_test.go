package dashboard

import (
	"daftar/accounts"
	"daftar/dashboard/view"
)

// EscapeFormula is escapeFormula.
var EscapeFormula = escapeFormula

// Routes visits the table of routes.
func Routes(visit func(name string, ofMember, fresh bool, needs accounts.Permission)) {
	for _, r := range routes() {
		visit(r.method+" "+view.Root+r.path, r.who.needs != "", r.needsFresh, r.who.needs)
	}
}
