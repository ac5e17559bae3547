package checkout

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/mux"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/ops"
	"daftar/internal/postgres"
	"daftar/internal/sealing"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments"
	"daftar/webhooks"
)

// Limits of what one request may take.
const (
	readLimit = 5 * time.Second // for reading the database
	maxForm   = 16 << 10        // bytes
)

// Config has the dependencies and settings of the checkout. The caller still owns them.
type Config struct {
	Engine   *payments.Engine
	Ledger   *ledger.Ledger
	Accounts *accounts.Accounts
	Settings *settings.Settings
	Pool     *pgxpool.Pool
	// Reads is the pool for proofs of receipts, so that payers do not wait for them; nil: Pool.
	Reads *pgxpool.Pool
	// PublicURL is the address of the pages for customers: an absolute http or https address.
	PublicURL string
	// SecretKey seals what browsers keep for payers; the zero key: they keep nothing.
	SecretKey sealing.Key
	Log       zerolog.Logger

	linkClock func() time.Time // for the limits of links; nil: time.Now
}

// Checkout serves the pages. It is safe for concurrent use.
type Checkout struct {
	engine         *payments.Engine
	ledger         *ledger.Ledger
	settings       *settings.Settings
	deliveries     *webhooks.Deliveries
	publicURL      string
	sameOrigin     *http.CrossOriginProtection
	log            zerolog.Logger
	sheets         sheets
	reads          *pgxpool.Pool
	notFoundLimits web.NetworkLimits
	proofLimits    web.NetworkLimits
	shopLimits     web.NetworkLimits
	drawing        chan struct{} // a place for each picture of a receipt
	retrier        postgres.Retrier
	typedKey       sealing.Key
}

// New makes a Checkout. It panics for a public address that is not valid.
func New(c Config) *Checkout {
	return &Checkout{
		engine:         c.Engine,
		ledger:         c.Ledger,
		settings:       c.Settings,
		deliveries:     webhooks.NewDeliveries(c.Pool, c.Accounts, nil),
		publicURL:      strings.TrimSuffix(c.PublicURL, "/"),
		sameOrigin:     web.SameOrigin(c.PublicURL),
		log:            c.Log,
		reads:          cmp.Or(c.Reads, c.Pool),
		notFoundLimits: web.NewNetworkLimits(notFoundPerSecond, notFoundBurst, c.linkClock),
		proofLimits:    web.NewNetworkLimits(proofPerSecond, proofBurst, c.linkClock),
		shopLimits:     web.NewNetworkLimits(shopPerSecond, shopBurst, c.linkClock),
		typedKey:       typedKey(c.SecretKey),
		drawing:        make(chan struct{}, drawingMax),
	}
}

// Handler serves the pages under /pay and ShopPrefix, the proofs under ReceiptPrefix, the
// notifications under /acquirers and the style sheets. Every other path is answered like an invalid
// link. The caller sets web.SecurityHeaders around it.
func (c *Checkout) Handler() http.Handler {
	c.sameOrigin.SetDenyHandler(http.HandlerFunc(c.refuseCrossSite))

	// Clean paths only: the router would answer others with a redirect.
	routes := mux.NewRouter().SkipClean(true)
	routes.Use(ops.NoteRoutes)
	const page = "/pay/{uuid}/{token}"
	routes.Handle(page, c.getOrPost(c.handle(c.show), c.handle(c.returnToPage)))
	routes.Handle(page+"/", c.getOrPost(c.handle(c.dropSlash), c.handle(c.returnToPage)))
	routes.Handle(page+"/attempts", c.form(c.startAttempt))
	routes.Handle(page+"/code", c.form(c.enterCode))
	routes.Handle(page+"/resend", c.form(c.resendCode))
	routes.Handle(page+"/give-up", c.form(c.giveUp))
	routes.Handle(page+"/state", c.withMethod(http.MethodGet, c.handle(c.serveState)))
	routes.Handle(page+"/qr.png", c.withMethod(http.MethodGet, c.handle(c.servePicture)))
	routes.Handle(page+receiptPicture,
		c.withMethod(http.MethodGet, c.rateLimited(c.handle(c.serveReceiptPicture))))
	routes.Handle(page+"/return", c.getOrPost(c.handle(c.handleReturn), c.handle(c.handleReturn)))
	routes.Handle(ShopPrefix+"{name}",
		c.getOrPost(c.handle(c.showShop), c.sameOrigin.Handler(c.handle(c.payShop))))
	const receipt = ReceiptPrefix + "{uuid}/{token}"
	routes.Handle(receipt, c.withMethod(http.MethodGet, c.rateLimited(c.handle(c.proveReceipt))))
	routes.Handle(receipt+"/", c.withMethod(http.MethodGet, c.rateLimited(c.handle(c.proveReceipt))))
	routes.Handle(receipt+"/proof.json", c.withMethod(http.MethodGet, c.rateLimited(c.handle(c.serveProof))))
	routes.Handle("/acquirers/{name}/notifications",
		c.withMethod(http.MethodPost, http.HandlerFunc(c.receiveNotification)))
	routes.Handle("/acquirers/{name}/{application}/notifications",
		c.withMethod(http.MethodPost, http.HandlerFunc(c.receiveNotification)))
	routes.Handle(SecurePath, c.withMethod(http.MethodGet, c.handle(c.explain)))
	routes.Handle(themeRoute+sheetExtension, c.withMethod(http.MethodGet, http.HandlerFunc(c.serveSheet)))
	routes.Handle(themeRoute+pictureExtension, c.withMethod(http.MethodGet, c.handle(c.serveShare)))
	routes.PathPrefix(layout.AssetPrefix).Handler(layout.AssetHandler())
	routes.NotFoundHandler = c.handle(func(http.ResponseWriter, *http.Request) error {
		return ledger.ErrNotFound
	})
	component := web.Component{
		Name: "checkout", Log: c.log,
		Panicked: func(w http.ResponseWriter, r *http.Request) {
			c.render(w, r, http.StatusInternalServerError, Unavailable{})
		},
	}
	return component.Wrap(routes)
}

