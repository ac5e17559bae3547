package checkout

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/mux"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/checkout/acquirer"
	"daftar/domain"
	"daftar/internal/ops"
	"daftar/internal/postgres"
	"daftar/internal/sealing"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/webhooks"
)

// Limits of what one request may take.
const (
	storeLimit    = 5 * time.Second  // for reading or writing our own database
	acquirerLimit = 10 * time.Second // for one question to an acquirer
	maxForm       = 16 << 10         // bytes
)

// sandboxName is the acquirer that moves no real money.
const sandboxName = "sandbox"

// Config is what the checkout stands on. Everything in it stays the caller's.
type Config struct {
	Ledger   *ledger.Ledger
	Accounts *accounts.Accounts
	Pool     *pgxpool.Pool
	// Reads is where receipts are proved, which must not wait for payers; nil: Pool.
	Reads *pgxpool.Pool
	// SecretKey conceals the numbers and networks that are counted. Required, and the
	// same on all servers.
	SecretKey sealing.Key
	// Providers are those with whom applications may have accounts of their own.
	Providers []acquirer.Provider
	// Acquirers are for all applications, after their own accounts, in this order; of two
	// that have a method, the first that can carry the amount and is not out of order gets
	// it. Names must differ, also from those of providers.
	Acquirers []acquirer.Acquirer
	// PublicURL is what customers see: an absolute http or https address.
	PublicURL  string
	Log        zerolog.Logger
	Registerer prometheus.Registerer // nil exports no metrics

	outOfOrderFor time.Duration    // 0 is the constant of that name
	linkClock     func() time.Time // of the limits of links; nil: time.Now
}

// Checkout serves the pages and settles attempts. It is safe for concurrent use.
type Checkout struct {
	ledger         *ledger.Ledger
	accounts       *accounts.Accounts
	deliveries     *webhooks.Deliveries
	attempts       attempts
	providers      map[string]acquirer.Provider
	shared         []*guarded          // for all applications
	circuits       map[string]*circuit // of providers and of shared
	queues         []*queue            // likewise
	publicURL      string
	sameOrigin     *http.CrossOriginProtection
	sandbox        bool
	usageKey       sealing.Key
	log            zerolog.Logger
	metrics        *metrics
	sheets         sheets
	reads          *pgxpool.Pool
	notFoundLimits web.NetworkLimits
	proofLimits    web.NetworkLimits
	patience       postgres.Patience
}

// New makes a Checkout. It panics where the public address is none or two
// acquirers share a name, which would send payments astray, and without a secret key.
func New(c Config) *Checkout {
	usageKey, err := c.SecretKey.For("usage of the checkout")
	if _, missing := usageKey.Digest(""); err != nil || missing != nil {
		panic("checkout: " + errors.Join(err, missing).Error())
	}
	k := &Checkout{
		ledger: c.Ledger, accounts: c.Accounts, attempts: attempts{c.Pool},
		publicURL: strings.TrimSuffix(c.PublicURL, "/"), sameOrigin: web.SameOrigin(c.PublicURL),
		sandbox: len(c.Acquirers) > 0, usageKey: usageKey, log: c.Log, metrics: newMetrics(c.Registerer),
		providers: make(map[string]acquirer.Provider), circuits: make(map[string]*circuit),
		notFoundLimits: web.NewNetworkLimits(notFoundPerSecond, notFoundBurst, c.linkClock),
		proofLimits:    web.NewNetworkLimits(proofPerSecond, proofBurst, c.linkClock), reads: cmp.Or(c.Reads, c.Pool), deliveries: webhooks.NewDeliveries(c.Pool, c.Accounts, nil),
	}
	for _, p := range c.Providers {
		k.watch(p, c)
		k.providers[p.Name()] = p
	}
	for _, a := range c.Acquirers {
		k.watch(a, c)
		k.shared = append(k.shared, k.guard(a))
		k.sandbox = k.sandbox && a.Name() == sandboxName
	}
	return k
}

// watch gives an acquirer its circuit and its queue.
func (c *Checkout) watch(a interface {
	Name() string
	Capabilities() []acquirer.Capability
}, config Config,
) {
	name := a.Name()
	c.metrics.watchMethods(name, a.Capabilities())
	if c.circuits[name] != nil {
		panic("checkout: two acquirers have the name " + name)
	}
	c.circuits[name] = newCircuit(name, cmp.Or(config.outOfOrderFor, outOfOrderFor), c.metrics, c.log)
	c.queues = append(c.queues, newQueue(name))
}

