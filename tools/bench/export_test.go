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

type Merchant = merchant

var (
	NewMerchant   = newMerchant
	ProcessorTime = processorTime
	Statistic     = statistic
	GrownBy       = grownBy
	ReadLogs      = readPgbenchLogs
	ParseSizes    = parseSizes
	ReturnBytes   = returnBytes
)

const ReturnArgument = returnArgument

// ReferencePayload is that of the reference's events.
const ReferencePayload = payload

// Load is what clients send.
type Load struct {
	Address string
	Clients int
	Warm    time.Duration
	Warmed  func()
	Length  time.Duration
	Rate    float64 // 0: as fast as the answers come
	Want    int     // the status of answers
	Request []byte
}

func (l Load) Run(ctx context.Context) (figures.Result, error) {
	return load{
		clients: l.Clients, warm: l.Warm, warmed: l.Warmed, length: l.Length, rate: l.Rate,
	}.overHTTP(ctx, []string{l.Address}, always(l.Want), func([]byte, int, int) []byte { return l.Request })
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
	id, event := merchant{}.creation("order-00001000", 1000, time.Now(), time.Now().Add(time.Hour))
	stream, err := record(id, []domain.Event{event})
	if err != nil {
		return nil, err
	}
	return stream[0].Payload, nil
}

// Store stores open intents. Grown, it does so as -growth does, in batches; 0 is the default size
// of one. Otherwise servers may run.
func Store(
	ctx context.Context, pool *pgxpool.Pool, m Merchant, named string, intents, batch int, grown bool,
) error {
	created := func(int) time.Time { return time.Now() }
	expires := func(int) time.Time { return time.Now().Add(time.Hour) }
	g := openIntents(m, named, intents, created, expires)
	g.batch = batch
	if !grown {
		return g.storeShared(ctx, pool)
	}
	if err := g.storeGrown(ctx, pool); err != nil {
		return err
	}
	return intoMemory(ctx, pool, grownTables)
}

// Accounts returns the accounts of a database, under a random key.
func Accounts(pool *pgxpool.Pool) (*accounts.Accounts, error) {
	return accountsOn(pool, randomHex(32))
}

// TimeSwitches measures each kind of a switch between processes.
func TimeSwitches(ctx context.Context, length time.Duration) (all []figures.Figure, err error) {
	s := &stage{options: options{time: length}}
	for _, m := range s.machine()[1:] { // the first is that of the disk
		r, err := m.run(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, figures.Rounds{m.Name: {r}}.Figure(m.Spec))
	}
	return all, nil
}

// Specs are those of all measurements.
func Specs() []figures.Spec {
	var all []figures.Spec
	for _, m := range (&stage{}).measurements() {
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
	return g.intents, int64(g.before(g.intents)), g.storeUnindexed(ctx, pool)
}
