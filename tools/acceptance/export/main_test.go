package export_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/export"
	"daftar/internal/logtest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/natstest"
)

func TestMain(m *testing.M) {
	if os.Getenv(exporterEnv) != "" {
		exporter() // this process is one that a test kills
		return
	}
	pgtest.Main(m)
}

const (
	streamName = "DAFTAR"
	subjects   = "daftar.events"
	secretKey  = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
)

// world is a database with a log and a NATS server.
type world struct {
	t            testing.TB
	db           *pgtest.DB
	pool         *pgxpool.Pool
	super        *pgxpool.Pool
	store        *eventstore.Store
	nats         *natstest.Server
	organization uuid.UUID
	application  uuid.UUID
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, db: pgtest.Database(t), nats: natstest.New(t)}
	w.pool = w.db.Pool(t)
	w.super = pgtest.Open(t, w.db.SuperuserURL(), postgres.Options{MaxConns: 2})
	w.store = eventstore.New(w.pool, w.pool, eventstore.Options{})
	t.Cleanup(func() {
		if err := w.store.Close(context.Background()); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	key, err := accounts.ParseSecretKey(secretKey)
	if err != nil {
		t.Fatal(err)
	}
	a := accounts.New(w.pool, accounts.Options{SecretKey: key})
	o, err := a.CreateOrganization(t.Context(), accounts.Operator("test"), "Shops")
	if err != nil {
		t.Fatal(err)
	}
	app, err := a.CreateApplication(t.Context(), accounts.Operator("test"), o.ID, accounts.Draft{Name: "Shop"})
	if err != nil {
		t.Fatal(err)
	}
	w.organization, w.application = uuid.UUID(o.ID), uuid.UUID(app.ID)
	return w
}

// add appends n events to a new stream, of which the first names the application.
func (w *world) add(n int) uuid.UUID {
	w.t.Helper()
	stream := uuid.New()
	w.addTo(stream, 0, n)
	return stream
}

func (w *world) addTo(stream uuid.UUID, version, n int) {
	w.t.Helper()
	events := make([]eventstore.Event, n)
	for i := range events {
		events[i] = eventstore.Event{
			Type: "intent.changed", SchemaVersion: 2,
			Payload: fmt.Appendf(nil, `{"n":%d}`, version+i),
		}
		if version+i == 0 {
			events[i] = eventstore.Event{
				Type: "intent.created", SchemaVersion: 1,
				Payload: fmt.Appendf(nil, `{"application":"%s","text":"دفتر \"<&> \u2028"}`, w.application),
			}
		}
	}
	_, err := w.store.Append(w.t.Context(), eventstore.Append{
		Stream: stream, Expected: version, Events: events, Metadata: eventstore.Metadata{Actor: "system:test"},
	})
	if err != nil {
		w.t.Fatalf("append: %v", err)
	}
}

// addMany appends n events in streams of ten.
func (w *world) addMany(n int) {
	w.t.Helper()
	for ; n > 0; n -= 10 {
		w.add(min(n, 10))
	}
}

// running is an exporter that runs in a feed.
type running struct {
	*export.NATS
	feed    *feed.Feed
	log     *logtest.Log
	metrics *prometheus.Registry
	stop    func()
}

var feedOptions = postgres.Options{
	SetServiceRole: true, MaxConns: 6,
	RuntimeParams: map[string]string{"synchronous_commit": "off", "jit": "off"},
}

func (w *world) exporter(change ...func(*export.Config)) running {
	w.t.Helper()
	r := running{log: &logtest.Log{}, metrics: prometheus.NewRegistry()}
	c := export.Config{
		Servers: []string{w.nats.URL()}, Stream: streamName, Subjects: subjects,
		Log: zerolog.New(r.log).Level(zerolog.InfoLevel), Registerer: r.metrics,
	}
	for _, f := range change {
		f(&c)
	}
	var err error
	if r.NATS, err = export.New(c); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(r.Close)
	return r
}

// run starts an exporter in a feed with further groups.
func (w *world) run(batch int, others ...feed.Group) running {
	w.t.Helper()
	return w.follow(w.exporter(), batch, others...)
}

func (w *world) follow(r running, batch int, others ...feed.Group) running {
	w.t.Helper()
	f, err := feed.New(feed.Config{
		Pool: pgtest.Open(w.t, w.db.ServiceURL(), feedOptions), Groups: append(others, r.Group()),
		Log:   zerolog.New(r.log).Level(zerolog.InfoLevel),
		Batch: batch, Poll: 20 * time.Millisecond, HaltRetry: 50 * time.Millisecond,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	r.feed, r.stop = f, sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("run: %v", err)
		}
	})
	w.t.Cleanup(r.stop)
	return r
}

