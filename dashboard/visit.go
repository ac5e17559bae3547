package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/web"
)

// visit is one request, who sends it, and its answer.
type visit struct {
	d    *Dashboard
	w    http.ResponseWriter
	r    *http.Request
	ctx  context.Context // ends with the request or its limit
	lang web.Lang

	user         accounts.User     // zero where the route is for anyone
	organization view.Organization // zero outside of one
	role         accounts.Role
	application  domain.ApplicationID // of the path; zero where it names none
	by           accounts.Actor       // who does what the request asks for
}

// handler checks a request against its route, and turns errors into pages.
func (d *Dashboard) handler(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, cancel := context.WithTimeout(req.Context(), requestLimit)
		defer cancel()
		req.Body = http.MaxBytesReader(w, req.Body, maxForm)
		v := &visit{d: d, w: w, r: req, ctx: ctx, lang: web.LangFrom(req)}
		err := d.authorize(v, r)
		if err == nil {
			err = r.handle(d, v)
		}
		if err != nil {
			d.answerError(v, err)
		}
	})
}

// authorize finds the user of the request and checks that the route is for them.
func (d *Dashboard) authorize(v *visit, r route) error {
	v.by = accounts.Actor{Address: web.ClientAddress(v.r), RequestID: web.RequestID(v.r.Context())}
	if r.access == anyone {
		return nil
	}
	var err error
	if v.user, err = d.signedIn(v); err != nil {
		return err
	}
	v.by = v.user.Actor(v.by.Address, v.by.RequestID)
	if r.access == member {
		if err := v.enter(r.needs); err != nil {
			return err
		}
	}
	signedIn := time.Unix(d.sessions.GetInt64(v.r.Context(), sessionSignedIn), 0)
	if r.fresh && d.config.Now().Sub(signedIn) > freshLimit {
		return errStale
	}
	if text := v.variable("application"); text != "" {
		if v.application, err = accounts.ParseApplicationID(text); err != nil {
			return errNoPage
		}
	}
	return nil
}

// signedIn is the user of the session. A change of the password ends it.
func (d *Dashboard) signedIn(v *visit) (accounts.User, error) {
	ctx := v.r.Context()
	id, err := accounts.ParseUserID(d.sessions.GetString(ctx, sessionUser))
	if err != nil {
		return accounts.User{}, errSignedOut
	}
	user, err := d.config.Accounts.SessionUser(v.ctx, id, d.sessions.GetInt64(ctx, sessionEpoch))
	if errors.Is(err, accounts.ErrSessionEnded) {
		return accounts.User{}, errSignedOut
	}
	return user, err
}

// enter takes the organisation from the path. One that the person does not belong
// to does not exist; what the role does not allow is refused, and recorded.
func (v *visit) enter(needs accounts.Permission) error {
	id, err := accounts.ParseOrganizationID(mux.Vars(v.r)["organization"])
	if err != nil {
		return errNoPage
	}
	v.join(id.String())
	if err := v.d.config.Accounts.Authorize(v.ctx, v.by, id, needs); err != nil {
		return err
	}
	if ctx := v.r.Context(); v.d.sessions.GetString(ctx, sessionOrganization) != id.String() {
		v.d.sessions.Put(ctx, sessionOrganization, id.String())
	}
	return nil
}

// join sets the organisation and the role where the person is a member.
func (v *visit) join(id string) {
	for _, m := range v.user.Memberships {
		if m.Organization.String() == id {
			v.organization, v.role = view.Organization{ID: m.Organization, Name: m.Name}, m.Role
		}
	}
}

// enterLast puts a page that belongs to no organisation beside the navigation of the
// only one that the person belongs to, or of the one looked at last; of none where
// the person has left it.
func (v *visit) enterLast() {
	last := v.d.sessions.GetString(v.r.Context(), sessionOrganization)
	if only := v.user.Memberships; len(only) == 1 {
		last = only[0].Organization.String()
	}
	v.join(last)
}

// variable is a part of the path.
func (v *visit) variable(name string) string { return mux.Vars(v.r)[name] }

// field is a field of the form that was sent, as it was typed but for blanks
// around it.
func (v *visit) field(name string) string { return strings.TrimSpace(v.r.PostFormValue(name)) }

// secretField is a field whose blanks count.
func (v *visit) secretField(name string) string { return v.r.PostFormValue(name) }

// in is a path below the organisation of the visit.
func (v *visit) in(path string) string { return view.Within(v.organization.ID, path) }

// applicationPath is the page of the application in the path.
func (v *visit) applicationPath() string { return v.in("applications/" + v.application.String()) }

// redirect leads to another page of ours, in the language of this one. Every form that
// changed something ends so, except where it has a secret to show. An address outside
// of the dashboard is an error: no request may name where we lead.
func (v *visit) redirect(address string) error {
	if path, _, _ := strings.Cut(address, "?"); !ours(path) {
		return fmt.Errorf("redirect to %q: not an address of the dashboard", address)
	}
	v.w.Header().Set("Location", web.WithLang(address, v.lang))
	v.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// noticeParameter tells the page after a form what was done.
const noticeParameter = "done"

// done leads to a page that says what was done; notice is a name in the texts' Notices.
func (v *visit) done(path, notice string) error {
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	return v.redirect(path + separator + noticeParameter + "=" + url.QueryEscape(notice))
}

// show answers with a page.
func (v *visit) show(section view.Section, s view.Content) error {
	return v.answer(http.StatusOK, section, s)
}

// showInvalid answers a form that has to be corrected.
func (v *visit) showInvalid(section view.Section, s view.Content) error {
	return v.answer(http.StatusUnprocessableEntity, section, s)
}

func (v *visit) answer(status int, section view.Section, s view.Content) error {
	p := view.Page{
		Lang: v.lang, Address: v.self(), Sandbox: v.d.config.Sandbox, Section: section, View: s,
		Notice: v.r.URL.Query().Get(noticeParameter),
	}
	if v.user.Email != "" {
		waiting, err := v.d.waiting(v)
		if err != nil {
			return err
		}
		p.SignedIn = view.Identity{
			Email: v.user.Email, Organization: v.organization, Role: v.role, Others: len(v.user.Memberships) > 1,
			ToDecide: waiting,
		}
	}
	return v.write(status, p)
}

func (v *visit) write(status int, p view.Page) error {
	text, err := p.Render()
	if err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", p.Lang.String())
	h.Set("Content-Length", strconv.Itoa(len(text)))
	v.w.WriteHeader(status)
	// A browser that has gone away needs no page.
	_, _ = v.w.Write(text)
	return nil
}

// self is the address of the page that the person is on: for a form, the page
// that led to it, because the form's own address answers no GET.
func (v *visit) self() string {
	if v.r.Method == http.MethodGet || v.r.Method == http.MethodHead {
		return v.r.URL.RequestURI()
	}
	if from, err := url.Parse(v.r.Referer()); err == nil && ours(from.Path) {
		return from.RequestURI()
	}
	return view.Root
}

// ours reports whether a path is one of the dashboard.
func ours(path string) bool { return path == view.Root || strings.HasPrefix(path, view.Root+"/") }
