package postgres_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"daftar/internal/postgres/pgtest"
)

// intentID is like the id types of this module: a name for sixteen bytes and a String
// method, without methods for a database.
type intentID uuid.UUID

func (id intentID) String() string { return uuid.UUID(id).String() }

// echoIDsSQL returns its arguments in the types that the code uses.
const echoIDsSQL = `SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid[], $5::uuid, $6::uuid[]`

type echoedIDs struct {
	typed      intentID
	some, none *intentID
	list       []intentID
	plain      uuid.UUID
	plainList  []uuid.UUID
}

func (e *echoedIDs) arguments() []any {
	return []any{e.typed, e.some, e.none, e.list, e.plain, e.plainList}
}

func (e *echoedIDs) places() []any {
	return []any{&e.typed, &e.some, &e.none, &e.list, &e.plain, &e.plainList}
}

func someIDs() echoedIDs {
	some := intentID(uuid.New())
	return echoedIDs{
		typed: intentID(uuid.New()), some: &some, list: []intentID{intentID(uuid.New()), some},
		plain: uuid.New(), plainList: []uuid.UUID{uuid.New(), uuid.New()},
	}
}

func (e *echoedIDs) compare(t *testing.T, want echoedIDs) {
	t.Helper()
	if e.typed != want.typed || e.some == nil || *e.some != *want.some || e.none != nil ||
		!slices.Equal(e.list, want.list) || e.plain != want.plain ||
		!slices.Equal(e.plainList, want.plainList) {
		t.Errorf("got %v, want %v", e, want)
	}
}

// Ids are sent to PostgreSQL and read from it in their own types, on every kind of
// connection, in every mode.
func TestIDsNeedNoConversion(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	conn, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	for name, on := range map[string]interface {
		QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
		SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	}{"pool": pool, "connection of the pool's configuration": conn} {
		for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe} {
			sent := someIDs()
			var got echoedIDs
			arguments := append([]any{mode}, sent.arguments()...)
			err := on.QueryRow(t.Context(), echoIDsSQL, arguments...).Scan(got.places()...)
			if err != nil {
				t.Fatalf("%s, %v: %v", name, mode, err)
			}
			got.compare(t, sent)
		}
		sent := someIDs()
		var got echoedIDs
		var batch pgx.Batch
		batch.Queue(echoIDsSQL, sent.arguments()...).QueryRow(func(row pgx.Row) error {
			return row.Scan(got.places()...)
		})
		if err := on.SendBatch(t.Context(), &batch).Close(); err != nil {
			t.Fatalf("%s, batch: %v", name, err)
		}
		got.compare(t, sent)
	}
}

func TestIDsNeedNoConversionInCopy(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	_, err := pool.Exec(t.Context(), `CREATE TABLE copied
		(typed uuid, present uuid, absent uuid, list uuid[], plain uuid, plain_list uuid[])`)
	if err != nil {
		t.Fatal(err)
	}
	sent := someIDs()
	columns := []string{"typed", "present", "absent", "list", "plain", "plain_list"}
	rows := pgx.CopyFromRows([][]any{sent.arguments()})
	if _, err := pool.CopyFrom(t.Context(), pgx.Identifier{"copied"}, columns, rows); err != nil {
		t.Fatal(err)
	}
	var got echoedIDs
	err = pool.QueryRow(t.Context(), `SELECT typed, present, absent, list, plain, plain_list FROM copied`).
		Scan(got.places()...)
	if err != nil {
		t.Fatal(err)
	}
	got.compare(t, sent)
}

// A null is an error where the target cannot be nil: it must not become an id.
func TestNullIsNoID(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	var id intentID
	if err := pool.QueryRow(t.Context(), `SELECT NULL::uuid`).Scan(&id); err == nil {
		t.Errorf("a null was read as %v", id)
	}
}

// BenchmarkIDs compares the costs of the types with those of plain sixteen bytes. A round
// trip to the database takes tens of microseconds.
func BenchmarkIDs(b *testing.B) {
	benchmarkID(b, "bytes", pgtype.UUIDOID, [16]byte(uuid.New()))
	benchmarkID(b, "typed", pgtype.UUIDOID, intentID(uuid.New()))
	benchmarkID(b, "uuid", pgtype.UUIDOID, uuid.New())
	benchmarkID(b, "500 bytes", pgtype.UUIDArrayOID, make([][16]byte, 500))
	benchmarkID(b, "500 typed", pgtype.UUIDArrayOID, make([]intentID, 500))
	benchmarkID(b, "500 uuid", pgtype.UUIDArrayOID, make([]uuid.UUID, 500))
}

func benchmarkID[T any](b *testing.B, name string, oid uint32, sent T) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		types := pgtype.NewMap()
		for b.Loop() {
			var got T
			text, err := types.Encode(oid, pgtype.BinaryFormatCode, sent, nil)
			if err == nil {
				err = types.Scan(oid, pgtype.BinaryFormatCode, text, &got)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
