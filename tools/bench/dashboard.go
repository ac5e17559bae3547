package main

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/domain"
	"daftar/tools/bench/figures"
)

const (
	tenantDays = 90  // the intents of the tenant are spread over so many days
	lateEvery  = 997 // one intent in so many was paid late
)

// tenant is an organisation with the number of intents that the options ask for, and a
// user who is signed in to its dashboard.
type tenant struct {
	samples []tenantIntent // some of its intents, to search for
	shops   [2]merchant
	path    string // of its dashboard
	client  *http.Client
}

// tenantIntent is an intent of the tenant with what a search can find it by.
type tenantIntent struct {
	domain.Created

	id              domain.IntentID
	phone, provider string
	life            life
}

// goods are the words of descriptions.
var goods = strings.Fields(`
coffee cake قهوة كيك tea dates شاي تمور bread olives خبز زيتون honey almonds عسل لوز
sofa carpet أريكة سجادة phone charger هاتف شاحن shirt shoes قميص حذاء lamp curtain مصباح ستارة`)

// dashboardMark is the largest p99 of a page.
const dashboardMark = 100 * time.Millisecond

// staticDashboard is the reference of the dashboard's pages.
const staticDashboard = "dashboard: a static page"

// dashboardPages are the measurements of the dashboard: every filter by itself,
// every kind of name that a search knows, and the turnover.
func (s *stage) dashboardPages() []measurement {
	page := func(name string, address func(t *tenant, n int) string) measurement {
		return measurement{
			Spec: figures.Spec{
				Name: "dashboard: " + name, Reference: staticDashboard, LatencyOnly: true, P99: dashboardMark,
			},
			prepare: s.theTenant,
			run: func(ctx context.Context) (figures.Result, error) {
				return s.dashboard(ctx, func(n int) string {
					return "http://" + s.addresses()[0] + address(s.tenant, n)
				})
			},
		}
	}
	query := func(path, query string) func(*tenant, int) string {
		return func(t *tenant, _ int) string { return t.path + path + "?" + query }
	}
	search := func(name func(tenantIntent) string) func(*tenant, int) string {
		return func(t *tenant, n int) string {
			return t.path + "/payments?q=" + url.QueryEscape(name(t.samples[n%len(t.samples)]))
		}
	}
	day := func(ago int) string { return time.Now().AddDate(0, 0, -ago).Format(time.DateOnly) }
	return []measurement{
		{
			Spec:    figures.Spec{Name: staticDashboard},
			prepare: s.theTenant, run: s.staticDashboard, own: true, foreign: true,
		},
		page("the list", query("/payments", "")),
		page("the list of an application", func(t *tenant, n int) string {
			return t.path + "/payments?application=" + t.shops[n%2].application.ID.String()
		}),
		page("the list of what waits", query("/payments", "status=requires_payment_method")),
		page("the list of what is under way", query("/payments", "status=processing")),
		page("the list of what was paid", query("/payments", "status=succeeded")),
		page("the list of what was canceled", query("/payments", "status=canceled")),
		page("the list of what was paid late", query("/payments", "status=late")),
		page("the list of some days", query("/payments", "from="+day(40)+"&to="+day(38))),
		page("the list of an amount", query("/payments", "min=7.250&max=7.250")),
		page("the list of an amount that nobody paid", query("/payments", "min=900000&max=900001")),
		page("search by uuid", search(func(i tenantIntent) string { return i.id.String() })),
		page("search by reference",
			search(func(i tenantIntent) string { return strings.ToUpper(string(i.Reference)) })),
		page("search by merchant reference",
			search(func(i tenantIntent) string { return string(i.MerchantReference) })),
		page("search by customer", search(func(i tenantIntent) string { return *i.CustomerID })),
		page("search by amount and last four digits",
			search(func(i tenantIntent) string { return i.Amount.Figures() + " " + i.phone })),
		page("search by amount", search(func(i tenantIntent) string { return i.Amount.Figures() })),
		page("search by two words",
			search(func(i tenantIntent) string { return strings.TrimPrefix(i.Description, "Order: ") })),
		page("search by a word of one in sixteen",
			search(func(i tenantIntent) string { return strings.Fields(i.Description)[1] })),
		page("search by a word of all", query("/payments", "q=order")),
		page("search by acquirer's reference", search(func(i tenantIntent) string { return i.provider })),
		page("search by customer, canceled, largest first", func(t *tenant, n int) string {
			i := t.samples[n%len(t.samples)]
			return t.path + "/payments?status=canceled&sort=largest&q=" + url.QueryEscape(*i.CustomerID)
		}),
		page("the list of a day, by amount", query("/payments", "from="+day(40)+"&to="+day(40)+"&sort=largest")),
		page("the list, oldest first", query("/payments", "sort=oldest")),
		page("search for what is not there", query("/payments", "q=no-such-order")),
		page("turnover of a month", query("/money", "span=30")),
		page("turnover of a quarter", query("/money", "span=90")),
	}
}

// dashboard opens pages one after the other, as a single person does.
func (s *stage) dashboard(ctx context.Context, address func(n int) string) (figures.Result, error) {
	l := s.load(ctx, func(ctx context.Context, _, n int) error {
		body, _, err := get(ctx, s.tenant.client, address(n), nil)
		return errors.Join(err, checkPage(body))
	})
	l.clients, l.warm, l.length = 1, s.time/8, s.time*3/8
	return l.run(ctx)
}

