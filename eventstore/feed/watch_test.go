package feed_test

import (
	"slices"
	"testing"
	"time"

	"daftar/eventstore/feed"
)

// A group is woken by the read of the offsets if its offset does not change although there are
// events for it, and not while its offset advances on any server: the server with the events in
// memory is not disturbed.
func TestWhoStandsStillIsWoken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.add(t, 9)
	w.execute(t, `
		INSERT INTO consumer_offsets
		VALUES ('g', 3, now()), ('stale', 3, now()), ('another', 1, now())`)
	f, err := feed.New(feed.Config{Pool: feedPool(t, w.db.ServiceURL()), Groups: []feed.Group{
		{Name: "g", Handle: recordAs("g")}, {Name: "stale", Handle: recordAs("stale"), Staleness: time.Hour},
	}})
	if err != nil {
		t.Fatal(err)
	}
	watcher := feed.NewWatcher(f)
	for _, step := range []struct {
		what, statement string
		moving          bool
		woken           []string
	}{
		{"seen for the first time", `SELECT`, false, []string{"g"}},
		{"it does not advance", `SELECT`, false, []string{"g"}},
		{"it moves", `UPDATE consumer_offsets SET position = 5 WHERE consumer_group = 'g'`, true, nil},
		{"it does not advance again", `SELECT`, false, []string{"g"}},
		{"it halts", `
			UPDATE consumer_offsets
			SET halted_reason = 'x', retry_at = now() + interval '1 day'
			WHERE consumer_group = 'g'`, false, nil},
		{"it may try again", `UPDATE consumer_offsets SET retry_at = now() WHERE consumer_group = 'g'`, false,
			[]string{"g"}},
		{"it has reached the head", `
			UPDATE consumer_offsets
			SET position = 9, halted_reason = NULL, retry_at = NULL
			WHERE consumer_group = 'g'`, false, nil},
		{
			"an event is released", `
				INSERT INTO parked_events
				VALUES ('g', 2, 'x', 3, now(), now()), ('g', 4, 'x', 3, now(), NULL)`, false, []string{"g"},
		},
	} {
		w.execute(t, step.statement)
		if woken, moving := watcher.Look(t.Context()); !slices.Equal(woken, step.woken) || moving != step.moving {
			t.Errorf("%s: woken %v, moving %v; want %v, %v", step.what, woken, moving, step.woken, step.moving)
		}
	}
}
