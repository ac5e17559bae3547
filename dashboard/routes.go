package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// audience is who may use a route.
type audience struct {
	signedIn bool
	needs    accounts.Permission // in the organisation of the path; empty: outside of organisations
}

var (
	// anyone includes visitors without a session.
	anyone = audience{}
	// anyUser is every signed-in user.
	anyUser = audience{signedIn: true}
)

// member is every member with the permission. The path of the route is below the organisation.
func member(needs accounts.Permission) audience { return audience{signedIn: true, needs: needs} }

// handler answers a request, or returns the error for answerError.
type handler func(*Dashboard, *request) error

// route is a row of the table of all routes. The matrix test must have a row for each.
type route struct {
	method     string
	path       string // below /dashboard
	who        audience
	handle     handler
	needsFresh bool  // asks for a new sign-in if the last was too long ago
	body       int64 // size limit of the form in bytes; zero: maxForm
}

// inOrganization is the beginning of the paths of members' routes.
const inOrganization = "/{organization}"

func get(path string, who audience, handle handler) route {
	return newRoute(http.MethodGet, path, who, handle)
}

func post(path string, who audience, handle handler) route {
	return newRoute(http.MethodPost, path, who, handle)
}

func newRoute(method, path string, who audience, handle handler) route {
	if who.needs != "" {
		path = inOrganization + path
	}
	return route{method: method, path: path, who: who, handle: handle}
}

// fresh is the route for users whose last sign-in was a short time ago.
func (r route) fresh() route {
	r.needsFresh = true
	return r
}

// upTo is the route of a form of at most so many bytes.
func (r route) upTo(bytes int64) route {
	r.body = bytes
	return r
}

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
) handler {
	return func(d *Dashboard, req *request) error {
		c, err := load(d, req)
		if err != nil {
			return err
		}
		return req.show(here, c)
	}
}

var _ = declare(
	get("", anyUser, (*Dashboard).start),
	get("/organizations", anyUser, (*Dashboard).chooseOrganization),
	get("", member(accounts.SeePayments), (*Dashboard).startOf),
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
	return req.redirect(req.in(string(view.SectionOverview)))
}
