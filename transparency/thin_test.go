package transparency_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/transparency"
)

// signEach signs a checkpoint over each new event, with so much time between them.
func (w *world) signEach(n int, apart time.Duration) (all []transparency.Checkpoint) {
	w.t.Helper()
	notary := w.notary()
	for range n {
		w.fill(1)
		w.grow(10)
		w.now = w.now.Add(apart)
		if err := notary.Look(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, w.latest())
	}
	return all
}

func (w *world) sizes() []int64 {
	w.t.Helper()
	return value[[]int64](w, `
		SELECT coalesce(array_agg(size ORDER BY size), '{}')
		FROM transparency_checkpoints`)
}

// After an hour the last checkpoint of each five minutes stays, and the last that each witness has
// cosigned, with its cosignature. Deleted checkpoints can be proven like the others.
func TestOldCheckpointsAreThinned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// Minutes 0 to 11, 11 hours ago and 30 minutes ago.
	w.now = time.Now().Add(-11 * time.Hour).Truncate(5 * time.Minute).Add(-time.Minute)
	all := w.signEach(12, time.Minute)
	w.now = time.Now().Add(-30 * time.Minute).Truncate(5 * time.Minute).Add(-time.Minute)
	all = append(all, w.signEach(12, time.Minute)...)
	for _, c := range []struct {
		size    int
		witness string
	}{{2, "one"}, {3, "one"}, {3, "two"}, {4, "one"}, {6, "one"}, {10, "one"}, {10, "two"}, {20, "one"}} {
		w.tamperf(`INSERT INTO transparency_cosignatures VALUES ($1, $2, 'x')`, c.size, c.witness)
	}
	n := w.notary()
	if more, err := n.Thin(t.Context()); more || err != nil {
		t.Fatal(more, err)
	}
	want := []int64{3, 4, 5, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}
	if diff := cmp.Diff(want, w.sizes()); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	cosigned := value[[]string](w,
		`SELECT array_agg(size || ' ' || witness ORDER BY size, witness) FROM transparency_cosignatures`)
	diff := cmp.Diff([]string{"3 one", "3 two", "4 one", "10 one", "10 two", "20 one"}, cosigned)
	if diff != "" {
		t.Errorf("cosignatures (-want +got):\n%s", diff)
	}
	if r := w.verify(func(o *transparency.VerifyOptions) {
		o.Kept = all
	}); !r.OK || r.Checkpoints != len(all)+len(want) {
		t.Errorf("held to all that was signed: %+v", r)
	}
	kept := all[0] // it is deleted
	p, err := transparency.Prove(t.Context(), w.pool, w.events(0, 1), kept)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Check(transparency.CheckOptions{Keys: []string{w.key.Public()}, Older: []string{kept.Note}})
	if err != nil {
		t.Error(err)
	}
	if body := w.get("proof/consistency?from=1&to=24").Body.String(); !strings.Contains(body, `"hashes":["`) {
		t.Errorf("the public gets %s", body)
	}
}

// The database enforces the rule: nobody can delete a checkpoint that must stay, or its
// cosignatures.
func TestKeptCheckpointsAreNotDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.now = time.Now().Add(-3 * time.Hour).Truncate(5 * time.Minute).Add(-time.Minute)
	w.signEach(4, time.Minute) // 1 to 3 may be deleted
	w.now = time.Now().Add(-time.Minute)
	w.signEach(3, time.Second)
	w.tamperf(`INSERT INTO transparency_cosignatures VALUES (2, 'one', 'x'), (4, 'two', 'x')`)
	for name, pool := range map[string]*pgxpool.Pool{"service": w.pool, "superuser": w.super} {
		for _, size := range []int{2, 4, 5, 6, 7} { // cosigned; the last of its minutes; too new; the newest
			_, err := pool.Exec(t.Context(), `DELETE FROM transparency_checkpoints WHERE size = $1`, size)
			if err == nil {
				t.Errorf("the %s may delete the checkpoint of size %d", name, size)
			}
		}
	}
	if _, err := w.pool.Exec(t.Context(), `DELETE FROM transparency_cosignatures`); err == nil {
		t.Error("the service may delete cosignatures")
	}
	const shadowSQL = `
		CREATE TEMP TABLE transparency_checkpoints AS
		SELECT 9::int8 AS size, now() - interval '2 hours' AS signed_at;
		DELETE FROM public.transparency_checkpoints WHERE size = 7`
	if _, err := w.pool.Exec(t.Context(), shadowSQL); err == nil {
		t.Error("a temporary table of the same name is used instead")
	}
	for _, size := range []int{1, 3} {
		tag, err := w.pool.Exec(t.Context(), `DELETE FROM public.transparency_checkpoints WHERE size = $1`, size)
		if err != nil || tag.RowsAffected() != 1 {
			t.Errorf("the service may not delete the checkpoint of size %d: %v", size, err)
		}
	}
	if diff := cmp.Diff([]int64{2, 4, 5, 6, 7}, w.sizes()); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

// A backlog, such as after an upgrade, is thinned in batches.
func TestBacklogIsThinned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(2500)
	w.tamper(`
		INSERT INTO transparency_checkpoints
		SELECT n, decode(repeat('ab', 32), 'hex'), 'x',
		       date_bin('5 minutes', now() - interval '1 day', 'epoch') + n * interval '1 second'
		FROM generate_series(1, 2500) n`)
	n := w.notary()
	rounds := 1
	for more := true; more; rounds++ {
		var err error
		if more, err = n.Thin(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	diff := cmp.Diff([]int64{299, 599, 899, 1199, 1499, 1799, 2099, 2399, 2500}, w.sizes())
	if diff != "" || rounds != 7 {
		t.Errorf("%d rounds, kept (-want +got):\n%s", rounds, diff)
	}
}

// With steady traffic, the folder gets a file a minute, and the newest checkpoint each time.
func TestDirectoryGetsAFileAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.now = w.now.Truncate(time.Minute)
	dir := t.TempDir()
	n := w.notary(func(c *transparency.Config) { c.Dir = dir })
	for k := range 40 { // every 6 seconds, for four minutes
		w.fill(1)
		w.grow(10)
		w.now = w.now.Add(6 * time.Second)
		if err := n.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if k%3 > 0 {
			continue // the folder is slow at times
		}
		if err := n.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		if c, err := transparency.Published(dir); err != nil || c.Size != int64(k+1) {
			t.Fatalf("the newest is %d, %v; want %d", c.Size, err, k+1)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	want := []string{"latest"}
	for _, size := range []int{1, 10, 20, 30, 40} {
		want = append(want, fmt.Sprintf("%020d", size))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
