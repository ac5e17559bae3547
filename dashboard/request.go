package dashboard

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/web"
)

// request is an HTTP request, the user who sends it, and its answer.
type request struct {
	d    *Dashboard
	w    http.ResponseWriter
	r    *http.Request
	ctx  context.Context // ends with the request or its limit
	lang locale.Lang

	user         people.User       // zero if the route is for anyone
	organization view.Organization // zero outside of an organisation
	role         accounts.Role
	application  domain.ApplicationID // of the path; zero if it names none
	by           accounts.Actor       // the actor in the audit trail
	unsaved      bool                 // the session was loaded, and the answer has not begun
	loaded       string               // the token of that session; empty: none
	page         string               // the address of the page of a form; empty: see self
}

// handler checks a request against its route, and turns errors into pages.
func (d *Dashboard) handler(to route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestLimit)
		defer cancel()
		r.Body = http.MaxBytesReader(w, r.Body, cmp.Or(to.body, maxForm))
		req := &request{d: d, w: w, r: r, ctx: ctx, lang: locale.LangFrom(r)}
		err := errCrossSite
		if d.sameOrigin.Check(r) == nil {
			err = req.loadSession()
		}
		if err == nil {
			err = d.authorize(req, to)
		}
		if err == nil {
			err = to.handle(d, req)
		}
		if err != nil {
			d.answerError(req, err)
		}
	})
}

// takeLonger is a context for work that needs more time than a page.
func (req *request) takeLonger(limit time.Duration) (context.Context, context.CancelFunc) {
	// The server's own deadline is for a page. If it cannot be set, there is none.
	_ = http.NewResponseController(req.w).SetWriteDeadline(time.Now().Add(limit + stallLimit))
	return context.WithTimeout(req.r.Context(), limit)
}

// authorize finds the user of the request and checks that they may use the route.
func (d *Dashboard) authorize(req *request, r route) error {
	req.by = accounts.Actor{Address: web.ClientAddress(req.r), RequestID: web.RequestID(req.r.Context())}
	if cookie, err := req.r.Cookie(d.deviceCookie()); err == nil {
		req.by.Device = cookie.Value
	}
	if !r.who.signedIn {
		return nil
	}
	var err error
	if req.user, err = d.signedIn(req); err != nil {
		return err
	}
	req.by = req.actor(req.user)
	if r.who.needs != "" {
		if err := req.enterOrganization(r.who.needs); err != nil {
			return err
		}
	}
	if r.needsFresh && !d.isFresh(req) {
		return errStale
	}
	if text := req.variable("application"); text != "" {
		if req.application, err = accounts.ParseApplicationID(text); err != nil {
			return errNoPage
		}
	}
	return nil
}

// actor is the user as the actor of this request.
func (req *request) actor(u people.User) accounts.Actor {
	by := u.Actor(req.by.Address, req.by.RequestID)
	by.Device = req.by.Device
	return by
}

// isFresh reports whether the last sign-in or confirmation is within freshLimit.
func (d *Dashboard) isFresh(req *request) bool {
	signedIn := time.Unix(d.sessions.GetInt64(req.r.Context(), sessionSignedIn), 0)
	return d.config.Now().Sub(signedIn) <= freshLimit
}

// signedIn is the user of the session. A change of the password ends it.
func (d *Dashboard) signedIn(req *request) (people.User, error) {
	ctx := req.r.Context()
	id, err := accounts.ParseUserID(d.sessions.GetString(ctx, sessionUser))
	if err != nil {
		return people.User{}, errSignedOut
	}
	user, err := d.config.People.SessionUser(req.ctx, id, d.sessions.GetInt64(ctx, sessionEpoch))
	if errors.Is(err, accounts.ErrSessionEnded) {
		return people.User{}, errSignedOut
	}
	return user, err
}

// variable is a part of the path.
func (req *request) variable(name string) string { return mux.Vars(req.r)[name] }

// field is a field of the form, without blanks around it.
func (req *request) field(name string) string { return strings.TrimSpace(req.r.PostFormValue(name)) }

// text is a field of several lines, which browsers end with CRLF.
func (req *request) text(name string) string {
	return strings.ReplaceAll(req.field(name), "\r\n", "\n")
}

// fields are the values of the fields of that name, of which the form may have several.
func (req *request) fields(name string) []string {
	_ = req.r.PostFormValue(name) // reads the form
	return req.r.PostForm[name]
}

// formNumber is the number of the form that was sent, or a new one for a form that is
// to be shown. The page of a secret is the answer to its form, so a reload sends the
// form again: the number identifies the repetition.
func (req *request) formNumber() string { return cmp.Or(req.field("form"), rand.Text()) }