func checkPage(body []byte) error {
	if !strings.Contains(string(body), `aria-current="page"`) {
		return errors.New("the page is not one of the dashboard")
	}
	return nil
}

// staticDashboard opens the page of the list from a handler that only sends its bytes.
func (s *stage) staticDashboard(ctx context.Context) (figures.Result, error) {
	address := "http://" + s.addresses()[0] + s.tenant.path + "/payments"
	list, _, err := get(ctx, s.tenant.client, address, nil)
	if err != nil {
		return figures.Result{}, err
	}
	static := serveStatic(list)
	defer static.Close()
	return s.dashboard(ctx, func(int) string { return static.URL })
}

// theTenant makes the tenant once.
func (s *stage) theTenant(ctx context.Context) error {
	if s.tenant != nil {
		return nil
	}
	began := time.Now()
	fmt.Fprintf(os.Stderr, "storing a tenant of %d intents\n", s.intents)
	const email, password = "owner@bench.example", "seven grey camels at noon"
	org, err := s.accounts.CreateOrganization(ctx, operator, "tenant")
	if err != nil {
		return err
	}
	t := &tenant{path: "/dashboard/" + org.ID.String()}
	for n := range t.shops {
		if t.shops[n], err = newShop(ctx, s.pool, s.accounts, org.ID, ""); err != nil {
			return err
		}
	}
	people := people.New(s.pool, s.accounts, people.Options{})
	if _, err := people.CreateUser(ctx, operator, org.ID, email, accounts.RoleOwner, password); err != nil {
		return err
	}
	if err := s.storeTenant(ctx, t, began); err != nil {
		return err
	}
	if err := s.signIn(ctx, t, email, password); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "stored in %s\n", time.Since(began).Round(time.Second))
	s.tenant = t
	return nil
}

// storeTenant fills the read models as they would be after so many intents. The log stays empty,
// because the measured pages do not read it.
func (s *stage) storeTenant(ctx context.Context, t *tenant, now time.Time) error {
	const sumUpSQL = `
INSERT INTO turnover
SELECT application_uuid, (coalesce(succeeded_at, canceled_at) AT TIME ZONE 'Africa/Tripoli')::date, currency,
       count(succeeded_at), coalesce(sum(amount) FILTER (WHERE succeeded_at IS NOT NULL), 0),
       count(*) FILTER (WHERE late), coalesce(sum(amount) FILTER (WHERE late), 0),
       count(*) FILTER (WHERE succeeded_at IS NULL),
       coalesce(sum(amount) FILTER (WHERE succeeded_at IS NULL), 0), 0, 0
FROM payments
WHERE application_uuid = ANY($1)
  AND state <> 'open'
GROUP BY 1, 2, 3`
	err := storing{
		intents: s.intents, tables: []string{"intents", "payments"},
		intent: func(n int) (domain.IntentID, []domain.Event) {
			i := t.intent(n, s.intents, now)
			return i.id, i.life.events(i.Created, "091•••"+i.phone, i.provider)
		},
	}.storeAlone(ctx, s.pool)
	if err != nil {
		return err
	}
	for n := 0; n < s.intents; n += s.intents/1000 + 1 {
		t.samples = append(t.samples, t.intent(n, s.intents, now))
	}
	ids := [][16]byte{[16]byte(t.shops[0].application.ID), [16]byte(t.shops[1].application.ID)}
	if _, err := s.pool.Exec(ctx, sumUpSQL, ids); err != nil {
		return fmt.Errorf("add up turnover: %w", err)
	}
	return vacuum(ctx, s.pool, "intents", "payments", "turnover")
}

// intent returns intent n of so many, the same each time; 0 is the oldest.
func (t *tenant) intent(n, of int, now time.Time) tenantIntent {
	random := mathrand.New(mathrand.NewPCG(uint64(n), 0)) //nolint:gosec // an amount is no secret
	created := now.Add(-time.Duration(float64(tenantDays*24*time.Hour) * float64(of-n) / float64(of)))
	i := tenantIntent{phone: fmt.Sprintf("%04d", random.IntN(10_000)), provider: fmt.Sprintf("SBX-%010d", n)}
	i.id, i.Created = t.shops[n%2].creation(fmt.Sprintf("order-%08d", n), n, created, created.Add(24*time.Hour))
	i.Amount.Minor = int64(1000 + 250*random.IntN(400))
	i.Description = fmt.Sprintf("Order: %s and %s", goods[n%len(goods)], goods[n/len(goods)%len(goods)])
	customer := fmt.Sprintf("customer-%d", n%(of/20+1))
	i.CustomerID = &customer
	switch {
	case n%lateEvery == 0:
		i.life = late
	case n%10 < 7:
		i.life = paid
	case i.ExpiresAt.Before(now):
		i.life = expired
	case n%100 == 8:
		i.life = started
	}
	return i
}

// signIn signs the tenant's owner in as a browser does.
func (s *stage) signIn(ctx context.Context, t *tenant, email, password string) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	t.client = &http.Client{Jar: jar}
	form := url.Values{"email": {email}, "password": {password}}
	address := "http://" + s.addresses()[0] + "/dashboard/sign-in"
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	body := []byte(form.Encode())
	page, _, err := fetch(ctx, t.client, http.MethodPost, address, header, body)
	if err := errors.Join(err, checkPage(page)); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	return nil
}
