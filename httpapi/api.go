package httpapi

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/internal/ops"
	"daftar/internal/postgres"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/requestlog"
	"daftar/webhooks"
)

// Prefix is the path of the API; all routes are under it.
const Prefix = "/api/v1"

// defaultDeadline is how long a request may take, with its body.
const defaultDeadline = 5 * time.Second

//go:embed openapi.yaml
var openAPI []byte

// The placeholders in the document: the address of the service, and the line with the address
// for questions.
const (
	exampleURL   = "https://pay.example"
	exampleEmail = "    email: developers@pay.example\n"
)

// Config has the dependencies and settings of the API. The caller still owns them.
type Config struct {
	Ledger   *ledger.Ledger
	Accounts *accounts.Accounts
	// Deliveries are read by developers who forward webhooks to their machine.
	Deliveries *webhooks.Deliveries
	// Refunds are requested of acquirers for applications.
	Refunds *refunds.Operations
	// Books are read by the accountants' software of an organisation.
	Books *projections.Books
	// Requests logs the requests of applications; nil: they are not logged.
	Requests *requestlog.Log
	// PublicURL is the address of the service, as customers and merchants see it.
	PublicURL string
	// SupportEmail is the address for questions of merchants' developers; empty: the document
	// names none.
	SupportEmail string
	Log          zerolog.Logger
	Now          func() time.Time
	// Rate limits the requests of an application to this server.
	Rate Rate
	// Registerer receives the metrics; nil exports none.
	Registerer prometheus.Registerer
	// Deadline is how long a request may take; 0 means five seconds.
	Deadline time.Duration
}

type api struct {
	Config
	limits    *limiter
	listeners listeners
	retrier   postgres.Retrier
}

// New makes the handler of everything under Prefix. The caller sets
// web.SecurityHeaders around it.
func New(c Config) http.Handler {
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	c.Deadline = cmp.Or(c.Deadline, defaultDeadline)
	a := &api{Config: c, limits: newLimiter(c.Rate, c.Now, c.Registerer)}
	// Clean paths only: the router would answer others with a redirect in HTML.
	routes := mux.NewRouter().SkipClean(true)
	routes.Use(ops.NoteRoutes)
	routes.NotFoundHandler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.refuse(w, r, errNoRoute)
	})
	// Without a subrouter, whose prefix would be matched in addition.
	for _, path := range paths() {
		routes.Handle(Prefix+path, a.methods(a.handlersOf(path)))
	}
	document := documentHandler(c.PublicURL, c.SupportEmail)
	routes.Handle(Prefix+"/openapi.yaml", a.methods(byMethod{http.MethodGet: document}))
	return a.wrap(routes)
}

// endpoint is an operation of the API.
type endpoint struct {
	method, path string         // below Prefix
	needs        accounts.Scope // that an access token must have; if it is empty, none has it
	prepare      func(*api, http.ResponseWriter, *http.Request) (operation, error)
}

const intentsPath = "/payment-intents"

// endpoints is the table of all operations that need credentials. TestScopes has a row for each.
var endpoints = []endpoint{
	{http.MethodPost, intentsPath, accounts.ScopePayments, (*api).create},
	{http.MethodGet, intentsPath, accounts.ScopeRead, (*api).list},
	{http.MethodGet, intentsPath + "/{uuid}", accounts.ScopeRead, (*api).retrieve},
	{http.MethodPost, intentsPath + "/{uuid}/expire", accounts.ScopePayments, (*api).expire},
	{http.MethodGet, intentsPath + "/{uuid}/events", accounts.ScopeRead, (*api).history},
	{http.MethodPost, intentsPath + "/{uuid}/refunds", accounts.ScopeRefunds, (*api).createRefund},
	{http.MethodGet, intentsPath + "/{uuid}/refunds", accounts.ScopeRead, (*api).listRefunds},
	{http.MethodGet, "/refunds/{uuid}", accounts.ScopeRead, (*api).retrieveRefund},
	{http.MethodGet, "/books/balance", accounts.ScopeBooks, (*api).bookBalance},
	{http.MethodGet, "/books/journal", accounts.ScopeBooks, (*api).bookJournal},
	{http.MethodGet, deliveriesRoute, accounts.ScopeRead, (*api).deliveries},
}

// paths are those of endpoints, in their order: the router tries them one after another.
func paths() (all []string) {
	for _, e := range endpoints {
		if !slices.Contains(all, e.path) {
			all = append(all, e.path)
		}
	}
	return all
}

func (a *api) handlersOf(path string) byMethod {
	handlers := byMethod{}
	for _, e := range endpoints {
		if e.path == path {
			handlers[e.method] = a.authenticated(e)
		}
	}
	return handlers
}