// now is the ledger's time as the database keeps it.
func (c *Checkout) now() time.Time { return c.ledger.Now().UTC().Truncate(time.Microsecond) }

// Handler serves the pages under /pay, the proofs under ReceiptPrefix, the notifications under /acquirers and the
// style sheet. Every other path is answered like a wrong link. The caller sets
// web.SecurityHeaders around it.
func (c *Checkout) Handler() http.Handler {
	c.sameOrigin.SetDenyHandler(http.HandlerFunc(c.refuseCrossSite))

	// Clean paths only: the router would answer others with a redirect.
	routes := mux.NewRouter().SkipClean(true)
	routes.Use(ops.NoteRoutes)
	const page = "/pay/{uuid}/{token}"
	routes.Handle(page, c.only(http.MethodGet, c.handle(c.show)))
	routes.Handle(page+"/attempts", c.only(http.MethodPost, c.sameOrigin.Handler(c.handle(c.startAttempt))))
	routes.Handle(page+"/code", c.only(http.MethodPost, c.sameOrigin.Handler(c.handle(c.enterCode))))
	routes.Handle(page+"/resend", c.only(http.MethodPost, c.sameOrigin.Handler(c.handle(c.resendCode))))
	routes.Handle(page+"/give-up", c.only(http.MethodPost, c.sameOrigin.Handler(c.handle(c.giveUp))))
	routes.Handle(page+"/state", c.only(http.MethodGet, c.handle(c.serveState)))
	routes.Handle(page+"/qr.png", c.only(http.MethodGet, c.handle(c.servePicture)))
	routes.Handle(page+"/return", c.only(http.MethodGet, c.handle(c.comeBack)))
	const receipt = ReceiptPrefix + "{uuid}/{token}"
	routes.Handle(receipt, c.only(http.MethodGet, c.sparingly(c.handle(c.proveReceipt))))
	routes.Handle(receipt+"/proof.json", c.only(http.MethodGet, c.sparingly(c.handle(c.serveProof))))
	routes.Handle("/acquirers/{name}/notifications", c.only(http.MethodPost, http.HandlerFunc(c.receiveNotification)))
	routes.Handle("/acquirers/{name}/{application}/notifications", c.only(http.MethodPost, http.HandlerFunc(c.receiveNotification)))
	routes.Handle(SecurePath, c.only(http.MethodGet, c.handle(c.explain)))
	routes.Handle(lookAddress+sheetExtension, c.only(http.MethodGet, http.HandlerFunc(c.serveSheet)))
	routes.Handle(lookAddress+pictureExtension, c.only(http.MethodGet, c.handle(c.serveShare)))
	routes.PathPrefix(web.AssetPrefix).Handler(web.AssetHandler())
	routes.NotFoundHandler = c.handle(func(http.ResponseWriter, *http.Request) error { return ledger.ErrNotFound })
	part := web.Part{Name: "checkout", Log: c.log, Panicked: func(w http.ResponseWriter, r *http.Request) {
		c.render(w, r, http.StatusInternalServerError, Unavailable{})
	}}
	return part.Wrap(routes)
}

// only serves one method, and HEAD where that is GET.
func (c *Checkout) only(method string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method || r.Method == http.MethodHead && method == http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Allow", method)
		c.render(w, r, http.StatusMethodNotAllowed, NotFound{})
	})
}

// handle is the one place where an error becomes an answer.
func (c *Checkout) handle(h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := c.patiently(w, r, h)
		switch {
		case err == nil:
		case errors.Is(err, ledger.ErrNotFound):
			c.notFound(w, r)
		case isTransient(err):
			level := zerolog.WarnLevel
			if r.Context().Err() != nil {
				level = zerolog.DebugLevel // the payer went away
			}
			c.log.WithLevel(level).Err(err).Str("request_id", web.RequestID(r.Context())).Msg("checkout is unavailable")
			w.Header().Set("Retry-After", "5")
			c.render(w, r, http.StatusServiceUnavailable, Unavailable{})
		default:
			c.log.Error().Err(err).Str("request_id", web.RequestID(r.Context())).Msg("checkout failed")
			c.render(w, r, http.StatusInternalServerError, Unavailable{})
		}
	})
}

