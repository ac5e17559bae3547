package dashboard

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gorilla/mux"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/ops"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/notices"
	"daftar/payments/acquirer"
	"daftar/payments/decisions"
	"daftar/payments/outcomes"
	"daftar/payments/settlements"
	"daftar/payments/till"
	"daftar/projections"
	"daftar/requestlog"
	"daftar/webhooks"
)

// Limits of what one request may take.
const (
	requestLimit = 5 * time.Second // except exports, uploads and checks of accounts
	maxForm      = 64 << 10        // bytes
)

// Config is what the dashboard depends on. The caller keeps everything in it.
type Config struct {
	Accounts   *accounts.Accounts
	People     *people.People
	Settings   *settings.Settings
	Ledger     *ledger.Ledger
	Payments   *projections.Payments
	Decisions  *decisions.Decisions
	Late       Late
	Deliveries *webhooks.Deliveries
	Refunds    Refunds
	Outcomes   *outcomes.Outcomes
	Till       *till.Till
	Notices    *notices.Notices
	Requests   *requestlog.Requests
	Attempts   Attempts
	Pool       *pgxpool.Pool
	// PublicURL is the public address: an absolute http or https URL. With https the
	// session's cookie is Secure and bound to the host.
	PublicURL string
	// Guard decides which webhook URLs may be set. It must be the sender's.
	Guard webhooks.Guard
	// Providers are the acquirers with which applications may have accounts.
	Providers []acquirer.Provider
	// NotifyURL is the address for an acquirer's notifications about an application's account.
	NotifyURL func(acquirer string, of domain.ApplicationID) string
	// SignUp lets people open an organisation for tests, where People sends mail.
	SignUp bool
	// APIPath is the path of the API below PublicURL.
	APIPath string
	// Now is the clock; nil is the ledger's.
	Now func() time.Time
	// Sandbox says that live applications move no real money either: on a developer's machine
	// with the sandbox alone. Every page says so.
	Sandbox bool
	Log     zerolog.Logger
}

// Late is the source of lists, figures and exports. No decision depends on them alone, so a
// standby that lags a moment may answer. The zero Late is Config.Payments.
type Late struct {
	Payments  *projections.Payments
	Decisions *decisions.Decisions
	Books     *projections.Books
	// AsOf returns the time up to which the data are complete; nil if they are current.
	AsOf func() *time.Time
}

// Dashboard serves the pages. It is safe for concurrent use.
type Dashboard struct {
	config        Config
	sessions      *scs.SessionManager
	newSessions   *scs.SessionManager // commits sessions that the request has started
	publicURL     string              // without a slash at its end
	sameOrigin    *http.CrossOriginProtection
	renderingBusy sync.Mutex
	uploading     *slots // for files that are being received or wait
	comparing     *slots // for statements that are being compared
	decoding      *slots // for logos that are being decoded
	settlements   *settlements.Settlements
}

// New makes a Dashboard. It panics if the public address is invalid.
func New(c Config) *Dashboard {
	if c.Now == nil {
		c.Now = c.Ledger.Now
	}
	if c.Late.Payments == nil {
		c.Late = Late{
			Payments: c.Payments, Decisions: c.Decisions, Books: projections.NewBooks(c.Pool),
			AsOf: func() *time.Time { return nil },
		}
	}
	https := web.IsHTTPS(c.PublicURL)
	return &Dashboard{
		config:      c,
		sessions:    newSessions(c.People.Sessions(), https),
		newSessions: newSessions(c.People.NewSessions(), https),
		publicURL:   strings.TrimSuffix(c.PublicURL, "/"),
		sameOrigin:  web.SameOrigin(c.PublicURL),
		uploading:   newSlots(uploadsInAll, uploadsOfEach, 0),
		comparing:   newSlots(comparedInAll, comparedOfEach, slotLimit),
		decoding:    newSlots(decodedInAll, decodedOfEach, slotLimit),
		settlements: settlements.New(c.Pool, c.Ledger, c.Accounts),
	}
}

// Handler serves everything under /dashboard. The caller sets web.SecurityHeaders
// around it.
func (d *Dashboard) Handler() http.Handler {
	// Clean paths only: the router would answer others with a redirect.
	router := mux.NewRouter().SkipClean(true)
	router.Use(ops.NoteRoutes)
	for _, r := range routes() {
		// The pattern excludes words such as sign-in.
		path := strings.Replace(r.path, inOrganization,
			"/{organization:"+uuidForm+"}{mode:(?:"+view.InTest+")?}", 1)
		router.Handle(view.Root+path, d.handler(r)).Methods(methods(r.method)...)
	}
	router.NotFoundHandler = d.handler(route{handle: func(*Dashboard, *request) error { return errNoPage }})
	router.MethodNotAllowedHandler = router.NotFoundHandler
	component := web.Component{
		Name: "dashboard",
		Log:  d.config.Log,
		Panicked: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		},
	}
	return component.Wrap(router)
}

// uuidForm is the pattern of uuids in the addresses of pages.
const uuidForm = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

// methods adds HEAD to GET.
func methods(method string) []string {
	if method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{method}
}