func (w *world) lag(group string) feed.Lag {
	w.t.Helper()
	lags, err := feed.Lags(w.t.Context(), w.pool)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, l := range lags {
		if l.Group == group {
			return l
		}
	}
	return feed.Lag{Group: group, Position: -1}
}

func (w *world) waitFor(group string, position int64) {
	w.t.Helper()
	pgtest.WaitFor(w.t, fmt.Sprintf("%s to reach %d", group, position), func() bool {
		return w.lag(group).Position >= position
	})
}

func (w *world) head() int64 {
	w.t.Helper()
	head, err := eventstore.NewReader(w.pool).Head(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return head
}

// wantComplete waits until the export has reached the log's end, and checks the stream against the log:
// every event, in order, once, byte for byte.
func (w *world) wantComplete() {
	w.t.Helper()
	head := w.head()
	w.waitFor(export.GroupName, head)
	got := w.follower(0)
	log, err := eventstore.NewReader(w.pool).ReadRange(w.t.Context(), 0, head, int(head))
	if err != nil {
		w.t.Fatal(err)
	}
	if int64(len(got)) != head || int64(len(log)) != head {
		w.t.Fatalf("the stream has %d messages, the log %d of %d events", len(got), len(log), head)
	}
	for n, e := range log {
		want, err := export.NewLine(e).Text()
		if err != nil {
			w.t.Fatal(err)
		}
		meta, err := got[n].Metadata()
		if err != nil {
			w.t.Fatal(err)
		}
		if meta.Sequence.Stream != uint64(e.Position) || !bytes.Equal(got[n].Data(), want) {
			w.t.Fatalf("message %d of the stream is\n%s\nand not\n%s", meta.Sequence.Stream, got[n].Data(), want)
		}
	}
}

// js is a connection of the test.
func (w *world) js() jetstream.JetStream {
	w.t.Helper()
	return natstest.JetStream(w.t, w.nats.URL())
}

// follower reads all messages after a sequence number, as an ordered consumer does.
func (w *world) follower(after uint64, filter ...string) []jetstream.Msg {
	w.t.Helper()
	js := w.js()
	c, err := js.OrderedConsumer(w.t.Context(), streamName, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, FilterSubjects: filter,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	info, err := c.Info(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	all := make([]jetstream.Msg, 0, info.NumPending)
	if info.NumPending == 0 {
		return nil
	}
	messages, err := c.Messages()
	if err != nil {
		w.t.Fatal(err)
	}
	defer messages.Stop()
	for left := info.NumPending; left > 0; left-- {
		m, err := messages.Next(jetstream.NextMaxWait(time.Minute))
		if err != nil {
			w.t.Fatalf("%d messages are still to come: %v", left, err)
		}
		all = append(all, m)
	}
	return all
}

// metric is the value of an exporter's counter or gauge.
func (r running) metric(t testing.TB, name string, labels ...string) float64 {
	t.Helper()
	families, err := r.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			fits := f.GetName() == "daftar_export_"+name
			for _, l := range m.GetLabel() {
				fits = fits && strings.Join(labels, " ") == l.GetValue()
			}
			if fits {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	t.Fatalf("there is no metric %s %s", name, labels)
	return 0
}
