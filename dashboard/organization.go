package dashboard

import (
	"cmp"

	"github.com/gorilla/mux"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
)

// enterOrganization takes the organisation from the path. To a user who is not a member it does not exist;
// what the role does not allow is refused, and recorded.
func (req *request) enterOrganization(needs accounts.Permission) error {
	id, err := accounts.ParseOrganizationID(mux.Vars(req.r)["organization"])
	if err != nil {
		return errNoPage
	}
	mode := domain.ModeLive
	if req.variable("mode") == view.InTest {
		mode = domain.ModeTest
	}
	req.setMembership(id.String(), mode)
	if err := req.d.config.Accounts.Authorize(req.ctx, req.by, id, needs); err != nil {
		return err
	}
	ctx := req.r.Context()
	for key, now := range map[string]string{sessionOrganization: id.String(), sessionMode: string(mode)} {
		if req.d.sessions.GetString(ctx, key) != now {
			req.d.sessions.Put(ctx, key, now)
		}
	}
	return nil
}

// tenant is the applications that the page is about.
func (req *request) tenant() domain.Tenant {
	return req.organization.ID.In(req.organization.Mode)
}

// setMembership sets the organisation, the mode and the role if the user is a member.
func (req *request) setMembership(id string, mode domain.Mode) {
	for _, m := range req.user.Memberships {
		if m.Organization.String() != id {
			continue
		}
		if m.TestOnly { // its address without the mode leads to the same pages
			mode = domain.ModeTest
		}
		req.role = m.Role
		req.organization = view.Organization{ID: m.Organization, Name: m.Name, Mode: mode, TestOnly: m.TestOnly}
	}
}

// useLastOrganization chooses the organisation in whose navigation a page without an organisation is
// shown: the user's only one, or the last that was opened, if the user is still a member. The mode is
// the last one, too.
func (req *request) useLastOrganization() {
	last := req.d.sessions.GetString(req.r.Context(), sessionOrganization)
	mode := domain.Mode(req.d.sessions.GetString(req.r.Context(), sessionMode))
	if only := req.user.Memberships; len(only) == 1 {
		last = only[0].Organization.String()
	}
	req.setMembership(last, cmp.Or(mode, domain.ModeLive))
}

// sandbox reports whether the payments that the page is about move no money.
func (req *request) sandbox() bool {
	return req.d.config.Sandbox || req.organization.Mode == domain.ModeTest
}
