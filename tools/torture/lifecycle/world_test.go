package lifecycle_test

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/checkout"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/logtest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/acquirer/sandbox/bank"
	"daftar/projections"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const bankSecret = "a secret between the two"

// world is several servers on one database, and the bank of the sandbox.
type world struct {
	t         *testing.T
	db        *pgtest.DB
	pool      *pgxpool.Pool
	log       *logtest.Log
	bank      *bank.Bank
	bankURL   string
	app       accounts.Application
	namespace domain.Namespace
	servers   []*server // the first gets what the bank sends
}

// newWorld starts everything. At the end of the test the bank's books must match the events
// exactly.
func newWorld(t *testing.T, servers int) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{
		t: t, db: db, pool: pgtest.Open(t, db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 8}),
		log: &logtest.Log{}, namespace: domain.Namespace(uuid.New()),
	}
	w.startBank()
	w.createApplication()
	adapter, err := sandbox.New(sandbox.Config{URL: w.bankURL, Secret: bankSecret, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adapter.Close)
	for range servers {
		w.servers = append(w.servers, w.startServer(adapter))
	}
	t.Cleanup(w.checkBooks)
	return w
}

func (w *world) startBank() {
	w.t.Helper()
	var handler http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(rw, r)
	}))
	b, err := bank.New(bank.Config{
		Secret: bankSecret, PublicURL: front.URL, Logger: zerolog.Nop(), Clock: time.Now,
		HoldLimit: time.Millisecond, NotifyAfter: []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	handler, w.bank, w.bankURL = b.Handler(), b, front.URL
	w.t.Cleanup(func() {
		if err := b.Close(); err != nil {
			w.t.Errorf("close bank: %v", err)
		}
		front.Close()
	})
}

func secretKey(t *testing.T) accounts.SecretKey {
	t.Helper()
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (w *world) createApplication() {
	w.t.Helper()
	owners := accounts.New(w.db.Pool(w.t), accounts.Options{SecretKey: secretKey(w.t)})
	org, err := owners.CreateOrganization(w.t.Context(), accounts.Operator("test"), "شركة الفرجاني")
	if err != nil {
		w.t.Fatal(err)
	}
	operator := accounts.Operator("test")
	created, err := owners.CreateApplication(w.t.Context(), operator, org.ID,
		accounts.Draft{Name: "مكتبة الفرجاني"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.app = created.Application
}

// server is a checkout that shares only the database and the bank with the others, like one
// on another machine.
type server struct {
	url    string
	ledger *ledger.Ledger
	client *http.Client
}

func (w *world) startServer(a acquirer.Acquirer) *server {
	w.t.Helper()
	pool := pgtest.Open(w.t, w.db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 8})
	var handler http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(rw, r)
	}))
	s := &server{
		url: front.URL, ledger: w.newLedger(pool, nil),
		client: &http.Client{
			Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	public := s.url
	if len(w.servers) > 0 {
		public = w.servers[0].url
	}
	settings, log := settings.New(pool, nil, secretKey(w.t), nil), zerolog.New(w.log).Level(zerolog.InfoLevel)
	engine := payments.New(payments.Config{
		Ledger: s.ledger, Settings: settings, Pool: pool, SecretKey: secretKey(w.t),
		Acquirers: []acquirer.Acquirer{a}, PublicURL: public, Log: log,
	})
	handler = checkout.New(checkout.Config{
		Engine: engine, Ledger: s.ledger, Accounts: accounts.New(pool, accounts.Options{}),
		Settings: settings, Pool: pool, PublicURL: public, Log: log,
	}).Handler()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { engine.Run(ctx) })
	w.t.Cleanup(func() {
		s.client.CloseIdleConnections()
		front.Close()
		cancel()
		running.Wait()
	})
	return s
}

// newLedger makes a ledger that is closed at the end of the test. A nil clock is that of a
// server.
func (w *world) newLedger(pool *pgxpool.Pool, clock *eventstore.Clock) *ledger.Ledger {
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline(), Clock: clock})
	intents := projections.NewIntents(pool)
	w.t.Cleanup(func() {
		if err := store.Close(context.Background()); err != nil {
			w.t.Errorf("close store: %v", err)
		}
		intents.Close()
	})
	return ledger.New(store, intents)
}