// withMethod serves one method, and HEAD where that is GET.
func (c *Checkout) withMethod(method string, next http.Handler) http.Handler {
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
		err := c.withRetry(w, r, h)
		switch {
		case err == nil:
		case errors.Is(err, ledger.ErrNotFound):
			c.notFound(w, r)
		case isTransient(err):
			level := zerolog.WarnLevel
			if r.Context().Err() != nil {
				level = zerolog.DebugLevel // the payer went away
			}
			c.log.WithLevel(level).Err(err).Str("request_id", web.RequestID(r.Context())).
				Msg("checkout is unavailable")
			w.Header().Set("Retry-After", "5")
			c.render(w, r, http.StatusServiceUnavailable, Unavailable{})
		default:
			c.log.Error().Err(err).Str("request_id", web.RequestID(r.Context())).Msg("checkout failed")
			c.render(w, r, http.StatusInternalServerError, Unavailable{})
		}
	})
}

// withRetry repeats a GET while the database is away for a moment. A POST is not repeated, since
// the ledger may have stored its effect; only the load of its intent is (see find).
func (c *Checkout) withRetry(w http.ResponseWriter, r *http.Request,
	h func(http.ResponseWriter, *http.Request) error,
) error {
	if r.Method == http.MethodPost {
		return h(w, r)
	}
	return c.retrier.Do(r.Context(), func() error { return h(w, r) })
}

// isTransient reports whether the same request may succeed in a while.
func isTransient(err error) bool {
	return errors.Is(err, payments.ErrNotReached) || ledger.IsTransient(err)
}

// refuseCrossSite answers a form that another site sent.
func (c *Checkout) refuseCrossSite(w http.ResponseWriter, r *http.Request) {
	c.log.Warn().Str("request_id", web.RequestID(r.Context())).Msg("form from another site refused")
	c.render(w, r, http.StatusForbidden, Unavailable{})
}

// addressOf is the path of the page to which a request belongs.
func addressOf(r *http.Request) string {
	vars := mux.Vars(r)
	if vars["uuid"] == "" || vars["token"] == "" {
		return "/pay"
	}
	u := url.URL{Path: "/pay/" + vars["uuid"] + "/" + vars["token"]}
	return u.EscapedPath()
}

// render answers with a page that shows no intent. NotFound does not repeat the address,
// so that the answer to every invalid link is the same.
func (c *Checkout) render(w http.ResponseWriter, r *http.Request, status int, s State) {
	page := Page{State: s, Address: addressOf(r)}
	if n, invalid := s.(NotFound); invalid {
		page.Address = "/pay"
		if n.Receipt {
			page.Address = ReceiptPrefix
		}
		if n.Shop {
			page.Address = ShopPrefix
		}
	}
	c.renderPage(w, r, status, page)
}

// renderPage answers with a page in the language of the request.
func (c *Checkout) renderPage(w http.ResponseWriter, r *http.Request, status int, page Page) {
	page.Lang, page.Sandbox = locale.LangFrom(r), c.sandbox()
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

// sandbox reports whether no payment moves money.
func (c *Checkout) sandbox() bool { return !c.engine.MovesMoney(domain.ModeLive) }

// redirectToPage redirects to the page, which shows the state of the payment, in the language
// of the request. The query is empty or begins with a question mark.
func redirectToPage(w http.ResponseWriter, r *http.Request, query string) {
	w.Header().Set("Location", locale.WithLang(addressOf(r)+query, locale.LangFrom(r)))
	w.WriteHeader(http.StatusSeeOther)
}