// byMethod has the handler of each method that a path allows.
type byMethod map[string]http.Handler

// methods serves a path by method, and HEAD where GET is allowed. It replaces the router's
// own matching of methods, which does not provide the Allow header.
func (a *api) methods(handlers byMethod) http.Handler {
	if get, ok := handlers[http.MethodGet]; ok {
		handlers[http.MethodHead] = get
	}
	allowed := strings.Join(slices.Sorted(maps.Keys(handlers)), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if next, ok := handlers[r.Method]; ok {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Allow", allowed)
		a.refuse(w, r, errNoMethod)
	})
}

// documentHandler serves the OpenAPI document, with the addresses of the service in it.
func documentHandler(publicURL, email string) http.Handler {
	if email != "" {
		email = "    email: " + strconv.Quote(email) + "\n"
	}
	text := strings.NewReplacer(exampleURL, publicURL, exampleEmail, email).Replace(string(openAPI))
	document := answer{http.StatusOK, http.Header{"Content-Type": {"application/yaml"}}, []byte(text)}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { document.send(w) })
}

// operation is the work of a request, done under a credential. If the credential is stale, the
// operation returns ErrStaleCredential of ledger or accounts before it changes anything, and is
// repeated from the start.
type operation func(context.Context, accounts.Credential) (answer, error)

// authenticated serves requests with two valid credentials and refuses others.
func (a *api) authenticated(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := a.perform(w, r, e)
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		reply.send(w)
	})
}

// maxStale bounds how often a credential is looked up again. Each time means that
// a credential was changed in the meantime.
const maxStale = 3

// perform answers under a credential that is current at the time of the answer:
// a key that was rolled gets 401 at once, whatever else is wrong with the
// request. It waits for a database that is away for a moment: every operation can be
// repeated.
func (a *api) perform(w http.ResponseWriter, r *http.Request, e endpoint) (reply answer, err error) {
	var credential accounts.Credential
	var work operation
	var refusal error
	err = a.retrier.Do(r.Context(), func() (err error) {
		if work == nil {
			if credential, err = a.admit(w, r); err != nil {
				return err
			}
			if work, refusal = e.begin(a, credential, w, r); refusal != nil {
				work = a.refusalOf(refusal)
			}
		}
		ctx, cancel := r.Context(), context.CancelFunc(func() {})
		if refusal != nil {
			ctx, cancel = untilDeadline(ctx)
		}
		defer cancel()
		reply, err = a.withCurrentCredential(ctx, r, credential, work)
		return err
	})
	return reply, err
}

// begin reads a request and returns its operation. Its error is a refusal that needs no ledger.
func (e endpoint) begin(a *api, c accounts.Credential, w http.ResponseWriter, r *http.Request,
) (operation, error) {
	if !accounts.Allow(c.Scopes, e.needs) {
		return nil, &scopeError{e.needs}
	}
	return e.prepare(a, w, r)
}

// admit authenticates a request and counts it against the rate of its application.
func (a *api) admit(w http.ResponseWriter, r *http.Request) (accounts.Credential, error) {
	token, key, hasKey := credentials(r.Header)
	credential, err := a.Accounts.Authenticate(r.Context(), token, key, hasKey, web.ClientAddress(r))
	if err != nil {
		return accounts.Credential{}, err
	}
	noteApplication(w, credential.Application)
	// The limit is in memory, so a refused request costs no query. A credential that
	// was changed a moment ago gets 401 when the rate allows the next request.
	return credential, a.limits.take(credential.Application, w.Header())
}

// refusalOf is the operation of a request that is refused without the ledger.
func (a *api) refusalOf(refusal error) operation {
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		if err := a.Accounts.Confirm(ctx, c); err != nil {
			return answer{}, err
		}
		return answer{}, refusal
	}
}

// withCurrentCredential does an operation under a credential, or under the one that has replaced it.
func (a *api) withCurrentCredential(ctx context.Context, r *http.Request, credential accounts.Credential,
	work operation,
) (answer, error) {
	for range maxStale {
		reply, err := work(ctx, credential)
		if !errors.Is(err, ledger.ErrStaleCredential) && !errors.Is(err, accounts.ErrStaleCredential) {
			return reply, err
		}
		token, key, hasKey := credentials(r.Header)
		credential, err = a.Accounts.Reauthenticate(ctx, token, key, hasKey, web.ClientAddress(r))
		if err != nil {
			return answer{}, err
		}
	}
	return answer{}, accounts.ErrStaleCredential
}

// untilDeadline returns a context that ends at the request's deadline and not before, also where
// the request's own context was canceled, as by a body that stalled: a refusal waits for the
// database as long as any other answer.
func untilDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		panic("httpapi: a request without a deadline")
	}
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}
