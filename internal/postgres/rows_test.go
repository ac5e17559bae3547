package postgres_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

type shop struct {
	id   intentID
	name string
	city *string
}

var shopColumns = postgres.Columns[shop]{
	postgres.Of("uuid", func(s *shop) any { return &s.id }),
	postgres.Of("name", func(s *shop) any { return &s.name }),
	postgres.Of("city", func(s *shop) any { return &s.city }),
}

func TestOneListOfColumnsServesAllStatements(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE TABLE shops (name text, city text, uuid uuid, rank int)`)
	city := "Tripoli"
	first, second := shop{intentID{1}, "first", &city}, shop{intentID{2}, "second", nil}
	exec(shopColumns.Insert("shops", "rank"), shopColumns.Fields(&second, 2)...)
	exec(shopColumns.Insert("shops", "rank"), shopColumns.Fields(&first, 1)...)

	all, err := postgres.List(t.Context(), pool, "list shops", shopColumns.Scan,
		`SELECT `+shopColumns.List("s.")+` FROM shops s ORDER BY rank`)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].id != first.id || all[0].name != "first" || *all[0].city != city ||
		all[1].id != second.id || all[1].city != nil {
		t.Errorf("got %v", all)
	}
}

// Rows are found by their key even if the plan was made while the table was empty and a scan
// seemed to cost nothing.
func TestFewAreFoundByKey(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.EmptyDatabase(t).URL(), postgres.Options{
		MaxConns: 1, RuntimeParams: map[string]string{"plan_cache_mode": "force_generic_plan"},
	})
	exec := func(sql string) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE TABLE things (id uuid PRIMARY KEY, n int)`)
	ids, numbered := postgres.KeyRows("$1::uuid[]"), postgres.KeyRows("$1::uuid[]", "$2::int[]")
	for name, statement := range map[string]string{
		"selected": `SELECT t.n FROM ` + ids + ` AS w(id) JOIN things t USING (id)`,
		"updated":  `UPDATE things t SET n = w.n FROM ` + numbered + ` AS w(id, n) WHERE t.id = w.id`,
		"deleted":  `DELETE FROM things t USING ` + ids + ` AS w(id) WHERE t.id = w.id`,
	} {
		exec(`PREPARE ` + name + ` AS ` + statement)
		execute := `EXECUTE ` + name + `(array_fill('00000000-0000-0000-0000-000000000001'::uuid, ARRAY[1000])`
		if name == "updated" {
			execute += `, array_fill(1, ARRAY[1000])`
		}
		plan, err := postgres.List(t.Context(), pool, "explain", pgx.RowTo[string], `EXPLAIN `+execute+`)`)
		text := strings.Join(plan, "\n")
		if err != nil || strings.Contains(text, "Seq Scan") || !strings.Contains(text, "things_pkey") {
			t.Errorf("%s (%v):\n%s", name, err, text)
		}
	}
}

type price struct {
	shop   [16]byte
	goods  string
	amount *int64
}

var priceColumns = postgres.Columns[price]{
	postgres.Typed("shop", "uuid", func(p *price) *[16]byte { return &p.shop }),
	postgres.Typed("goods", "text", func(p *price) *string { return &p.goods }),
	postgres.Typed("amount", "int8", func(p *price) **int64 { return &p.amount }),
}

func TestManyRowsAreOneStatement(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	if _, err := pool.Exec(t.Context(), `CREATE TABLE prices (amount int8, shop uuid, goods text)`); err != nil {
		t.Fatal(err)
	}
	prices := []price{{[16]byte{1}, "bread", new(int64(250))}, {[16]byte{2}, "water", nil}}
	_, err := pool.Exec(t.Context(), priceColumns.InsertMany("prices"), priceColumns.Arrays(prices)...)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := postgres.List(t.Context(), pool, "list prices", priceColumns.Scan,
		`SELECT `+priceColumns.List("p.")+` FROM prices p ORDER BY goods`)
	if err != nil {
		t.Fatal(err)
	}
	for n := range prices {
		if got, want := priceColumns.Values(&stored[n]), priceColumns.Values(&prices[n]); !slices.Equal(got, want) {
			t.Errorf("stored %v, want %v", got, want)
		}
	}
	if values := priceColumns.Values(&prices[1]); !slices.Equal(values, []any{[16]byte{2}, "water", nil}) {
		t.Errorf("values %v", values)
	}
	some := priceColumns.Only("goods", "shop").Each("%[1]s = n.%[1]s")
	if some != "goods = n.goods, shop = n.shop" {
		t.Errorf("some columns: %s", some)
	}
}

func TestFindSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	errNone := errors.New("no such number")
	find := func(sql string) (int, error) {
		return postgres.Find(t.Context(), pool, "find number", errNone, pgx.RowTo[int], sql)
	}
	if n, err := find(`SELECT 7`); n != 7 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	if _, err := find(`SELECT 7 WHERE false`); !errors.Is(err, errNone) {
		t.Errorf("without a row: %v", err)
	}
	for _, sql := range []string{`SELECT 1/0`, `SELECT FROM nowhere`, `SELECT generate_series(1, 2)`} {
		_, err := find(sql)
		if err == nil || errors.Is(err, errNone) || !strings.HasPrefix(err.Error(), "find number: ") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if _, err := postgres.List(t.Context(), pool, "list numbers", pgx.RowTo[int], `SELECT 1/0`); err == nil {
		t.Error("a failed query gave an empty list")
	}
}
