//go:build long

package acceptance_test

import (
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// A server without traffic asks little: a few statements for each look at the offsets of
// the groups, which is made once a second.
func TestLongServerAtRestAsksLittle(t *testing.T) {
	t.Parallel()
	const looks, most = 10, 10
	cluster := pgtest.NewCluster(t, planSettings)
	_, address := cluster.Database(t, "daftar")
	w := &busyTown{marketplace: &marketplace{bazaar: &bazaar{search: &search{t: t}}, gateways: newGateways(t)}}
	w.env = append([]string{"DAFTAR_DATABASE_URL=" + address, "DAFTAR_SECRET_KEY=" + secretKey},
		w.gateways.env...)
	who := newShop(t, w.env)
	for _, name := range []string{"plutu", "moamalat", "lypay"} {
		w.gateways.set(t, w.env, who.app, name)
	}
	w.serve(t, address)
	const look = "FROM consumer_offsets o"
	pgtest.WaitFor(t, "some looks at the offsets", func() bool { // the first fall together with the start
		return strings.Count(planLog(t, cluster.Dir()), look) > 2*looks
	})
	plans := loggedPlans(t, planLog(t, cluster.Dir()))
	var at []int // of the looks among them
	for n, p := range plans {
		if strings.Contains(p.Text, look) {
			at = append(at, n)
		}
	}
	if n := at[len(at)-1] - at[len(at)-1-looks]; n > looks*most {
		asked := map[string]int{}
		for _, p := range plans[at[len(at)-1-looks]:at[len(at)-1]] {
			asked[strings.TrimSpace(p.Text)]++
		}
		t.Errorf("%d statements while there were %d looks, want %d at most: %v", n, looks, looks*most, asked)
	}
}
