package frontdoor

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/throttle"
	"daftar/internal/web"
	"daftar/ledger"
)

// cacheFor lets browsers and proxies keep the page for five minutes.
const cacheFor = "public, max-age=300"

// How many demonstrations may be made, each of which stays in the ledger for ever: of one network,
// which in Libya may be a whole operator's, and of one server in all.
const (
	perNetwork, atOnce = 1. / 20, 20
	inAll, allAtOnce   = 1. / 5, 60
	longestWait        = time.Minute
)

// demoLimit is how long a demonstration may take to be made.
const demoLimit = 5 * time.Second

// Demo makes the payments of the demonstration.
type Demo struct {
	accounts    *accounts.Accounts
	application accounts.Application
}

// ErrLive says that the application of a demonstration is a live one.
var ErrLive = errors.New("it is a live application: name one for tests (daftar app create --mode test)")

// OpenDemo finds the application of the demonstration. Errors: accounts.ErrNoApplication, ErrLive.
func OpenDemo(ctx context.Context, a *accounts.Accounts, id domain.ApplicationID) (*Demo, error) {
	app, err := a.Application(ctx, id)
	if err == nil && app.Mode != domain.ModeTest {
		err = ErrLive
	}
	if err != nil {
		return nil, err
	}
	return &Demo{a, app}, nil
}

// Application is that of the demonstration.
func (d *Demo) Application() accounts.Application { return d.application }

// create makes a payment, and returns the path of the payer's page.
func (d *Demo) create(ctx context.Context, l *ledger.Ledger, origin ledger.Origin,
	description, back string,
) (string, error) {
	namespace, err := d.accounts.Namespace(ctx, accounts.Operator("demo"), d.application.Organization,
		d.application.ID)
	if err != nil {
		return "", err
	}
	i, _, err := l.Create(ctx, domain.Create{Terms: domain.Terms{
		Application:       d.application.ID,
		MerchantReference: domain.MerchantReference("demo-" + strings.ToLower(rand.Text())),
		Amount:            DemoAmount,
		Description:       description,
		ReturnURL:         &back,
	}}, namespace, origin)
	return i.CheckoutPath, err
}

// Config is what differs from one service to another.
type Config struct {
	PublicURL string
	Demo      *Demo // nil: there is no demonstration
	SignUp    bool  // people may open an organisation for tests
	Ledger    *ledger.Ledger
	Now       func() time.Time // nil: the machine's clock
	Log       zerolog.Logger
}

// FrontDoor answers the requests that Serves names. It is safe for concurrent use.
type FrontDoor struct {
	config     Config
	pages      [2]layout.File // by language
	networks   web.NetworkLimits
	all        *throttle.Keyed[struct{}]
	sameOrigin *http.CrossOriginProtection
	handler    http.Handler
}

// New makes a FrontDoor. The caller sets web.SecurityHeaders around it.
func New(c Config) *FrontDoor {
	if c.Now == nil {
		c.Now = time.Now
	}
	f := &FrontDoor{
		config: c, sameOrigin: web.SameOrigin(c.PublicURL),
		networks: web.NewNetworkLimits(perNetwork, atOnce, c.Now),
		all:      throttle.New[struct{}](inAll, allAtOnce, 2, c.Now),
	}
	for _, l := range []locale.Lang{locale.Arabic, locale.English} {
		f.pages[l] = layout.NewFile(htmlType, f.page(l, NoTrouble))
	}
	component := web.Component{
		Name: "front door", Log: c.Log, Deadline: demoLimit,
		Panicked: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		},
	}
	f.handler = component.Wrap(http.HandlerFunc(f.serve))
	return f
}

const htmlType = "text/html; charset=utf-8"

func (f *FrontDoor) page(l locale.Lang, why Trouble) []byte {
	return Page{Lang: l, Demo: f.config.Demo != nil, SignUp: f.config.SignUp, Trouble: why}.Render()
}

// Serves reports whether a request is for this package.
func (f *FrontDoor) Serves(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch r.URL.Path {
	case Path, SheetPath:
		return reads
	case DemoPath:
		return f.config.Demo != nil && (reads || r.Method == http.MethodPost)
	}
	return false
}

// ServeHTTP implements http.Handler.
func (f *FrontDoor) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.handler.ServeHTTP(w, r) }

func (f *FrontDoor) serve(w http.ResponseWriter, r *http.Request) {
	if recorder := web.RecorderOf(w); recorder != nil {
		recorder.Route = r.URL.Path
	}
	l := locale.LangFrom(r)
	switch {
	case r.URL.Path == DemoPath && r.Method == http.MethodPost:
		f.demonstrate(w, r, l)
		return
	case r.URL.Path == DemoPath: // a notice, loaded again
		w.Header().Set("Location", locale.WithLang(Path, l))
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	served := f.pages[l]
	if r.URL.Path == SheetPath {
		served = sheet
	}
	w.Header().Del("X-Robots-Tag") // search engines may index it
	w.Header().Set("Cache-Control", cacheFor)
	served.ServeAs(http.StatusOK, w, r)
}

// demonstrate makes a payment and leads to its page.
func (f *FrontDoor) demonstrate(w http.ResponseWriter, r *http.Request, l locale.Lang) {
	if f.sameOrigin.Check(r) != nil {
		f.answer(w, l, http.StatusForbidden, Failed)
		return
	}
	wait := f.networks.Take(web.ClientAddress(r))
	if wait == 0 {
		wait = f.all.Take(struct{}{}).Wait
	}
	if wait > 0 {
		w.Header().Set("Retry-After", web.RetryAfter(min(wait, longestWait)))
		f.answer(w, l, http.StatusTooManyRequests, Limited)
		return
	}
	id := web.RequestID(r.Context())
	origin := ledger.Origin{Actor: ledger.ActorApplication(f.config.Demo.application.ID), RequestID: id}
	back := locale.WithLang(strings.TrimSuffix(f.config.PublicURL, "/")+Path, l)
	path, err := f.config.Demo.create(r.Context(), f.config.Ledger, origin, textsIn(l).Description, back)
	if err != nil {
		f.config.Log.Warn().Err(err).Str("request_id", id).Msg("demonstration not made")
		w.Header().Set("Retry-After", "5")
		f.answer(w, l, http.StatusServiceUnavailable, Failed)
		return
	}
	w.Header().Set("Location", locale.WithLang(path, l))
	w.WriteHeader(http.StatusSeeOther)
}

// answer is the page with a notice.
func (f *FrontDoor) answer(w http.ResponseWriter, l locale.Lang, status int, why Trouble) {
	w.Header().Set("Content-Type", htmlType)
	w.WriteHeader(status)
	_, _ = w.Write(f.page(l, why)) //nolint:gosec // a template's; a browser that has gone away needs none
}
