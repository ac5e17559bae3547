package dashboard

import (
	"daftar/accounts"
	"daftar/internal/web"
)

// Texts are all words in a language, to be looked through by reflection.
func Texts(l web.Lang) any { return *textsIn(l) }

// ActionWords are what the audit trail calls an action.
func ActionWords(l web.Lang, a accounts.Action) string { return textsIn(l).Audit.Actions[a] }

// PermissionWords are what the audit trail calls a permission.
func PermissionWords(l web.Lang, p accounts.Permission) string {
	return textsIn(l).Audit.Permissions[p]
}

// Row is a row of the table of routes.
type Row struct {
	Method, Path string
	Anybody      bool
	Member       bool
	Fresh        bool
	Needs        accounts.Permission
}

// Rows are the table of routes.
func Rows() []Row {
	var all []Row
	for _, r := range routes() {
		all = append(all, Row{r.method, root + r.path, r.access == anybody, r.access == member, r.fresh, r.needs})
	}
	return all
}