// ask sends a request and returns the answer with its body.
func (s *server) ask(t *testing.T, method, path string, form url.Values) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Error(err)
		return &http.Response{}, ""
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		// Each from another network, as behind a proxy, because the codes per network are limited.
		network := fmt.Sprintf("10.%d.%d.%d", rand.IntN(256), rand.IntN(256), rand.IntN(256))
		req.Header.Set("X-Forwarded-For", network)
	}
	res, err := s.client.Do(req)
	if err != nil {
		t.Error(err)
		return &http.Response{}, ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res, string(body)
}

// notify sends a signed notification as the bank would.
func (w *world) notify(body string) (status int) {
	w.t.Helper()
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(bankSecret))
	mac.Write([]byte(timestamp + "." + body))
	address := w.servers[0].url + "/acquirers/sandbox/notifications"
	req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		w.t.Error(err)
		return 0
	}
	req.Header.Set("Sandbox-Timestamp", timestamp)
	req.Header.Set("Sandbox-Signature", hex.EncodeToString(mac.Sum(nil)))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Error(err)
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// taking is a payment for an intent.
type taking struct {
	Intent string `json:"intent"`
	Amount int64  `json:"amount"`
}

func sorted(all []taking) []taking {
	slices.SortFunc(all, func(a, b taking) int {
		return cmp.Or(cmp.Compare(a.Intent, b.Intent), cmp.Compare(a.Amount, b.Amount))
	})
	return all
}

// taken returns the payments in the bank's books.
func (w *world) taken() []taking {
	w.t.Helper()
	res, err := http.Get(w.bankURL + "/control/ledger")
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	var all []taking
	if err := json.NewDecoder(res.Body).Decode(&all); err != nil {
		w.t.Fatal(err)
	}
	return sorted(all)
}

const recordedSQL = `
SELECT stream_id::text, (payload::json->>'amount')::bigint
FROM events
WHERE type IN ('intent.succeeded', 'intent.late_succeeded', 'intent.duplicate_payment')`

// recorded returns the payments in the events.
func (w *world) recorded() []taking {
	w.t.Helper()
	return sorted(collect(w, pgx.RowToStructByPos[taking], recordedSQL))
}

// history returns the types of an intent's events.
func (w *world) history(id domain.IntentID) []string {
	w.t.Helper()
	return collect(w, pgx.RowTo[string],
		`SELECT substr(type, 8) FROM events WHERE stream_id = $1 ORDER BY version`, [16]byte(id))
}

func collect[T any](w *world, row pgx.RowToFunc[T], sql string, args ...any) []T {
	w.t.Helper()
	rows, err := w.pool.Query(context.Background(), sql, args...)
	if err != nil {
		w.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, row)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

const payersSQL = `
SELECT concat_ws(' ', payer, sent_to, trouble)
FROM checkout_attempts
UNION ALL
SELECT payload::json->>'payer'
FROM events
WHERE payload::json->>'payer' IS NOT NULL`

// checkBooks waits for the bank's notifications, compares its books with the events, and
// searches the log and the database for secrets.
func (w *world) checkBooks() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.bank.WaitNotified(ctx); err != nil {
		w.t.Error(err)
	}
	var taken, recorded []taking
	pgtest.WaitFor(w.t, "what the bank took is in the ledger", func() bool {
		taken, recorded = w.taken(), w.recorded()
		return gocmp.Equal(taken, recorded)
	})
	codes := []string{"111111", "222222", "912345678", "920000001", bankSecret}
	tokens := collect(w, pgx.RowTo[string],
		`SELECT payload::json->>'checkout_token' FROM events WHERE type = 'intent.created'`)
	w.checkNoSecret("the log", w.log.String(), append(tokens, codes...))
	written := collect(w, pgx.RowTo[string], payersSQL)
	w.checkNoSecret("the database", strings.Join(written, " "), codes)
}

// checkNoSecret searches a text. Codes of six digits count only as whole words, because they
// may occur inside an id by chance.
func (w *world) checkNoSecret(place, text string, secrets []string) {
	w.t.Helper()
	for _, secret := range secrets {
		pattern := regexp.QuoteMeta(secret)
		if len(secret) <= 6 {
			pattern = `\b` + pattern + `\b`
		}
		if regexp.MustCompile(pattern).MatchString(text) {
			w.t.Errorf("%s contains %q", place, secret)
		}
	}
}
