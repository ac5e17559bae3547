package ledger_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
)

// BenchmarkAppend measures how many intents a second 64 clients create: the whole append path,
// on a database whose commits cost nothing, so that only our own work counts.
func BenchmarkAppend(b *testing.B) {
	cluster := pgtest.NewCluster(b, map[string]string{
		"shared_buffers": "256MB", "max_wal_size": "2GB", "fsync": "off",
	})
	_, url := cluster.Database(b, "speed")
	pool := pgtest.Open(b, url, postgres.Options{SetServiceRole: true, MaxConns: 4})
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(pool)
	defer intents.Close()
	defer func() {
		if err := store.Close(context.WithoutCancel(b.Context())); err != nil {
			b.Errorf("close: %v", err)
		}
	}()
	book := ledger.New(store, intents)
	app, namespace := domain.ApplicationID(uuid.New()), domain.Namespace(uuid.New())
	customer, back := "customer-7", "https://shop.example/orders/1000"
	var failed atomic.Int64
	b.SetParallelism(32)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_, _, err := book.Create(b.Context(), domain.Create{Terms: domain.Terms{
				Application:       app,
				MerchantReference: domain.MerchantReference(uuid.NewString()),
				CustomerID:        &customer,
				ReturnURL:         &back,
				Metadata:          domain.Metadata{{Key: "cart", Value: "1000"}},
				Amount:            domain.Money{Minor: 5000, Currency: domain.LYD},
				Description:       "Order 1042: coffee machine",
			}}, namespace, ledger.Origin{Actor: "application:test"})
			if err != nil {
				failed.Add(1)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "creates/s")
	if n := failed.Load(); n > 0 {
		b.Errorf("%d creates failed", n)
	}
}