// patiently lets a page wait for a database that is away for a moment. A form is not sent
// again where the ledger may have taken it; its intent is waited for.
func (c *Checkout) patiently(w http.ResponseWriter, r *http.Request, h func(http.ResponseWriter, *http.Request) error) error {
	if r.Method == http.MethodPost {
		return h(w, r)
	}
	return c.patience.Do(r.Context(), func() error { return h(w, r) })
}

// errNotReached says that the acquirer has not seen what the payer asked for.
var errNotReached = errors.New("the request did not come to the acquirer")

// isTransient says whether the same request may succeed in a while.
func isTransient(err error) bool { return errors.Is(err, errNotReached) || ledger.IsTransient(err) }

// refuseCrossSite answers a form that another site sent.
func (c *Checkout) refuseCrossSite(w http.ResponseWriter, r *http.Request) {
	c.log.Warn().Str("request_id", web.RequestID(r.Context())).Msg("form from another site refused")
	c.render(w, r, http.StatusForbidden, Unavailable{})
}

// addressOf is the path of the page that a request belongs to.
func addressOf(r *http.Request) string {
	vars := mux.Vars(r)
	if vars["uuid"] == "" || vars["token"] == "" {
		return "/pay"
	}
	u := url.URL{Path: "/pay/" + vars["uuid"] + "/" + vars["token"]}
	return u.EscapedPath()
}

// render answers with a page that shows no intent. One that leads nowhere does
// not repeat the address, so that all of them are the same.
func (c *Checkout) render(w http.ResponseWriter, r *http.Request, status int, s State) {
	page := Page{State: s, Address: addressOf(r)}
	if n, nowhere := s.(NotFound); nowhere {
		page.Address = "/pay"
		if n.Receipt {
			page.Address = ReceiptPrefix
		}
	}
	c.renderPage(w, r, status, page)
}

// renderPage answers with a page in the language of the request.
func (c *Checkout) renderPage(w http.ResponseWriter, r *http.Request, status int, page Page) {
	page.Lang, page.Sandbox = web.LangFrom(r), c.sandbox
	text, err := page.Render()
	if err != nil {
		c.log.Error().Err(err).Str("request_id", web.RequestID(r.Context())).Msg("page not rendered")
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", page.Lang.String())
	w.WriteHeader(status)
	// A browser that has gone away needs no page.
	_, _ = w.Write(text)
}

// redirectToPage leads back to the page, which shows how things stand, in the language
// of the request. The query is empty or begins with a question mark.
func redirectToPage(w http.ResponseWriter, r *http.Request, query string) {
	w.Header().Set("Location", web.WithLang(addressOf(r)+query, web.LangFrom(r)))
	w.WriteHeader(http.StatusSeeOther)
}

// returnURL is where an acquirer's page sends the payer back to. Where the acquirer adds a
// signed query, the address has none of ours.
func (c *Checkout) returnURL(i domain.Intent, o option, language string) string {
	if o.SignedReturn {
		return c.publicURL + pagePath(i) + "/return"
	}
	return c.publicURL + web.WithLang(pagePath(i), languageOf(language))
}

// languageOf is the language that an attempt remembers.
func languageOf(stored string) web.Lang {
	if stored == web.English.String() {
		return web.English
	}
	return web.Arabic
}

// notifyURL is where an acquirer pushes notifications: about an application's account, or
// about payments of all.
func (c *Checkout) notifyURL(name string, of domain.ApplicationID) string {
	if _, own := c.providers[name]; own {
		return NotifyURL(c.publicURL, name, of)
	}
	return c.publicURL + "/acquirers/" + url.PathEscape(name) + "/notifications"
}

// NotifyURL is the address at which the server behind the public address takes the
// notifications about an application's account with an acquirer.
func NotifyURL(publicURL, name string, of domain.ApplicationID) string {
	return strings.TrimSuffix(publicURL, "/") + "/acquirers/" + url.PathEscape(name) + "/" + of.String() + "/notifications"
}

// detached is a context for work on our own database that must not be cut off
// because the payer went away or the server is stopping.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
}
