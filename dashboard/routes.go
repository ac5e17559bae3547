package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// access is who may use a route.
type access uint8

const (
	// anyone includes visitors without a session.
	anyone access = iota
	// anyUser is every signed-in user.
	anyUser
	// member is every member of the organisation in the path with the permission.
	member
)

// route is a row of the table of all routes. The matrix test must have a row for each.
type route struct {
	method string
	path   string // below /dashboard
	access access
	needs  accounts.Permission // with member
	// fresh asks for a new sign-in if the last was too long ago.
	fresh  bool
	handle func(*Dashboard, *request) error
	body   int64 // size limit of the form in bytes; zero: maxForm
}

// inOrganization is the beginning of paths below an organisation.
const inOrganization = "/{organization}"

// declared is that table: each file of handlers declares its own rows.
var declared []route

// declare adds rows to the table while the program starts. It returns a value because it is the
// initializer of a package variable.
func declare(rows ...route) struct{} { //nolint:unparam // see above
	declared = append(declared, rows...)
	return struct{}{}
}

// routes are the rows sorted by path, so that a literal segment comes before a variable.
func routes() []route {
	return slices.SortedStableFunc(slices.Values(declared), func(a, b route) int {
		return strings.Compare(a.path, b.path)
	})
}

// loaded is the handler of a page that is loaded and shown.
func loaded[C view.Content](
	here view.Section, load func(*Dashboard, *request) (C, error),
) func(*Dashboard, *request) error {
	return func(d *Dashboard, req *request) error {
		c, err := load(d, req)
		if err != nil {
			return err
		}
		return req.show(here, c)
	}
}

var _ = declare(
	route{method: http.MethodGet, path: "", access: anyUser, handle: (*Dashboard).start},
	route{method: http.MethodGet, path: "/organizations", access: anyUser,
		handle: (*Dashboard).chooseOrganization},
	route{method: http.MethodGet, path: inOrganization, access: member, needs: accounts.SeePayments,
		handle: (*Dashboard).startOf},
)

// start leads to the user's organisation: the only one, or the last that was opened.
// Otherwise the user chooses one.
func (d *Dashboard) start(req *request) error {
	if req.useLastOrganization(); req.organization != (view.Organization{}) {
		return d.startOf(req)
	}
	return d.chooseOrganization(req)
}

func (d *Dashboard) chooseOrganization(req *request) error {
	return req.show(view.SectionNone, view.Organizations{Memberships: req.user.Memberships})
}

func (d *Dashboard) startOf(req *request) error {
	return req.redirect(req.in("payments"))
}
