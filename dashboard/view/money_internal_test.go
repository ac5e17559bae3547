package view

import (
	"testing"

	"daftar/domain"
)

func TestPeriodBeforeIsAsLong(t *testing.T) {
	t.Parallel()
	day := func(text string) domain.Day {
		d, err := domain.ParseDay(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, row := range [][4]string{
		{"2026-11-20", "2026-11-20", "2026-11-19", "2026-11-19"},
		{"2026-11-01", "2026-11-30", "2026-10-02", "2026-10-31"},
		{"2024-02-28", "2024-03-01", "2024-02-25", "2024-02-27"},
	} {
		if first, last := SpanBefore(day(row[0]), day(row[1])); first != day(row[2]) || last != day(row[3]) {
			t.Errorf("before %s to %s: %s to %s", row[0], row[1], first, last)
		}
	}
}

func TestChangeIsRoundedAwayFromNothing(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		now, before int64
		text, class string
	}{
		{5, 0, "", ""}, {10, 10, "0%", "same"}, {15, 10, "+50%", "up"}, {0, 10, "−100%", "down"},
		{1004, 1000, "0%", "same"}, {1005, 1000, "+1%", "up"}, {995, 1000, "−1%", "down"},
	} {
		if p := (rendering{}).Change(row.now, row.before); p.Text != row.text || p.Class != row.class {
			t.Errorf("from %d to %d: %q %q, want %q %q", row.before, row.now, p.Text, p.Class, row.text, row.class)
		}
	}
}
