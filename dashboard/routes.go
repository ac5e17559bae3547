package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// access says who may use a route.
type access uint8

const (
	// anyone is for people without a session, too.
	anyone access = iota
	// anyUser is for every user who is signed in.
	anyUser
	// member is for members of the organisation in the path who have the permission.
	member
)

// route is a row of the table of everything that the dashboard answers. The
// matrix test has a row for each, and fails without.
type route struct {
	method string
	path   string // below /dashboard
	access access
	needs  accounts.Permission // with member
	// fresh asks for what a sign-in asks for again if the last was too long ago.
	fresh  bool
	handle func(*Dashboard, *request) error
	body   int64 // how large its form may be; zero: maxForm
}

// inOrganization is where paths below an organisation begin.
const inOrganization = "/{organization}"

// declared is that table: each file of handlers declares its own rows.
var declared []route

// declare adds rows to the table, while the program starts. What a package variable is set by has
// to return something.
func declare(rows ...route) struct{} { //nolint:unparam // see above
	declared = append(declared, rows...)
	return struct{}{}
}

// routes are the rows by path, which has a word before what stands for any.
func routes() []route {
	return slices.SortedStableFunc(slices.Values(declared), func(a, b route) int {
		return strings.Compare(a.path, b.path)
	})
}

// loaded is the handler of a page that is looked up and shown.
func loaded[C view.Content](here view.Section,
	load func(*Dashboard, *request) (C, error),
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

// start leads to the person's organisation: the only one, or the last that was
// looked at. Otherwise it asks which.
func (d *Dashboard) start(req *request) error {
	if req.enterLast(); req.organization != (view.Organization{}) {
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
