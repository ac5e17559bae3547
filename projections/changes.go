package projections

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// changes are what a batch of events does to the tables of the turnover group.
type changes struct {
	created, changed []*entry
	exceptions       []exception
	sums             sums
}

func (c *changes) write(ctx context.Context, tx *sql.Tx) error {
	for _, step := range []func(context.Context, *sql.Tx) error{c.insert, c.update, c.except, c.addUp} {
		if err := step(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

const insertEntriesSQL = `
INSERT INTO payments (intent_uuid, application_uuid, version, state, attempting, amount, currency, reference, customer_key,
                      created_at, succeeded_at, canceled_at, late, duplicates)
SELECT intent_uuid, application_uuid, version, state, attempting, amount, currency, reference, customer_key,
       created_at, succeeded_at, canceled_at, late, duplicates
FROM unnest($1::uuid[], $2::uuid[], $3::int4[], $4::text[], $5::bool[], $6::int8[], $7::text[], $8::text[],
            $9::int8[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::bool[], $14::int4[])
     AS n(intent_uuid, application_uuid, version, state, attempting, amount, currency, reference, customer_key,
          created_at, succeeded_at, canceled_at, late, duplicates)`

func (c *changes) insert(ctx context.Context, tx *sql.Tx) error {
	n := len(c.created)
	if n == 0 {
		return nil
	}
	var (
		applications = make([][16]byte, n)
		amounts      = make([]int64, n)
		currencies   = make([]string, n)
		references   = make([]string, n)
		customers    = make([]*int64, n)
		createdAt    = make([]time.Time, n)
	)
	for k, e := range c.created {
		applications[k], amounts[k], currencies[k], references[k] = e.application, e.amount, e.currency, e.reference
		customers[k], createdAt[k] = e.customerKey, e.createdAt
	}
	s := statesOf(c.created)
	_, err := tx.ExecContext(ctx, insertEntriesSQL, s.ids, applications, s.versions, s.states, s.attempting, amounts, currencies,
		references, customers, createdAt, s.succeededAt, s.canceledAt, s.late, s.duplicates)
	if err != nil {
		return fmt.Errorf("insert payments: %w", err)
	}
	return nil
}

const updateEntriesSQL = `
UPDATE payments p
SET version = n.version, state = n.state, attempting = n.attempting, succeeded_at = n.succeeded_at,
    canceled_at = n.canceled_at, late = n.late, duplicates = n.duplicates
FROM unnest($1::uuid[], $2::int4[], $3::text[], $4::bool[], $5::timestamptz[], $6::timestamptz[], $7::bool[], $8::int4[])
     AS n(intent_uuid, version, state, attempting, succeeded_at, canceled_at, late, duplicates)
WHERE p.intent_uuid = n.intent_uuid`

func (c *changes) update(ctx context.Context, tx *sql.Tx) error {
	if len(c.changed) == 0 {
		return nil
	}
	s := statesOf(c.changed)
	_, err := tx.ExecContext(ctx, updateEntriesSQL, plannedAnew, s.ids, s.versions, s.states, s.attempting, s.succeededAt, s.canceledAt,
		s.late, s.duplicates)
	if err != nil {
		return fmt.Errorf("update payments: %w", err)
	}
	return nil
}

// states are the columns of payments that can change.
type states struct {
	ids                     [][16]byte
	versions                []int32
	states                  []string
	attempting              []bool
	succeededAt, canceledAt []*time.Time
	late                    []bool
	duplicates              []int32
}

func statesOf(entries []*entry) states {
	n := len(entries)
	s := states{
		ids: make([][16]byte, n), versions: make([]int32, n), states: make([]string, n), attempting: make([]bool, n),
		succeededAt: make([]*time.Time, n), canceledAt: make([]*time.Time, n), late: make([]bool, n), duplicates: make([]int32, n),
	}
	for k, e := range entries {
		s.ids[k], s.versions[k], s.states[k], s.attempting[k] = e.intent, int32(e.version), e.state, e.attempting
		s.succeededAt[k], s.canceledAt[k], s.late[k], s.duplicates[k] = e.succeededAt, e.canceledAt, e.late, int32(e.duplicates)
	}
	return s
}

const insertExceptionsSQL = `
INSERT INTO payment_exceptions (intent_uuid, version, application_uuid, kind, attempt, amount, currency, since)
SELECT intent_uuid, version, application_uuid, kind, attempt, amount, currency, since
FROM unnest($1::uuid[], $2::int4[], $3::uuid[], $4::text[], $5::text[], $6::int8[], $7::text[], $8::timestamptz[])
     AS n(intent_uuid, version, application_uuid, kind, attempt, amount, currency, since)`

func (c *changes) except(ctx context.Context, tx *sql.Tx) error {
	n := len(c.exceptions)
	if n == 0 {
		return nil
	}
	var (
		ids          = make([][16]byte, n)
		versions     = make([]int32, n)
		applications = make([][16]byte, n)
		kinds        = make([]string, n)
		attempts     = make([]string, n)
		amounts      = make([]int64, n)
		currencies   = make([]string, n)
		since        = make([]time.Time, n)
	)
	for k, x := range c.exceptions {
		ids[k], versions[k], applications[k], kinds[k] = x.intent, int32(x.version), x.application, string(x.kind)
		attempts[k], amounts[k], currencies[k], since[k] = x.attempt, x.amount, x.currency, x.since
	}
	_, err := tx.ExecContext(ctx, insertExceptionsSQL, ids, versions, applications, kinds, attempts, amounts, currencies, since)
	if err != nil {
		return fmt.Errorf("insert exceptions: %w", err)
	}
	return nil
}

// addUpSQL adds figures to rows of the table that stands in braces.
const addUpSQL = `
INSERT INTO {turnover} AS t (application_uuid, day, currency, succeeded_count, succeeded_sum, late_count, late_sum,
                           canceled_count, canceled_sum, duplicate_count, duplicate_sum)
SELECT application_uuid, day, currency, succeeded_count, succeeded_sum, late_count, late_sum,
       canceled_count, canceled_sum, duplicate_count, duplicate_sum
FROM unnest($1::uuid[], $2::date[], $3::text[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
            $9::int8[], $10::int8[], $11::int8[])
     AS n(application_uuid, day, currency, succeeded_count, succeeded_sum, late_count, late_sum,
          canceled_count, canceled_sum, duplicate_count, duplicate_sum)
ON CONFLICT (application_uuid, day, currency) DO UPDATE
SET succeeded_count = t.succeeded_count + excluded.succeeded_count, succeeded_sum = t.succeeded_sum + excluded.succeeded_sum,
    late_count = t.late_count + excluded.late_count, late_sum = t.late_sum + excluded.late_sum,
    canceled_count = t.canceled_count + excluded.canceled_count, canceled_sum = t.canceled_sum + excluded.canceled_sum,
    duplicate_count = t.duplicate_count + excluded.duplicate_count, duplicate_sum = t.duplicate_sum + excluded.duplicate_sum`

var addUpLiveSQL = on(addUpSQL, live)

func (c *changes) addUp(ctx context.Context, tx *sql.Tx) error {
	arguments := c.sums.arguments()
	if arguments == nil {
		return nil
	}
	if _, err := tx.ExecContext(ctx, addUpLiveSQL, arguments...); err != nil {
		return fmt.Errorf("add up turnover: %w", err)
	}
	return nil
}

// arguments are the sums in the form that addUpSQL takes; nil where they change
// nothing.
func (s sums) arguments() []any {
	var (
		applications [][16]byte
		days         []time.Time
		currencies   []string
		columns      [8][]int64
	)
	for at, f := range s {
		if f == (Figures{}) {
			continue
		}
		applications, days, currencies = append(applications, at.application), append(days, at.day.date()), append(currencies, at.currency)
		for n, v := range f.columns() {
			columns[n] = append(columns[n], v.value)
		}
	}
	if applications == nil {
		return nil
	}
	arguments := []any{applications, days, currencies}
	for _, c := range columns {
		arguments = append(arguments, c)
	}
	return arguments
}

type figure struct {
	name  string
	value int64
}

// columns are the figures in the order and under the names of the table's columns.
func (f *Figures) columns() [8]figure {
	return [8]figure{
		{"succeeded_count", f.Succeeded.Count},
		{"succeeded_sum", f.Succeeded.Sum},
		{"late_count", f.Late.Count},
		{"late_sum", f.Late.Sum},
		{"canceled_count", f.Canceled.Count},
		{"canceled_sum", f.Canceled.Sum},
		{"duplicate_count", f.Duplicates.Count},
		{"duplicate_sum", f.Duplicates.Sum},
	}
}
