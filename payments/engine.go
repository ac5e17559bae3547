package payments

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/sealing"
	"daftar/internal/web"
	"daftar/internal/worker"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/projections"
)

// Limits of what one request may take.
const (
	storeLimit    = 5 * time.Second  // for reading or writing our own database
	acquirerLimit = 10 * time.Second // for one call to an acquirer
)

// Config is what an Engine needs. Everything in it stays the caller's.
type Config struct {
	Ledger   *ledger.Ledger
	Settings *settings.Settings
	Pool     *pgxpool.Pool
	Polls    *worker.Polls // nil: the Engine polls alone
	// SecretKey conceals the numbers and networks that are counted. Required, and the
	// same on all servers.
	SecretKey sealing.Key
	// Providers are the acquirers with which an application may have its own account.
	Providers []acquirer.Provider
	// Acquirers are for all applications, after their own accounts, in this order. Of two
	// with the same method, the first that can carry the amount and is not out of order is
	// offered. Names must differ, also from those of providers. The sandbox among them is
	// for test applications, and on a developer's machine for live ones, too: see MovesMoney.
	Acquirers []acquirer.Acquirer
	// PublicURL is where payers and acquirers find the server: an absolute http or https
	// address. On the loopback nobody else finds it: it is a developer's machine.
	PublicURL  string
	Log        zerolog.Logger
	Registerer prometheus.Registerer // nil exports no metrics
	// OutOfOrderFor is how long an acquirer that does not work is left alone; 0: 15 s.
	OutOfOrderFor time.Duration
}

// Engine starts attempts, inquires about them and settles them. It is safe for concurrent use.
type Engine struct {
	ledger    *ledger.Ledger
	settings  *settings.Settings
	attempts  attempts
	polls     *worker.Polls
	providers map[string]acquirer.Provider
	shared    []*breakerAcquirer  // for all applications
	circuits  map[string]*circuit // of providers and of shared
	backlogs  []*backlog          // likewise
	publicURL string
	local     bool // only this machine finds the server
	usageKey  sealing.Key
	log       zerolog.Logger
	metrics   *metrics
}

// New makes an Engine. It panics where two acquirers share a name, which would send
// payments astray, and without a secret key.
func New(c Config) *Engine {
	usageKey, err := c.SecretKey.For("usage of the checkout")
	if _, missing := usageKey.Digest(""); err != nil || missing != nil {
		panic("payments: " + errors.Join(err, missing).Error())
	}
	e := &Engine{
		ledger: c.Ledger, settings: c.Settings, attempts: attempts{c.Pool},
		polls:     cmp.Or(c.Polls, worker.NewPolls(c.Pool, pollEvery)),
		publicURL: strings.TrimSuffix(c.PublicURL, "/"), local: web.IsLocal(c.PublicURL),
		usageKey: usageKey, log: c.Log, metrics: newMetrics(c.Registerer),
		providers: make(map[string]acquirer.Provider), circuits: make(map[string]*circuit),
	}
	for _, p := range c.Providers {
		e.watch(p.Name(), p.Capabilities(), c)
		e.providers[p.Name()] = p
	}
	for _, a := range c.Acquirers {
		e.watch(a.Name(), a.Capabilities(), c)
		e.shared = append(e.shared, e.withBreaker(a))
	}
	return e
}

// sandboxName is the acquirer that moves no real money.
const sandboxName = "sandbox"

// isSandbox reports whether an acquirer moves no real money.
func isSandbox(a *breakerAcquirer) bool { return a.Name() == sandboxName }

// takes reports whether an acquirer of all applications takes payments of those of a mode: the
// sandbox those of test applications, and no other does. A live application is offered the
// sandbox on a developer's machine alone.
func (e *Engine) takes(a *breakerAcquirer, mode domain.Mode) bool {
	return isSandbox(a) == (mode == domain.ModeTest) || isSandbox(a) && e.local
}

// MovesMoney reports whether payments of applications of a mode move money. Those of live
// applications on a developer's machine with the sandbox do not.
func (e *Engine) MovesMoney(mode domain.Mode) bool {
	sandboxAlone := len(e.shared) > 0 && !slices.ContainsFunc(e.shared, func(a *breakerAcquirer) bool {
		return !isSandbox(a)
	})
	return mode != domain.ModeTest && !(sandboxAlone && e.local)
}

// watch gives an acquirer its circuit and its backlog.
func (e *Engine) watch(name string, methods []acquirer.Capability, c Config) {
	e.metrics.watchMethods(name, methods)
	if e.circuits[name] != nil {
		panic("payments: two acquirers have the name " + name)
	}
	e.circuits[name] = newCircuit(name, cmp.Or(c.OutOfOrderFor, outOfOrderFor), e.metrics, e.log)
	e.backlogs = append(e.backlogs, newBacklog(name))
}

// returnURL is where an acquirer's page sends the payer back to. It has no query where the
// acquirer adds a signed one.
func (e *Engine) returnURL(i domain.Intent, o Option, language string) string {
	page := projections.CheckoutPath(i.ID, i.CheckoutToken)
	if o.SignedReturn {
		return e.publicURL + page + "/return"
	}
	return e.publicURL + locale.WithLang(page, LanguageOf(language))
}

// LanguageOf is the language that an attempt remembers.
func LanguageOf(stored string) locale.Lang {
	if stored == locale.English.String() {
		return locale.English
	}
	return locale.Arabic
}

// notifyURL is where an acquirer pushes notifications: about an application's account, or
// about payments of all.
func (e *Engine) notifyURL(name string, of domain.ApplicationID) string {
	if _, own := e.providers[name]; own {
		return NotifyURL(e.publicURL, name, of)
	}
	return e.publicURL + "/acquirers/" + url.PathEscape(name) + "/notifications"
}

// NotifyURL is the address at which the server with the public address takes the
// notifications about an application's account with an acquirer.
func NotifyURL(publicURL, name string, of domain.ApplicationID) string {
	base := strings.TrimSuffix(publicURL, "/")
	return base + "/acquirers/" + url.PathEscape(name) + "/" + of.String() + "/notifications"
}

// detached is a context for work on our own database that must not be cut off
// because the payer went away or the server is stopping.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
}

// ErrNotReached says that the payer's request did not reach the acquirer.
var ErrNotReached = errors.New("the request did not come to the acquirer")
