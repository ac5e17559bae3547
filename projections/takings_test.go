package projections_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections"
)

// by is an attempt by a method of an acquirer.
func by(acquirer, method string, at time.Time, id domain.AttemptID) step {
	return step{domain.StartAttempt{Attempt: id, Acquirer: acquirer, Method: method}, at}
}

// The takings of a day are what was paid on it, whenever it was created, by the method of the attempt that
// took the money; the methods add up to the figures of the day. Other tenants' and trials are
// not among them.
func TestTakingsOfADay(t *testing.T) {
	t.Parallel()
	d, seed := openWorld(t), rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	ours := d.shop(t, uuid.Nil)
	second, theirs := d.shop(t, ours.organization), d.shop(t, uuid.Nil)
	trials := shop{ours.organization, domain.ApplicationID(uuid.New()), domain.Namespace(uuid.New())}
	exec(t, d.pool, `
		INSERT INTO applications (uuid, organization_uuid, name, active, namespace, api_key_hash, api_key_ending,
		                          api_key_rolled_at, webhook_secret, webhook_secret_rolled_at, mode, created_at)
		SELECT $1, organization_uuid, 'trials', true, $3, sha256('trials'), 'abcd', now(), '', now(), 'test',
		       now()
		FROM applications
		WHERE uuid = $2`, trials.id, ours.id, trials.namespace)
	day, want := domain.DayOf(midnight), map[string]projections.Total{}
	ways := [][2]string{{"plutu", "edfali"}, {"plutu", "tadawul"}, {"moamalat", "card"}}
	for range 160 {
		s := []shop{ours, second, theirs, trials}[random.IntN(4)]
		way, other := ways[random.IntN(3)], ways[random.IntN(3)]
		at := midnight.Add(time.Duration(random.Int64N(int64(72*time.Hour))) - 24*time.Hour)
		hours := []int{0, 30, 200, 5000}[random.IntN(4)]
		created := at.Add(-time.Minute - time.Duration(hours)*time.Hour)
		soon := created.Add(time.Second)
		c := d.order(s)
		steps := []step{by(other[0], other[1], soon, "a"), failed(soon, "a")}
		if hours > 0 { // it is late
			steps = append(steps, by(way[0], way[1], soon, "b"), failed(soon, "b"),
				expired(created.Add(25*time.Hour)))
		} else {
			steps = append(steps, by(way[0], way[1], at, "b"))
		}
		steps = append(steps, paid(at, "b", c))
		if random.IntN(4) == 0 {
			steps = append(steps, paid(at, "a", c)) // a duplicate, in no method's sum
		}
		d.record(t, s, c, created, steps...)
		if (s == ours || s == second) && domain.DayOf(at) == day {
			sum := want[way[0]+" "+way[1]]
			sum.Count, sum.Sum = sum.Count+1, sum.Sum+c.Amount.Minor
			want[way[0]+" "+way[1]] = sum
		}
	}
	d.feed(t)
	got, err := d.payments.Day(t.Context(), live(ours.organization), day)
	if err != nil {
		t.Fatal(err)
	}
	all := projections.Total{}
	found := map[string]projections.Total{}
	for _, m := range got.Methods {
		found[m.Acquirer+" "+m.Method] = m.Total
		all.Count, all.Sum = all.Count+m.Count, all.Sum+m.Sum
	}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("by method %v, want %v", found, want)
	}
	if len(got.Totals) != 1 || got.Totals[0].Succeeded != all {
		t.Errorf("the methods add up to %+v, the day to %+v", all, got.Totals)
	}
	largestFirst := func(a, b projections.MethodTakings) int { return int(b.Sum - a.Sum) }
	if !slices.IsSortedFunc(got.Methods, largestFirst) {
		t.Errorf("the largest is not the first: %+v", got.Methods)
	}
	empty, err := d.payments.Day(t.Context(), live(ours.organization), day.Add(-1000))
	if err != nil || len(empty.Totals)+len(empty.Methods) > 0 {
		t.Errorf("a day without payments: %+v, %v", empty, err)
	}
}