// secretField is a field whose blanks count.
func (req *request) secretField(name string) string { return req.r.PostFormValue(name) }

// in is a path below the organisation of the request.
func (req *request) in(path string) string { return req.organization.Path(path) }

// applicationPath is the page of the application in the path.
func (req *request) applicationPath() string {
	return req.in("applications/" + req.application.String())
}

// redirect leads to another page of the dashboard, in the language of this one. Every form
// that changed something ends so, unless it shows a secret. An address outside of the
// dashboard is an error, so that no request can make an open redirect.
func (req *request) redirect(address string) error {
	if path, _, _ := strings.Cut(address, "?"); !inDashboard(path) {
		return fmt.Errorf("redirect to %q: not an address of the dashboard", address)
	}
	if err := req.saveSession(); err != nil {
		return err
	}
	req.w.Header().Set("Location", locale.WithLang(address, req.lang))
	req.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// noticeParameter has the name of the notice that the next page shows.
const noticeParameter = "done"

// doneUnless is done if there was no error.
func (req *request) doneUnless(err error, path, notice string) error {
	if err != nil {
		return err
	}
	return req.done(path, notice)
}

// done leads to a page with a notice, a name in the texts' Notices.
func (req *request) done(path, notice string) error {
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	return req.redirect(path + separator + noticeParameter + "=" + url.QueryEscape(notice))
}

// show answers with a page: with 200, or as statusOf says if its form has errors.
func (req *request) show(section view.Section, s view.Content) error {
	return req.answer(statusOf(s), section, s)
}

func statusOf(s view.Content) int {
	form, is := s.(view.Form)
	if !is {
		return http.StatusOK
	}
	switch why := form.Refused(); {
	case why.Retry.Busy:
		return http.StatusServiceUnavailable
	case why.Retry.After > 0:
		return http.StatusTooManyRequests
	case len(why.FormErrors) > 0:
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// correct shows a form again. If it has no errors, err is none that the user can correct, and is returned.
func (req *request) correct(section view.Section, form view.Form, err error) error {
	if statusOf(form) == http.StatusOK {
		return err
	}
	return req.show(section, form)
}

func (req *request) answer(status int, section view.Section, s view.Content) error {
	p := view.Page{
		Lang:    req.lang,
		Address: req.self(),
		Sandbox: req.sandbox(),
		Section: section,
		View:    s,
		Year:    locale.Tripoli(req.d.config.Now()).Year(),
		Notice:  req.r.URL.Query().Get(noticeParameter),
	}
	if req.user.Email != "" {
		waiting, err := req.d.waiting(req)
		if err != nil {
			return err
		}
		// Outside of an organisation the count is 0.
		stopped, err := req.d.config.Deliveries.CountStopped(req.ctx, req.tenant())
		if err != nil {
			return err
		}
		p.SignedIn = view.Identity{
			Email:        req.user.Email,
			Organization: req.organization,
			Role:         req.role,
			Others:       len(req.user.Memberships) > 1,
			ToDecide:     waiting,
			Stopped:      stopped,
		}
	}
	return req.write(status, p)
}

func (req *request) write(status int, p view.Page) error {
	req.allowPasskeys(p)
	text, err := req.d.render(status, p)
	if err != nil {
		return err
	}
	return req.send(status, p.Lang, text)
}

// send answers with the text of a page.
func (req *request) send(status int, l locale.Lang, text []byte) error {
	if err := req.saveSession(); err != nil {
		return err
	}
	h := req.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", l.String())
	h.Set("Content-Length", strconv.Itoa(len(text)))
	req.w.WriteHeader(status)
	// A browser that has gone away needs no page.
	_, _ = req.w.Write(text)
	return nil
}

// render renders pages with status 503 one at a time, so that a flood of refused requests
// leaves the CPU to accepted ones.
func (d *Dashboard) render(status int, p view.Page) ([]byte, error) {
	if status == http.StatusServiceUnavailable {
		d.renderingBusy.Lock()
		defer d.renderingBusy.Unlock()
	}
	return p.Render()
}

// self is the address of the page that the user is on: for a form, the page with the form,
// because the form's own address answers no GET.
func (req *request) self() string {
	if req.page != "" {
		return req.page
	}
	if req.r.Method == http.MethodGet || req.r.Method == http.MethodHead {
		return req.r.URL.RequestURI()
	}
	if from, err := url.Parse(req.r.Referer()); err == nil && inDashboard(from.Path) {
		return from.RequestURI()
	}
	return view.Root
}

// inDashboard reports whether a path belongs to the dashboard.
func inDashboard(path string) bool {
	return path == view.Root || strings.HasPrefix(path, view.Root+"/")
}
