package projections

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// turnoverModel adds up the whole log before it looks at the table: what it keeps
// meanwhile is as large as the table, a row per application and day.
type turnoverModel struct{ replayed sums }

func (m *turnoverModel) compare(_ context.Context, _ pgx.Tx, p part) ([]Drift, error) {
	for n := range p.entries {
		m.replayed.count(&p.entries[n], 1)
	}
	for _, x := range p.exceptions {
		m.replayed.countDuplicate(x, 1)
	}
	return nil, nil
}

// row is a row of turnover.
type row struct {
	place
	Figures
}

const readTurnoverSQL = `
SELECT application_uuid, day, currency, succeeded_count, succeeded_sum, late_count, late_sum,
       canceled_count, canceled_sum, duplicate_count, duplicate_sum
FROM {turnover} ORDER BY application_uuid, day, currency`

// turnoverRows are the rows of a table that mean something. A day whose only
// intent was paid late after all is a row of zeros for the group and none for a
// replay.
func turnoverRows(ctx context.Context, tx pgx.Tx, at placing) ([]row, error) {
	rows, err := tx.Query(ctx, on(readTurnoverSQL, at))
	if err != nil {
		return nil, fmt.Errorf("read turnover: %w", err)
	}
	stored, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (row, error) {
		var found row
		var day time.Time
		err := r.Scan(append([]any{&found.application, &day, &found.currency}, found.places()...)...)
		found.day = dateOf(day)
		return found, err
	})
	if err != nil {
		return nil, fmt.Errorf("read turnover: %w", err)
	}
	return slices.DeleteFunc(stored, func(r row) bool { return r.Figures == Figures{} }), nil
}

func (m *turnoverModel) compareRest(ctx context.Context, tx pgx.Tx) ([]Drift, error) {
	stored, err := turnoverRows(ctx, tx, live)
	if err != nil {
		return nil, err
	}
	replayed := make([]row, 0, len(m.replayed))
	for at, f := range m.replayed {
		if f != (Figures{}) {
			replayed = append(replayed, row{at, f})
		}
	}
	slices.SortFunc(replayed, func(a, b row) int { return a.compare(b.place) })
	return turnoverDrifts(stored, replayed), nil
}

// turnoverDrifts compares rows that are sorted by their places.
func turnoverDrifts(stored, replayed []row) []Drift {
	var found []Drift
	merge(stored, replayed, func(a, b row) int { return a.compare(b.place) }, func(s, r *row) {
		found = append(found, turnoverDrift(s, r)...)
	})
	return found
}

// turnoverDrift compares a row figure by figure. What it names is the application;
// the field tells the day as well.
func turnoverDrift(stored, replayed *row) []Drift {
	drift := func(r *row, field, stored, replayed string) Drift {
		return Drift{
			UUID: uuid.UUID(r.application).String(), Field: fmt.Sprintf("%s %s%s", r.day, r.currency, field),
			Stored: stored, Replayed: replayed,
		}
	}
	switch {
	case replayed == nil:
		return []Drift{drift(stored, "", "(a row)", absent)}
	case stored == nil:
		return []Drift{drift(replayed, "", absent, "(a row)")}
	}
	var found []Drift
	should := replayed.columns()
	for n, column := range stored.columns() {
		if column != should[n] {
			found = append(found, drift(stored, " "+column.name, fmt.Sprint(column.value), fmt.Sprint(should[n].value)))
		}
	}
	return found
}

// places are where the columns of the figures are scanned to.
func (f *Figures) places() []any {
	return []any{
		&f.Succeeded.Count, &f.Succeeded.Sum, &f.Late.Count, &f.Late.Sum,
		&f.Canceled.Count, &f.Canceled.Sum, &f.Duplicates.Count, &f.Duplicates.Sum,
	}
}
