package server

import (
	"net/http"
	"slices"
	"strings"

	"daftar/checkout"
	"daftar/cmd/daftar/config"
	"daftar/dashboard"
	"daftar/docs/site"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/frontdoor"
	"daftar/httpapi"
	"daftar/internal/layout"
	"daftar/internal/ops"
	"daftar/internal/tracing"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/decisions"
	"daftar/payments/till"
	"daftar/projections"
	"daftar/requestlog"
	"daftar/transparency"
	"daftar/webhooks"
)

// routes makes the API and the dashboard, and serves them next to the customers' pages and
// the transparency log.
func (s *Server) routes(
	c config.Config, l *ledger.Ledger, clock *eventstore.Clock, proofs http.Handler,
	providers []acquirer.Provider,
) http.Handler {
	requests := ops.NewRequests(s.registry)
	deliveries := webhooks.NewDeliveries(s.reads, s.accounts, clock.WallTime)
	api := httpapi.New(httpapi.Config{
		Ledger: l, Accounts: s.accounts, Deliveries: deliveries, Refunds: s.refunds,
		Books: projections.NewBooks(s.reads), PublicURL: c.PublicURL,
		SupportEmail: c.SupportEmail, Log: s.log, Now: l.Now,
		Rate: c.Rate, Registerer: s.registry, Requests: s.requests,
	})
	people := dashboard.New(dashboard.Config{
		Accounts: s.accounts, People: s.people, Settings: s.settings, Ledger: l,
		Payments: projections.NewPayments(s.reads), Decisions: decisions.New(s.reads),
		Deliveries: deliveries, Refunds: s.refunds, Outcomes: s.outcomes, Notices: s.notices,
		Requests: requestlog.NewRequests(s.reads, s.accounts), Till: till.New(s.reads, s.accounts, l, nil),
		Late: dashboard.Late{
			Payments: projections.NewPayments(s.late), Decisions: decisions.New(s.late),
			Books: projections.NewBooks(s.late), AsOf: s.late.AsOf,
		},
		Attempts: payments.NewOperations(s.reads, l), Pool: s.reads,
		PublicURL: c.PublicURL, Guard: webhooks.Guard{AllowPrivate: c.AllowPrivate}, APIPath: httpapi.Prefix,
		SignUp:  c.SignUp,
		Sandbox: !s.payments.MovesMoney(domain.ModeLive), Log: s.log, Providers: providers,
		NotifyURL: func(name string, of domain.ApplicationID) string {
			return payments.NotifyURL(c.PublicURL, name, of)
		},
	})
	seen := func(part string, h http.Handler) http.Handler {
		return requests.Of(part, tracing.Requests(part, h))
	}
	pages := seen("checkout", s.checkout.Handler())
	documents := seen("documentation",
		site.New(site.Config{PublicURL: c.PublicURL, SupportEmail: c.SupportEmail, Log: s.log}))
	proofs = withTimeout(databaseLimit, proofs)
	front := frontdoor.New(frontdoor.Config{
		PublicURL: c.PublicURL, Demo: s.demo, SignUp: c.SignUp, Ledger: l, Now: clock.WallTime, Log: s.log,
	})
	all := byPrefix(seen("api", api), []route{
		{"/pay/", pages},
		{checkout.ReceiptPrefix, pages},
		{checkout.ShopPrefix, pages},
		{"/acquirers/", pages},
		{layout.AssetPrefix, pages},
		{"/dashboard/", seen("dashboard", people.Handler())},
		{site.Prefix + "/", documents},
		{site.Prefix + ".md", documents},
		{site.ProgramsPath, documents},
		{transparency.Prefix, proofs},
		{transparency.CheckpointPath, proofs},
	})
	atFront := seen("front door", front)
	return c.Proxies.Wrap(s.log, web.SecurityHeaders(c.PublicURL)(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if front.Serves(r) {
				atFront.ServeHTTP(w, r)
				return
			}
			all.ServeHTTP(w, r)
		})))
}

type route struct {
	prefix string
	to     http.Handler
}

// byPrefix sends a request to the part of the server that has its path. The merchants' API
// answers all other paths, unknown ones too.
func byPrefix(api http.Handler, routes []route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if path == "/dashboard" || path == site.Prefix {
			path += "/"
		}
		to := api
		if n := slices.IndexFunc(routes, func(x route) bool { return strings.HasPrefix(path, x.prefix) }); n >= 0 {
			to = routes[n].to
		}
		to.ServeHTTP(w, r)
	})
}
