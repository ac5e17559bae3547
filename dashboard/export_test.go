package dashboard

import (
	"daftar/accounts"
	"daftar/dashboard/view"
)

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
		all = append(all, Row{r.method, view.Root + r.path, r.access == anyone, r.access == member, r.fresh, r.needs})
	}
	return all
}

// MaxExports is how many files a person may take in an hour.
const MaxExports = maxExports

// Defuse is what files without types have of text that is not ours.
func Defuse(text string) string { return defuse(text) }
