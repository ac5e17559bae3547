package httpapi

import "daftar/accounts"

// Routes visits the table of operations; paths are below Prefix.
func Routes(visit func(method, path string, needs accounts.Scope)) {
	for _, e := range endpoints {
		visit(e.method, e.path, e.needs)
	}
}
