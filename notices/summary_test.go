package notices_test

import (
	"fmt"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/notices"
	"daftar/projections"
)

// days are the days of summaries.
func days(all []notices.Summary) (found []string) {
	for _, s := range all {
		found = append(found, s.Day.String())
	}
	return found
}

// at moves the clock to a time of a day in March, in Libya's time, and gives turns.
func (w *world) at(day, hour, minute int) []notices.Summary {
	w.T.Helper()
	w.Now.Set(domain.Day{Year: 2026, Month: 3, Day: day}.Start().
		Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute))
	w.follow()
	w.turns()
	w.sent()
	_, summaries := w.written()
	return summaries
}

// The summary of a day comes at the chosen hour of Libya's time, of the whole day before, with its methods,
// what was late, what came twice, what went back and what waits.
func TestSummary(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.at(1, 8, 0)
	w.member(accounts.RoleFinance, notices.Preferences{Daily: new(8)})
	if got := w.at(1, 8, 1); len(got) > 0 {
		t.Errorf("of the day before the choice: %v", days(got))
	}
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	w.pay(w.App.ID, inTime, 2_000, "tadawul")
	w.pay(w.App.ID, late, 4_000, "tadawul")
	w.pay(w.App.ID, twice, 8_000, "edfali")
	w.pay(w.test(), inTime, 500_000, "edfali")
	if early := w.at(2, 7, 59); len(early) > 0 {
		t.Errorf("before the hour: %v", early)
	}
	w.pay(w.App.ID, inTime, 16_000, "edfali") // on the second day
	got := w.at(2, 8, 0)
	if len(got) != 1 {
		t.Fatalf("%d summaries", len(got))
	}
	s := got[0]
	if s.Day.String() != "2026-03-01" || len(s.Totals) != 1 || s.Name != "Shop" || s.ToDecide != 2 ||
		s.Unknown != 0 || s.Stopped != 0 {
		t.Fatalf("%+v", s)
	}
	total := s.Totals[0]
	if total.Succeeded != (projections.Total{Count: 4, Sum: 15_000}) ||
		total.Late != (projections.Total{Count: 1, Sum: 4_000}) ||
		total.Duplicates != (projections.Total{Count: 1, Sum: 8_000}) {
		t.Errorf("the figures are %+v", total)
	}
	methods := ""
	for _, m := range s.Methods {
		methods += fmt.Sprintf("%s %s %d %d;", m.Acquirer, m.Method, m.Count, m.Sum)
	}
	if methods != "plutu edfali 2 9000;plutu tadawul 2 6000;" {
		t.Errorf("the methods are %s", methods)
	}
	if again := w.at(2, 20, 0); len(again) > 0 {
		t.Errorf("again: %v", days(again))
	}
	if next := w.at(3, 8, 1); len(next) != 1 || next[0].Totals[0].Succeeded.Sum != 16_000 {
		t.Errorf("the next day: %+v", next)
	}
	if empty := w.at(4, 8, 1); len(empty) != 1 || len(empty[0].Totals) != 0 || len(empty[0].Methods) != 0 {
		t.Errorf("a day without payments: %+v", empty)
	}
}

// Saving the choice again, with this hour or another one, leaves out no day and repeats none.
func TestTheHourIsChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.at(1, 9, 0)
	u := w.member(accounts.RoleOwner, notices.Preferences{Daily: new(20)})
	w.at(1, 20, 0)
	w.Now.Set(w.Now.Now().Add(24 * time.Hour)) // the second at eight
	w.choose(u, notices.Preferences{Daily: new(20), Decisions: true})
	found := days(w.at(2, 20, 1))
	w.at(3, 10, 0)
	w.choose(u, notices.Preferences{Daily: new(8)})
	found = append(found, days(w.at(3, 10, 1))...)
	found = append(found, days(w.at(4, 7, 59))...)
	w.choose(u, notices.Preferences{Daily: new(22)})
	found = append(found, days(w.at(4, 21, 59))...)
	found = append(found, days(w.at(4, 22, 0))...)
	if got := fmt.Sprint(found); got != "[2026-03-01 2026-03-02 2026-03-03]" {
		t.Errorf("summaries of %s", got)
	}
	w.choose(u, notices.Preferences{})
	if s := w.standing(u); s.NextDaily != nil {
		t.Errorf("after the end: %+v", s)
	}
}

// Midnight's summary is of the day that has just ended, once its last events are there.
func TestSummaryAtMidnight(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.at(1, 23, 50)
	w.member(accounts.RoleOwner, notices.Preferences{Daily: new(0)})
	w.pay(w.App.ID, inTime, 1_000, "edfali")
	if early := w.at(2, 0, 0); len(early) > 0 {
		t.Errorf("at once: %v", days(early))
	}
	if got := w.at(2, 0, 1); len(got) != 1 || got[0].Day.String() != "2026-03-01" {
		t.Errorf("a minute later: %v", days(got))
	}
}

// A summary waits for the figures of its day; decisions do not wait for it.
func TestSummaryWaitsForFigures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Now.Set(time.Now()) // events say when they were recorded by the clock of the machine
	hour := locale.Tripoli(w.Now.Now()).Hour()
	w.member(accounts.RoleOwner, notices.Preferences{Daily: &hour, Decisions: true})
	w.pay(w.App.ID, late, 1_000, "edfali")
	w.Later(24 * time.Hour)
	w.handle(w.eventsAfter(0)) // the dashboard's group stands still
	w.exec(`INSERT INTO consumer_offsets (consumer_group, position, updated_at) VALUES ('dashboard', 0, now())`)
	w.turns()
	w.sent()
	digests, summaries := w.written()
	if len(digests) != 1 || len(summaries) > 0 {
		t.Errorf("while figures are missing: %v, %v", digests, days(summaries))
	}
	w.Later(2 * time.Minute)
	w.tell()
	if _, got := w.written(); len(got) != 1 || got[0].ToDecide != 1 {
		t.Errorf("then: %+v", got)
	}
}

// Days that were missed are made up for, a minute apart, unless that is too late; a summary that was refused
// comes again.
func TestMissedSummaries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.at(1, 9, 0)
	w.member(accounts.RoleOwner, notices.Preferences{Daily: new(8)})
	var found []string
	for minute := range 5 {
		found = append(found, days(w.at(4, 10, minute))...)
	}
	if got := fmt.Sprint(found); got != "[2026-03-01 2026-03-02 2026-03-03]" {
		t.Errorf("after three days: %s", got)
	}
	found = nil
	for minute := range 5 {
		found = append(found, days(w.at(20, 10, minute))...)
	}
	if got := fmt.Sprint(found); got != "[2026-03-19]" {
		t.Errorf("after two weeks: %s", got)
	}
	w.Now.Set(domain.Day{Year: 2026, Month: 3, Day: 21}.Start().Add(8 * time.Hour))
	w.turns()
	w.refused()
	if _, refused := w.written(); fmt.Sprint(days(refused)) != "[2026-03-20]" {
		t.Errorf("refused: %v", days(refused))
	}
	found = days(w.at(21, 8, 30))
	for minute := range 5 {
		found = append(found, days(w.at(21, 9, minute))...)
	}
	if got := fmt.Sprint(found); got != "[2026-03-20]" {
		t.Errorf("after a refusal: %s", got)
	}
}
