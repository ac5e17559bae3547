package main

import (
	"context"
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
)

// NewLoad is what clients of a test do.
func NewLoad(address string, clients int, length time.Duration, want int, request []byte) Load {
	return load{
		addresses: []string{address}, clients: clients, length: length, want: always(want),
		next: func(int, int) []byte { return request },
	}
}

// Times is what ParseTimes finds.
type Times struct {
	Parent      int
	Own, Reaped time.Duration
}

func ParseTimes(stat string) (Times, error) {
	t, err := parseTimes([]byte(stat))
	return Times{t.parent, t.own, t.reaped}, err
}

// Store stores intents as growth does, or beside a server, so many together; 0 is as
// many as growth.
func Store(ctx context.Context, pool *pgxpool.Pool, m Merchant, named string, intents, batch int, groups bool) error {
	return storing{
		shop: m, named: named, intents: intents, batch: batch, groups: groups, progress: func(int) {},
		created: func(int) time.Time { return time.Now() },
		expires: func(int) time.Time { return time.Now().Add(time.Hour) },
	}.store(ctx, pool)
}

// IntoMemory reads what is stored, as growth does.
func IntoMemory(ctx context.Context, pool *pgxpool.Pool) error {
	return intoMemory(ctx, pool, grownTables)
}

// Accounts are the accounts of a database, under any key.
func Accounts(pool *pgxpool.Pool) (*accounts.Accounts, error) {
	s := stage{key: randomHex(32)}
	return s.accountsOn(pool)
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
