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
	"sync"
	"time"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/internal/ops"
	"daftar/internal/postgres"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/requestlog"
	"daftar/webhooks"
)

// Prefix is the path under which the API lives.
const Prefix = "/api/v1"

// defaultDeadline is how long a request may take in all.
const defaultDeadline = 5 * time.Second

//go:embed openapi.yaml
var openAPI []byte

// What stands in the document for the address of the service, and the line with that for
// questions.
const (
	exampleURL   = "https://pay.example"
	exampleEmail = "    email: developers@pay.example\n"
)

// Config is what the API stands on. Everything in it stays the caller's.
type Config struct {
	Ledger   *ledger.Ledger
	Accounts *accounts.Accounts
	// Deliveries are handed to developers who forward webhooks to their machine.
	Deliveries *webhooks.Deliveries
	// Requests takes note of the requests of applications; nil: nobody does.
	Requests *requestlog.Log
	// PublicURL is what customers and merchants see.
	PublicURL string
	// SupportEmail is where merchants' developers ask; empty: the document names no address.
	SupportEmail string
	Log          zerolog.Logger
	Now          func() time.Time
	// Rate is how many requests an application may send to this server.
	Rate Rate
	// Registerer takes the metrics; nil exports none.
	Registerer prometheus.Registerer
	// Deadline is how long a request may take; 0 means five seconds.
	Deadline time.Duration

	slowBody time.Duration // how long a body may take; 0 means its share of the deadline
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
	c.slowBody = cmp.Or(c.slowBody, shareOfBody(c.Deadline))
	a := &api{Config: c, limits: newLimiter(c.Rate, c.Now, c.Registerer)}
	// Clean paths only: the router would answer others with a redirect in HTML.
	routes := mux.NewRouter().SkipClean(true)
	v1 := routes.PathPrefix(Prefix).Subrouter()
	const intents = "/payment-intents"
	v1.Handle(intents, a.methods(byMethod{http.MethodPost: a.authenticated(a.create),
		http.MethodGet: a.authenticated(a.list)}))
	v1.Handle(intents+"/{uuid}", a.methods(byMethod{http.MethodGet: a.authenticated(a.retrieve)}))
	v1.Handle(intents+"/{uuid}/expire", a.methods(byMethod{http.MethodPost: a.authenticated(a.expire)}))
	v1.Handle(intents+"/{uuid}/events", a.methods(byMethod{http.MethodGet: a.authenticated(a.history)}))
	v1.Handle(deliveriesRoute, a.methods(byMethod{http.MethodGet: a.authenticated(a.deliveries)}))
	v1.Handle("/openapi.yaml", a.methods(byMethod{http.MethodGet: documentHandler(c.PublicURL, c.SupportEmail)}))
	return a.wrap(a.dispatch(routes))
}

// matches are those of requests that were answered.
var matches = sync.Pool{New: func() any { return new(mux.RouteMatch) }}

// dispatch serves the route that the router finds. The router itself would copy the request
// twice, to put the route and its variables into the context.
func (a *api) dispatch(routes *mux.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found, _ := matches.Get().(*mux.RouteMatch)
		*found = mux.RouteMatch{}
		defer matches.Put(found)
		if !routes.Match(r, found) {
			a.refuse(w, r, errNoRoute)
			return
		}
		ops.NoteRoute(w, r, found.Route)
		if recorder := web.RecorderOf(w); recorder != nil {
			recorder.Variables = found.Vars
		}
		found.Handler.ServeHTTP(w, r)
	})
}

// byMethod is who answers the methods that a path takes.
type byMethod map[string]http.Handler

// methods serves a path by method, and HEAD where it takes GET. It stands in for the
// router's own matching of methods, which does not say which ones there are.
func (a *api) methods(taken byMethod) http.Handler {
	if get, ok := taken[http.MethodGet]; ok {
		taken[http.MethodHead] = get
	}
	allowed := strings.Join(slices.Sorted(maps.Keys(taken)), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if next, ok := taken[r.Method]; ok {
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

// operation is the work of a request, done under a credential. It is done again
// from the start where the credential turns out to be stale, so it must change
// nothing before it says so.
type operation func(context.Context, accounts.Credential) (answer, error)

// preparation reads a request and says what to do. Its error is a refusal that
// needs neither ledger nor credential.
type preparation func(http.ResponseWriter, *http.Request) (operation, error)

// authenticated takes requests with two valid credentials.
func (a *api) authenticated(prepare preparation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, err := a.perform(w, r, prepare)
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
// a key that was rolled gets its 401 at once, whatever else is wrong with the
// request. It waits for a database that is away for a moment: every operation can be
// repeated.
func (a *api) perform(w http.ResponseWriter, r *http.Request, prepare preparation) (reply answer, err error) {
	var credential accounts.Credential
	var work operation
	var refusal error
	err = a.retrier.Do(r.Context(), func() (err error) {
		if work == nil {
			if credential, err = a.admit(w, r); err != nil {
				return err
			}
			if work, refusal = prepare(w, r); refusal != nil {
				work = a.refusing(refusal)
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

// admit is whose request it is, if one more may come.
func (a *api) admit(w http.ResponseWriter, r *http.Request) (accounts.Credential, error) {
	token, key, hasKey := credentials(r.Header)
	credential, err := a.Accounts.Authenticate(r.Context(), token, key, hasKey, web.ClientAddress(r))
	if err != nil {
		return accounts.Credential{}, err
	}
	noteApplication(w, credential.Application)
	// Answered from memory: what is refused here costs no query. A credential that
	// was changed a moment ago gets its 401 when there is a token again.
	return credential, a.limits.take(credential.Application, w.Header())
}

// refusing is the operation of a request that is refused whatever the ledger has.
func (a *api) refusing(refusal error) operation {
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		if err := a.Accounts.Confirm(ctx, c); err != nil {
			return answer{}, err
		}
		return answer{}, refusal
	}
}

// withCurrentCredential does an operation under a credential, or under the one that has taken its place.
func (a *api) withCurrentCredential(ctx context.Context, r *http.Request, credential accounts.Credential,
	work operation,
) (answer, error) {
	for range maxStale {
		reply, err := work(ctx, credential)
		if !errors.Is(err, ledger.ErrStaleCredential) && !errors.Is(err, accounts.ErrStaleCredential) {
			return reply, err
		}
		token, key, hasKey := credentials(r.Header)
		if credential, err = a.Accounts.Reauthenticate(ctx, token, key, hasKey, web.ClientAddress(r)); err != nil {
			return answer{}, err
		}
	}
	return answer{}, accounts.ErrStaleCredential
}

// untilDeadline outlives what has ended the request's own context, such as a body
// that stalled, but not the request's deadline: a refusal waits for the database as
// long as anything else does.
func untilDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		panic("httpapi: a request without a deadline")
	}
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}
