package openapi_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// after runs a function after each query with a certain text, before the caller continues.
type after struct {
	text string
	do   func()
}

type matched struct{}

func (a after) TraceQueryStart(ctx context.Context, _ *pgx.Conn,
	data pgx.TraceQueryStartData,
) context.Context {
	return context.WithValue(ctx, matched{}, strings.Contains(data.SQL, a.text))
}

func (a after) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if is, ok := ctx.Value(matched{}).(bool); ok && is {
		a.do()
	}
}

func traced(t *testing.T, db *pgtest.DB, text string, do func()) *pgxpool.Pool {
	t.Helper()
	config, err := postgres.ParseURL(db.ServiceURL())
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.Tracer = after{text, do}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// A server whose clock is past the intent's expiry tries to cancel it, and another server changes
// it each time between the read and the append.
func raceLost(t *testing.T) *witness {
	db := pgtest.Database(t)
	fast := serve(t, db.Pool(t), setup{})
	const another = `"order-2"` // one intent alone would have too many attempts
	_, created := observe(t, fast, nil).send(t, fast.merchant, "POST", intents, bodyWith(), nil)
	_, second := observe(t, fast, nil).send(t, fast.merchant, "POST", intents,
		bodyWith("merchant_reference", another), nil)
	id := intentOf(t, created)
	var attempts atomic.Int64
	var changing atomic.Value
	changing.Store(id)
	var interfering atomic.Bool
	pool := traced(t, db, "WHERE stream_id = $1 ORDER BY version", func() {
		if interfering.Load() {
			attempt := domain.AttemptID(fmt.Sprint("attempt", attempts.Add(1)))
			changed, _ := changing.Load().(string)
			fast.execute(t, changed, domain.StartAttempt{Attempt: attempt})
			fast.execute(t, changed, domain.FailAttempt{Attempt: attempt})
		}
	})
	s := serve(t, pool, setup{store: eventstore.Options{Clock: &eventstore.Clock{Offset: 25 * time.Hour}}})
	w := observe(t, s, nil)
	interfering.Store(true)
	w.expect(t, fast.merchant, "GET", intents+"/"+id, "", beingChanged)
	changing.Store(intentOf(t, second))
	w.expect(t, fast.merchant, "POST", intents, bodyWith("merchant_reference", another), unsettled)
	interfering.Store(false)
	_, canceled := w.send(t, fast.merchant, "GET", intents+"/"+id, "", nil)
	if !strings.Contains(canceled, `"status":"canceled"`) {
		t.Errorf("the expired intent is %s", canceled)
	}
	return w
}

func databaseOutOfReach(t *testing.T) *witness {
	proxy := pgtest.Proxy(t, pgtest.Database(t).ServiceURL())
	s := serve(t, pgtest.Open(t, proxy.URL(), postgres.Options{}), setup{})
	w := observe(t, s, nil)
	proxy.Refuse()
	w.expect(t, s.merchant, "POST", intents, bodyWith(), unavailable)
	w.expect(t, s.merchant, "GET", nowhere, "", unavailable)
	w.expect(t, s.merchant, "GET", deliveries, "", unavailable)
	return w
}

// refuseEvents makes the database refuse every event, with the description of the intent as the
// SQLSTATE.
const refuseEvents = `
CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'password=hunter2 at db-7' USING ERRCODE = NEW.payload::jsonb ->> 'description';
END $$;
CREATE TRIGGER refuse_events BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse_event()`

func databaseRefuses(t *testing.T) *witness {
	db := pgtest.Database(t)
	if _, err := db.OwnerPool(t).Exec(t.Context(), refuseEvents); err != nil {
		t.Fatal(err)
	}
	s := serve(t, db.Pool(t), setup{})
	w := observe(t, s, nil)
	for state, want := range map[string]string{
		"57P01": unavailable, // the server stops
		"53100": unavailable, // the disk is full
		"40001": unavailable, // a serialization failure, each time
		"22021": internal,    // invalid data
	} {
		w.expect(t, s.merchant, "POST", intents, bodyWith("description", `"`+state+`"`), want)
	}
	return w
}

func tablesMissing(t *testing.T) *witness {
	db := pgtest.Database(t)
	s := serve(t, db.Pool(t), setup{})
	_, err := db.OwnerPool(t).Exec(t.Context(),
		`ALTER TABLE intents RENAME TO intents_gone; ALTER TABLE events RENAME TO events_gone;
		ALTER TABLE refunds RENAME TO refunds_gone`)
	if err != nil {
		t.Fatal(err)
	}
	w := observe(t, s, nil)
	w.expect(t, s.merchant, "GET", nowhere, "", internal)
	w.expect(t, s.merchant, "GET", deliveries, "", internal)
	w.expectOfExtensions(t, s.merchant, nowhere, internal)
	return w
}
