package main

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/tools/bench/figures"
)

type (
	Load     = load
	Sizes    = sizes
	Merchant = merchant
)

var (
	Drive       = drive
	Pace        = pace
	Always      = always
	NewMerchant = newMerchant
	ReadTimes   = readTimes
	Memory      = memory
	Statistic   = statistic
	GrownBy     = grownBy
	ReadLogs    = readPgbenchLogs
)

// ReferencePayload is that of the reference's events.
const ReferencePayload = payload

// NewLoad returns a load in which every client repeats one request.
func NewLoad(address string, clients int, length time.Duration, want int, request []byte) Load {
	return load{
		addresses: []string{address}, clients: clients, length: length, want: always(want),
		next: func(int, int) []byte { return request },
	}
}

// WarmedUp returns l with a time to warm up.
func WarmedUp(l Load, warm time.Duration, warmed func()) Load {
	l.warm, l.warmed = warm, warmed
	return l
}

// Due returns the times at which requests are due.
func Due(requests int, mean time.Duration) []time.Time {
	s := schedule{next: time.Now(), mean: mean}
	all := make([]time.Time, requests)
	for n := range all {
		all[n] = s.take()
	}
	return all
}

// Reports is the result of ReadReports.
type Reports struct {
	Reports      int
	Seconds      float64
	Transactions float64
	Other        string
	Marks        []bool // true: the window opened
}

// ReadReports reads pgbench's output for the wanted number of seconds after the first.
func ReadReports(output string, wanted int) (Reports, error) {
	var w pgbenchWindow
	var marks []bool
	other, err := w.read(strings.NewReader(output), wanted, func(opens bool) { marks = append(marks, opens) })
	return Reports{w.reports, w.seconds, w.transactions, other, marks}, err
}

// StoredPayload is the payload of a created event as the service stores it.
func StoredPayload() ([]byte, error) {
	i, err := storing{
		named:   "order",
		created: func(int) time.Time { return time.Now() },
		expires: func(int) time.Time { return time.Now().Add(time.Hour) },
	}.intent(1000)
	return i.payload, err
}

// Times is the result of ParseTimes.
type Times struct {
	Parent      int
	Own, Reaped time.Duration
}

func ParseTimes(stat string) (Times, error) {
	t, err := parseTimes([]byte(stat))
	return Times{t.parent, t.own, t.reaped}, err
}

// Store stores intents in batches; 0 is the default size of a batch. With groups it does so
// as -growth does; without, servers may run.
func Store(
	ctx context.Context, pool *pgxpool.Pool, m Merchant, named string, intents, batch int, groups bool,
) error {
	return storing{
		shop: m, named: named, intents: intents, batch: batch, groups: groups, progress: func(int) {},
		created: func(int) time.Time { return time.Now() },
		expires: func(int) time.Time { return time.Now().Add(time.Hour) },
	}.store(ctx, pool)
}

// IntoMemory loads stored data into memory, as -growth does.
func IntoMemory(ctx context.Context, pool *pgxpool.Pool) error {
	return intoMemory(ctx, pool, grownTables)
}

// Accounts returns the accounts of a database, under a random key.
func Accounts(pool *pgxpool.Pool) (*accounts.Accounts, error) {
	return accountsOn(pool, randomHex(32))
}

// Specs are those of all measurements.
func Specs() []figures.Spec {
	s := stage{}
	var all []figures.Spec
	for _, m := range s.measurements() {
		all = append(all, m.Spec)
	}
	return all
}

func ApplicationOf(m Merchant) domain.ApplicationID { return m.application.ID }

func NamespaceOf(m Merchant) domain.Namespace { return m.namespace }

// StoreLives stores about the given number of events, and returns the exact numbers of intents and events.
func StoreLives(
	ctx context.Context, pool *pgxpool.Pool, m Merchant, events int,
) (intents int, stored int64, err error) {
	g := newLives(m, events, time.Now())
	return g.intents, g.events(), g.store(ctx, pool)
}
