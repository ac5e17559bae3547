package dashboard

import (
	"net/http"
	"slices"

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
	// fresh asks for the password again if it was given too long ago.
	fresh  bool
	handle func(*Dashboard, *visit) error
}

// inOrganization is where paths below an organisation begin.
const inOrganization = "/{organization}"

// routes is that table, a part for each file of handlers.
func routes() []route {
	return slices.Concat(startRoutes, signInRoutes, accountRoutes, peopleRoutes, applicationRoutes, tokenRoutes,
		paymentRoutes, moneyRoutes, webhookRoutes, developerRoutes, auditRoutes)
}

// fixed is the handler of a page that shows the same to everybody.
func fixed(here view.Section, c view.Content) func(*Dashboard, *visit) error {
	return func(_ *Dashboard, v *visit) error { return v.show(here, c) }
}

// loaded is the handler of a page that is looked up and shown.
func loaded[C view.Content](here view.Section, load func(*Dashboard, *visit) (C, error)) func(*Dashboard, *visit) error {
	return func(d *Dashboard, v *visit) error {
		c, err := load(d, v)
		if err != nil {
			return err
		}
		return v.show(here, c)
	}
}

var startRoutes = []route{
	{method: http.MethodGet, path: "", access: anyUser, handle: (*Dashboard).start},
	{method: http.MethodGet, path: "/organizations", access: anyUser, handle: (*Dashboard).chooseOrganization},
	{method: http.MethodGet, path: inOrganization, access: member, needs: accounts.SeePayments, handle: (*Dashboard).startOf},
}

// start leads to the person's organisation: the only one, or the last that was
// looked at. Otherwise it asks which.
func (d *Dashboard) start(v *visit) error {
	if v.enterLast(); v.organization != (view.Organization{}) {
		return d.startOf(v)
	}
	return d.chooseOrganization(v)
}

func (d *Dashboard) chooseOrganization(v *visit) error {
	return v.show(view.SectionNone, view.Organizations{Memberships: v.user.Memberships})
}

func (d *Dashboard) startOf(v *visit) error {
	return v.redirect(v.in("payments"))
}
