//go:build long

package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// A server without traffic makes few round trips: one a second, for all that it polls, and a few every
// ten seconds or less often.
func TestLongServerAtRestAsksLittle(t *testing.T) {
	t.Parallel()
	const polls, most = 10, 3
	cluster := pgtest.NewCluster(t, planSettings)
	_, address := cluster.Database(t, "daftar")
	w := &busyTown{marketplace: &marketplace{bazaar: &bazaar{search: &search{t: t}}, gateways: newGateways(t)}}
	database := []string{"DAFTAR_DATABASE_URL=" + address, "DAFTAR_SECRET_KEY=" + secretKey}
	w.env = slices.Concat(database, w.gateways.env)
	who := newShop(t, w.env)
	for _, name := range []string{"plutu", "moamalat", "lypay"} {
		w.gateways.set(t, w.env, who.app, name)
	}
	w.serve(t, address)
	const look = "FROM consumer_offsets o"
	pgtest.WaitFor(t, "some polls of the offsets", func() bool { // the first ones coincide with the start
		return strings.Count(planLog(t, cluster.Dir()), look) > 2*polls
	})
	plans := loggedPlans(t, planLog(t, cluster.Dir()))
	var at []int // of the polls among them
	for n, p := range plans {
		if strings.Contains(p.Text, look) {
			at = append(at, n)
		}
	}
	asked := map[string][]string{} // by transaction
	for _, p := range plans[at[len(at)-1-polls]:at[len(at)-1]] {
		asked[p.transaction] = append(asked[p.transaction], strings.TrimSpace(p.Text))
	}
	if n := len(asked); n > polls*most {
		t.Errorf("%d round trips during %d polls, want %d at most: %v", n, polls, polls*most, asked)
	}
}
