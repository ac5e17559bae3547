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
	"daftar/payments/acquirer"
	"daftar/payments/decisions"
	"daftar/projections"
	"daftar/requestlog"
	"daftar/webhooks"
)

// Limits of what one request may take.
const (
	requestLimit = 5 * time.Second // for all of it but an export and an upload
	maxForm      = 64 << 10        // bytes
)

// Config is what the dashboard stands on. Everything in it stays the caller's.
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
	Requests   *requestlog.Requests
	Attempts   Attempts
	Pool       *pgxpool.Pool
	// PublicURL is what people see: an absolute http or https address. Behind https
	// the session's cookie is Secure and bound to the host.
	PublicURL string
	// Guard says which webhook URLs may be set: as the one that sends.
	Guard webhooks.Guard
	// Providers are those with whom applications may have accounts.
	Providers []acquirer.Provider
	// NotifyURL is where an acquirer sends what it has to say about an application's account.
	NotifyURL func(acquirer string, of domain.ApplicationID) string
	// APIPath is where the API is, below PublicURL.
	APIPath string
	// Now is the time that pages go by; nil is the ledger's.
	Now func() time.Time
	// Sandbox says on every page that no real money moves.
	Sandbox bool
	Log     zerolog.Logger
}

// Late is where lists, figures and exports come from: nobody decides anything by them alone,
// so a standby may answer, which is a moment behind. The zero Late is Config.Payments.
type Late struct {
	Payments  *projections.Payments
	Decisions *decisions.Decisions
	// AsOf is the time up to which they see everything; nil where nothing is later.
	AsOf func() *time.Time
}

// Dashboard serves the pages. It is safe for concurrent use.
type Dashboard struct {
	config      Config
	sessions    *scs.SessionManager
	newSessions *scs.SessionManager // commits those that begin with a request
	publicURL   string              // without a slash at its end
	sameOrigin  *http.CrossOriginProtection
	turningAway sync.Mutex
	uploading   *slots // of files that are under way or waiting
	comparing   *slots // of statements that are compared
	decoding    *slots // of logos that are decoded
}

// New makes a Dashboard. It panics where the public address is none.
func New(c Config) *Dashboard {
	if c.Now == nil {
		c.Now = c.Ledger.Now
	}
	if c.Late.Payments == nil {
		c.Late = Late{Payments: c.Payments, Decisions: c.Decisions, AsOf: func() *time.Time { return nil }}
	}
	https := web.IsHTTPS(c.PublicURL)
	return &Dashboard{
		config: c, sessions: newSessions(c.People.Sessions(), https),
		newSessions: newSessions(c.People.NewSessions(), https),
		publicURL:   strings.TrimSuffix(c.PublicURL, "/"), sameOrigin: web.SameOrigin(c.PublicURL),
		uploading: newSlots(uploadsInAll, uploadsOfEach, 0),
		comparing: newSlots(comparedInAll, comparedOfEach, slotLimit),
		decoding:  newSlots(decodedInAll, decodedOfEach, slotLimit),
	}
}

// Handler serves everything under /dashboard. The caller sets web.SecurityHeaders
// around it.
func (d *Dashboard) Handler() http.Handler {
	// Clean paths only: the router would answer others with a redirect.
	router := mux.NewRouter().SkipClean(true)
	router.Use(ops.NoteRoutes)
	for _, r := range routes() {
		// Words such as sign-in are no organisations.
		path := strings.Replace(r.path, inOrganization, "/{organization:"+uuidForm+"}", 1)
		router.Handle(view.Root+path, d.handler(r)).Methods(methods(r.method)...)
	}
	router.NotFoundHandler = d.handler(route{handle: func(*Dashboard, *request) error { return errNoPage }})
	router.MethodNotAllowedHandler = router.NotFoundHandler
	component := web.Component{Name: "dashboard", Log: d.config.Log,
		Panicked: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}}
	return component.Wrap(router)
}

// uuidForm is how uuids appear in the addresses of pages.
const uuidForm = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

// methods adds HEAD to GET.
func methods(method string) []string {
	if method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{method}
}
