package dashboard_test

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/dashboard"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/notices"
	"daftar/payments"
	"daftar/payments/decisions"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
	"daftar/payments/settlements"
	"daftar/payments/till"
	"daftar/projections"
	"daftar/requestlog"
	"daftar/webhooks"
)

func TestMain(m *testing.M) {
	if order := os.Getenv(floodOrder); order != "" {
		flood(order)
		return
	}
	// httptest.Server.Close closes the idle connections of all tests, so that a request of
	// another test that is about to use one would fail.
	http.DefaultTransport.(*http.Transport).DisableKeepAlives = true
	pgtest.Main(m)
}

// password is the password of all users. It is not one of the common ones.
const password = "seven grey camels at noon"

// passkeySite is an address at which browsers allow passkeys, which need https or localhost.
const passkeySite = "http://localhost"

// world is a dashboard on a separate database, with two organisations that share nothing.
type world struct {
	db         *pgtest.DB
	pool       *pgxpool.Pool
	accounts   *accounts.Accounts
	people     *people.People
	settings   *settings.Settings
	store      *eventstore.Store
	ledger     *ledger.Ledger
	deliveries *webhooks.Deliveries
	refunds    *refunds.Operations // the acquirer "bank" can be asked
	outcomes   *outcomes.Outcomes
	// settlements are the dashboard's.
	settlements *settlements.Settlements
	server      *httptest.Server
	// shift is added to the ledger's and the authenticator's clock.
	shift atomic.Int64
	// stopped is the time at which the clock was stopped; nil: it runs.
	stopped atomic.Pointer[time.Time]
	ours    business
	other   business
}

// business is an organisation with two applications and a person of each role.
type business struct {
	org    accounts.Organization
	apps   [2]accounts.NewApplication
	tokens [2]accounts.Token
	values [2]string // of the tokens
	people map[accounts.Role]people.User
}

// newWorld starts a dashboard, after the changes of its configuration.
func newWorld(t *testing.T, change ...func(*dashboard.Config)) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{db: db, pool: db.Pool(t)}
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	w.store = eventstore.New(w.pool, w.pool, eventstore.Options{Inline: projections.Inline()})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.store.Close(ctx); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	intents := projections.NewIntents(w.pool)
	t.Cleanup(intents.Close)
	w.ledger = ledger.New(w.store, intents)
	w.accounts = accounts.New(w.pool, accounts.Options{SecretKey: key, Now: w.now})
	w.people = people.New(w.pool, w.accounts, people.Options{
		SecretKey: key, Now: w.now, CheapPasswords: true, PublicURL: passkeySite,
	})
	w.settings = settings.New(w.pool, w.accounts, key, w.now)
	w.deliveries = webhooks.NewDeliveries(w.pool, w.accounts, w.now)
	w.refunds = refunds.NewOperations(w.pool, w.ledger, w.accounts, func(name, _ string) bool {
		return name == "bank"
	})
	attempts := payments.NewOperations(w.pool, w.ledger)
	w.outcomes = outcomes.New(w.pool, w.ledger, w.accounts, attempts, w.refunds)
	w.settlements = settlements.New(w.pool, w.ledger, w.accounts)
	c := dashboard.Config{
		Accounts: w.accounts, People: w.people, Settings: w.settings, Ledger: w.ledger,
		Payments: projections.NewPayments(w.pool), Decisions: decisions.New(w.pool),
		Deliveries: w.deliveries, Refunds: w.refunds, Outcomes: w.outcomes, Attempts: attempts,
		Pool: w.pool, Requests: requestlog.NewRequests(w.pool, w.accounts),
		Till:    till.New(w.pool, w.accounts, w.ledger, w.now),
		APIPath: httpapi.Prefix, Now: w.now, PublicURL: "http://pay.example", Log: zerolog.Nop(),
	}
	c.Notices = notices.New(notices.Config{
		Pool: w.pool, Accounts: w.accounts, Key: key, Now: w.now, Log: c.Log, Payments: c.Payments,
		Decisions: c.Decisions, Outcomes: w.outcomes, Deliveries: w.deliveries,
	})
	for _, f := range change {
		f(&c)
	}
	// The handlers are wrapped as in the server.
	secured := web.SecurityHeaders(c.PublicURL)(dashboard.New(c).Handler())
	w.server = httptest.NewServer(web.Proxies(nil).Wrap(zerolog.Nop(), secured))
	t.Cleanup(w.server.Close)
	w.ours = w.newBusiness(t, "ours")
	w.other = w.newBusiness(t, "other")
	return w
}

// now is the machine's time, or that of the stopped clock, plus the time that the test has added.
func (w *world) now() time.Time {
	now := time.Now()
	if at := w.stopped.Load(); at != nil {
		now = *at
	}
	return now.Add(time.Duration(w.shift.Load()))
}

// stopClock stops the clock: only wait lets time pass.
func (w *world) stopClock() {
	now := time.Now()
	w.stopped.Store(&now)
}

// wait lets time pass.
func (w *world) wait(d time.Duration) { w.shift.Add(int64(d)) }

var operator = accounts.Operator("test")

func (w *world) newBusiness(t *testing.T, name string) business {
	t.Helper()
	ctx := t.Context()
	org, err := w.accounts.CreateOrganization(ctx, operator, name)
	if err != nil {
		t.Fatal(err)
	}
	b := business{org: org, people: make(map[accounts.Role]people.User)}
	for n, app := range []string{"first", "second"} {
		if b.apps[n], err = w.accounts.CreateApplication(ctx, operator, org.ID,
			accounts.Draft{Name: name + " " + app}); err != nil {
			t.Fatal(err)
		}
		b.tokens[n], b.values[n], err = w.accounts.CreateToken(ctx, operator, org.ID,
			accounts.TokenDraft{Name: name + " " + app})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, role := range accounts.Roles {
		email := string(role) + "@" + name + ".example"
		b.people[role], err = w.people.CreateUser(ctx, operator, org.ID, email, role, password)
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// join makes a user a member of another organisation.
func (w *world) join(t *testing.T, u people.User, b business, role accounts.Role) {
	t.Helper()
	_, token, err := w.people.Invite(t.Context(), operator, b.org.ID, u.Email, role)
	if err == nil {
		_, err = w.people.AcceptInvitation(t.Context(), u.Actor("", ""), token)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// path is a path of the organisation's part of the dashboard.
func (b business) path(below string) string {
	return "/dashboard/" + b.org.ID.String() + "/" + below
}

// email is that of the person with a role.
func (b business) email(role accounts.Role) string { return b.people[role].Email }

func (w *world) client(t *testing.T) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := *w.server.Client()
	c.Jar = jar
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{t: t, w: w, http: &c}
}

// as is a client with a signed-in user.
func (w *world) as(t *testing.T, email string) *client {
	t.Helper()
	c := w.client(t)
	c.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard")
	return c
}

// owner, developer, finance, support and viewer of our organisation, signed in.
func (w *world) owner(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleOwner))
}

func (w *world) developer(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleDeveloper))
}

func (w *world) finance(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleFinance))
}

func (w *world) support(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleSupport))
}

func (w *world) viewer(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleViewer))
}

// trail are the audit records of an organisation with an action, the latest first.
func (w *world) trail(t *testing.T, b business, action accounts.Action) []accounts.AuditRecord {
	t.Helper()
	all, err := w.accounts.Trail(t.Context(), operator, b.org.ID, accounts.TrailFilter{Action: action})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
