package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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
	samples      []tenantIntent // some of its intents, to search for
	applications [2]accounts.NewApplication
	path         string // of its dashboard
	client       *http.Client
}

// tenantIntent holds what a search can find an intent of the tenant by.
type tenantIntent struct {
	id                            uuid.UUID
	application                   int
	reference, merchant, customer string
	description, phone, provider  string
	amount                        int64
	created                       time.Time
	state, status                 string
	attempting, late              bool
	succeeded, canceled, expires  *time.Time
}

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
				Name:        "dashboard: " + name,
				Reference:   staticDashboard,
				LatencyOnly: true,
				P99:         dashboardMark,
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
			prepare: s.theTenant,
			run:     s.staticDashboard,
			own:     true,
			foreign: true,
		},
		page("the list", query("/payments", "")),
		page("the list of an application", func(t *tenant, n int) string {
			return t.path + "/payments?application=" + t.applications[n%2].ID.String()
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
		page("search by reference", search(func(i tenantIntent) string { return strings.ToUpper(i.reference) })),
		page("search by merchant reference", search(func(i tenantIntent) string { return i.merchant })),
		page("search by customer", search(func(i tenantIntent) string { return i.customer })),
		page("search by amount and last four digits", search(func(i tenantIntent) string {
			return domain.Money{Minor: i.amount, Currency: domain.LYD}.Figures() + " " + i.phone
		})),
		page("search by amount", search(func(i tenantIntent) string {
			return domain.Money{Minor: i.amount, Currency: domain.LYD}.Figures()
		})),
		page("search by two words", search(func(i tenantIntent) string {
			return strings.TrimPrefix(i.description, "Order: ")
		})),
		page("search by a word of one in sixteen", search(func(i tenantIntent) string {
			return strings.Fields(i.description)[1]
		})),
		page("search by a word of all", query("/payments", "q=order")),
		page("search by acquirer's reference", search(func(i tenantIntent) string { return i.provider })),
		page("search by customer, canceled, largest first", func(t *tenant, n int) string {
			i := t.samples[n%len(t.samples)]
			return t.path + "/payments?status=canceled&sort=largest&q=" + url.QueryEscape(i.customer)
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
	const warming = 5
	var took []time.Duration
	started := time.Now()
	for n := 0; n < warming || time.Since(started) < s.time/2 || len(took) < 10; n++ {
		at := time.Now()
		body, _, err := fetch(ctx, s.tenant.client, address(n))
		if err != nil {
			return figures.Result{}, err
		}
		if n >= warming {
			took = append(took, time.Since(at))
		}
		if !strings.Contains(string(body), `aria-current="page"`) {
			return figures.Result{}, errors.New("the page is not one of the dashboard")
		}
	}
	slices.Sort(took)
	return figures.Result{
		Value:      float64(len(took)) / time.Since(started).Seconds(),
		Latencies:  took,
		Operations: warming + len(took),
	}, nil
}

// staticDashboard opens the page of the list from a handler that only sends its bytes.
func (s *stage) staticDashboard(ctx context.Context) (figures.Result, error) {
	list, _, err := fetch(ctx, s.tenant.client, "http://"+s.addresses()[0]+s.tenant.path+"/payments")
	if err != nil {
		return figures.Result{}, err
	}
	return serveStatic(ctx, list, func(address string) (figures.Result, error) {
		return s.dashboard(ctx, func(int) string { return address })
	})
}

// theTenant makes the tenant once.
func (s *stage) theTenant(ctx context.Context) error {
	if s.tenant != nil {
		return nil
	}
	began := time.Now()
	fmt.Fprintf(os.Stderr, "storing a tenant of %d intents\n", s.intents)
	const email, password = "owner@bench.example", "seven grey camels at noon"
	operator := accounts.Operator("bench")
	org, err := s.accounts.CreateOrganization(ctx, operator, "tenant")
	if err != nil {
		return err
	}
	t := &tenant{path: "/dashboard/" + org.ID.String()}
	var namespaces [2]domain.Namespace
	for n := range t.applications {
		name := fmt.Sprintf("shop %d", n+1)
		if t.applications[n], err = s.accounts.CreateApplication(ctx, operator, org.ID, name, ""); err != nil {
			return err
		}
		if namespaces[n], err = namespaceOf(ctx, s.pool, t.applications[n]); err != nil {
			return err
		}
	}
	people := people.New(s.pool, s.accounts, people.Options{})
	if _, err := people.CreateUser(ctx, operator, org.ID, email, accounts.RoleOwner, password); err != nil {
		return err
	}
	if err := s.storeTenant(ctx, t, namespaces); err != nil {
		return err
	}
	if err := s.signIn(ctx, t, email, password); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "stored in %s\n", time.Since(began).Round(time.Second))
	s.tenant = t
	return nil
}

// The read models are filled as they would be after so many intents. The log stays empty,
// because the measured pages do not read it.
const (
	copyBatch = 50_000
	sumUpSQL  = `
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
)

var intentColumns = []string{
	"uuid", "application_uuid", "version", "reference", "merchant_reference",
	"amount", "currency", "status", "description", "customer", "return_url", "metadata",
	"expires_at", "checkout_url", "created_at", "updated_at",
}

func (s *stage) storeTenant(ctx context.Context, t *tenant, namespaces [2]domain.Namespace) error {
	began := time.Now().UTC().Truncate(time.Second)
	ids := [][16]byte{[16]byte(t.applications[0].ID), [16]byte(t.applications[1].ID)}
	for from := 0; from < s.intents; from += copyBatch {
		var intents, payments [][]any
		for n := from; n < min(from+copyBatch, s.intents); n++ {
			i := s.tenantIntent(n, began, namespaces)
			payment, err := paymentRow(i.id, i.events(t.applications[i.application].ID)...)
			if err != nil {
				return err
			}
			intents, payments = append(intents, i.intentRow(ids)), append(payments, payment)
			if n%(s.intents/1000+1) == 0 {
				t.samples = append(t.samples, i)
			}
		}
		_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"intents"}, intentColumns, pgx.CopyFromRows(intents))
		if err != nil {
			return fmt.Errorf("store intents: %w", err)
		}
		_, err = s.pool.CopyFrom(ctx, pgx.Identifier{"payments"}, paymentColumns, pgx.CopyFromRows(payments))
		if err != nil {
			return fmt.Errorf("store payments: %w", err)
		}
	}
	if _, err := s.pool.Exec(ctx, sumUpSQL, ids); err != nil {
		return fmt.Errorf("add up turnover: %w", err)
	}
	return settle(ctx, s.pool, "intents", "payments", "turnover")
}

// tenantIntent returns intent n; 0 is the oldest.
func (s *stage) tenantIntent(n int, now time.Time, namespaces [2]domain.Namespace) tenantIntent {
	i := tenantIntent{
		application: n % 2,
		merchant:    fmt.Sprintf("order-%08d", n),
		customer:    fmt.Sprintf("customer-%d", n%(s.intents/20+1)),
		amount:      int64(1000 + 250*mathrand.IntN(400)), //nolint:gosec // an amount is no secret
	}
	age := time.Duration(float64(tenantDays*24*time.Hour) * float64(s.intents-n) / float64(s.intents))
	i.created = now.Add(-age).Truncate(time.Microsecond)
	i.id = uuid.UUID(namespaces[i.application].IntentID(domain.MerchantReference(i.merchant)))
	i.reference = string(domain.NewReference([7]byte(i.id[:7])))
	i.description = fmt.Sprintf("Order: %s and %s", goods[n%len(goods)], goods[n/len(goods)%len(goods)])
	i.phone = fmt.Sprintf("%04d", mathrand.IntN(10_000)) //nolint:gosec // a made-up phone number
	i.provider = fmt.Sprintf("SBX-%010d", n)
	expires, ended := i.created.Add(24*time.Hour), i.created.Add(2*time.Minute)
	i.expires = &expires
	switch {
	case n%lateEvery == 0:
		ended, late := expires, expires.Add(time.Hour)
		i.state, i.status, i.late = "succeeded", string(domain.StatusSucceeded), true
		i.canceled, i.succeeded = &ended, &late
	case n%10 < 7:
		i.state, i.status, i.succeeded = "succeeded", string(domain.StatusSucceeded), &ended
	case expires.Before(now):
		i.state, i.status, i.canceled = "canceled", string(domain.StatusCanceled), &expires
	case n%100 == 8:
		i.state, i.status, i.attempting = "open", string(domain.StatusProcessing), true
	default:
		i.state, i.status = "open", string(domain.StatusRequiresPaymentMethod)
	}
	return i
}

func (i tenantIntent) intentRow(applications [][16]byte) []any {
	customer := json.RawMessage(`{"external_id":"` + i.customer + `"}`)
	return []any{
		[16]byte(i.id), applications[i.application], 3, i.reference, i.merchant, i.amount, "LYD", i.status,
		i.description, customer, "https://shop.example/thanks", nil, i.expires,
		"/pay/" + i.reference + "/00000000000000000000000000", i.created, i.created,
	}
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
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := t.client.Do(request)
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Request.URL.Path, t.path) {
		return fmt.Errorf("sign in: status %d at %s", response.StatusCode, response.Request.URL.Path)
	}
	return nil
}
