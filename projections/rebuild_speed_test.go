package projections_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/projections/rebuild"
)

var manyIntents = flag.Int("intents", 200_000,
	"intents, of three events each, in the log of BenchmarkRebuild")

// How many events a second a rebuild of a live table replays, from its call to its end, on an idle
// service and with concurrent writers; how long the swap delayed these; and how much memory the
// process had at most.
func BenchmarkRebuild(b *testing.B) {
	debug.SetGCPercent(400) // as the program does
	cluster := pgtest.NewCluster(b, map[string]string{"shared_buffers": "256MB", "max_wal_size": "2GB"})
	ownerURL, serviceURL := cluster.Database(b, "speed")
	owner := pgtest.Open(b, ownerURL, postgres.Options{})
	_, err := owner.Exec(b.Context(), fillSQL, *manyIntents, "0a000000-0000-0000-0000-000000000000",
		time.Now().UTC(), 5000, time.Second)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := owner.Exec(b.Context(), `VACUUM ANALYZE events`); err != nil {
		b.Fatal(err)
	}
	remake := func(b *testing.B, o rebuild.Options) rebuild.Report {
		report, err := model(b, "intents").Rebuild(b.Context(), owner, o)
		if err != nil || !report.OK {
			b.Fatalf("rebuild: OK %v, %v", report.OK, err)
		}
		return report
	}
	remake(b, rebuild.Options{AcceptDrift: true}) // the table was empty
	for _, concurrent := range []int{0, 4} {
		b.Run(fmt.Sprintf("with %d writers", concurrent), func(b *testing.B) {
			stop := writers(b, serviceURL, concurrent)
			for b.Loop() {
				report := remake(b, rebuild.Options{})
				b.ReportMetric(float64(report.Events)/report.Seconds, "events/s")
				b.ReportMetric(float64(report.Pause.Microseconds())/1000, "pause-ms")
				if _, err := rebuild.Clean(b.Context(), owner, 0, false); err != nil {
					b.Fatal(err)
				}
			}
			written, slowest := stop()
			b.ReportMetric(float64(written)/b.Elapsed().Seconds(), "creates/s")
			b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
			b.ReportMetric(peakMemory(b), "MB")
		})
	}
}

// writers create intents until they are stopped, and return how many and how long the slowest took.
func writers(b *testing.B, url string, n int) (stop func() (int64, time.Duration)) {
	pool := pgtest.Open(b, url, postgres.Options{SetServiceRole: true})
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(pool)
	book := ledger.New(store, intents)
	ctx, cancel := context.WithCancel(b.Context())
	var written, slowest atomic.Int64
	var wg sync.WaitGroup
	app, namespace := domain.ApplicationID(uuid.New()), domain.Namespace(uuid.New())
	for range n {
		wg.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				_, _, err := book.Create(b.Context(), domain.Create{Terms: domain.Terms{
					Application: app, MerchantReference: domain.MerchantReference(uuid.NewString()),
					Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "Order 1042: coffee machine",
				}}, namespace, ledger.Origin{Actor: "application:test"})
				if err != nil {
					b.Errorf("create: %v", err)
					return
				}
				written.Add(1)
				took := time.Since(began).Nanoseconds()
				for old := slowest.Load(); took > old && !slowest.CompareAndSwap(old, took); old = slowest.Load() {
				}
			}
		})
	}
	return func() (int64, time.Duration) {
		cancel()
		wg.Wait()
		intents.Close()
		if err := store.Close(context.WithoutCancel(ctx)); err != nil {
			b.Errorf("close: %v", err)
		}
		return written.Load(), time.Duration(slowest.Load())
	}
}

// peakMemory is the most that the process ever had, in MB.
func peakMemory(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Fatal(err)
	}
	return kB / 1024
}
