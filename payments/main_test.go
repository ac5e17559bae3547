package payments_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/locale"
	"daftar/internal/logtest"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
	"daftar/projections"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// bank is an acquirer whose answers a test sets.
type bank struct {
	acquirer.Acquirer // nil: no test makes the other calls

	begin   func() (acquirer.Begun, error)
	confirm func(acquirer.Code) (acquirer.Confirmed, error)
	inquire func(context.Context, acquirer.Ref) (acquirer.Report, error)
}

func (*bank) Name() string { return "bank" }

func (*bank) Capabilities() []acquirer.Capability {
	return []acquirer.Capability{{
		Method: sandbox.Wallet, Flow: acquirer.OTP, Currency: domain.LYD, Decimals: 3, Max: 1_000_000,
		Inquiry: true,
		Inputs:  []acquirer.Input{{Field: acquirer.Phone}},
	}}
}

func (b *bank) Begin(context.Context, acquirer.Payment) (acquirer.Begun, error) { return b.begin() }

func (b *bank) Confirm(_ context.Context, _ acquirer.Ref, c acquirer.Code) (acquirer.Confirmed, error) {
	return b.confirm(c)
}

func (b *bank) Inquire(ctx context.Context, r acquirer.Ref) (acquirer.Report, error) {
	return b.inquire(ctx, r)
}

// testEngine is an engine with its database and one application, and no page.
type testEngine struct {
	*payments.Engine

	t        *testing.T
	bank     *bank
	ledger   *ledger.Ledger
	app      domain.ApplicationID
	log      logtest.Log
	registry *prometheus.Registry
}

// newTestEngine makes one whose bank sends a code to each payer.
func newTestEngine(t *testing.T) *testEngine {
	t.Helper()
	pool := pgtest.Database(t).Pool(t)
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(pool)
	t.Cleanup(func() {
		intents.Close()
		if err := store.Close(context.Background()); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	all := accounts.New(pool, accounts.Options{SecretKey: key})
	org, err := all.CreateOrganization(t.Context(), accounts.Operator("test"), "ours")
	if err != nil {
		t.Fatal(err)
	}
	app, err := all.CreateApplication(t.Context(), accounts.Operator("test"), org.ID,
		accounts.Draft{Name: "ours"})
	if err != nil {
		t.Fatal(err)
	}
	k := &testEngine{
		t: t, bank: &bank{}, ledger: ledger.New(store, intents), app: app.ID,
		registry: prometheus.NewRegistry(),
	}
	k.bank.begin = func() (acquirer.Begun, error) { return acquirer.CodeSent{Digits: 6}, nil }
	k.Engine = payments.New(payments.Config{
		Ledger: k.ledger, Settings: settings.New(pool, all, key, nil), Pool: pool, SecretKey: key,
		Acquirers: []acquirer.Acquirer{k.bank},
		PublicURL: "http://127.0.0.1", Log: zerolog.New(&k.log), Registerer: k.registry,
	})
	return k
}

// create makes an intent of 45.750 LYD.
func (k *testEngine) create() domain.Intent {
	k.t.Helper()
	expires := k.ledger.Now().Add(domain.DefaultExpiry)
	created, _, err := k.ledger.Create(k.t.Context(), domain.Create{ExpiresAt: &expires, Terms: domain.Terms{
		Application: k.app, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount: domain.Money{Minor: 45_750, Currency: domain.LYD}, Description: "two books",
	}}, domain.Namespace(uuid.New()), ledger.Origin{Actor: "application:" + k.app.String()})
	if err != nil {
		k.t.Fatal(err)
	}
	return k.load(created.ID)
}

func (k *testEngine) load(id domain.IntentID) domain.Intent {
	k.t.Helper()
	i, err := k.ledger.Load(k.t.Context(), id)
	if err != nil {
		k.t.Fatal(err)
	}
	return i
}

// begin starts an attempt of the intent, as the pages do when a payer has chosen a method.
func (k *testEngine) begin(i domain.Intent, phone string) error {
	k.t.Helper()
	options, err := k.Options(k.t.Context(), i, domain.ModeLive)
	if err != nil || len(options) != 1 {
		k.t.Fatalf("%d options, %v", len(options), err)
	}
	return k.Begin(k.t.Context(), i, payments.Start{
		Option: options[0], Inputs: acquirer.Inputs{acquirer.Phone: phone},
		Networks: web.Networks("203.0.113.7"), Language: locale.English,
	})
}

// begun creates an intent whose payer was sent a code.
func (k *testEngine) begun() domain.Intent {
	k.t.Helper()
	i := k.create()
	if err := k.begin(i, "0912345678"); err != nil {
		k.t.Fatal(err)
	}
	return k.load(i.ID)
}
