package webhooks_test

import (
	"fmt"
	"net/http"
	"testing"

	"daftar/webhooks"
)

// otherShop is a shop of another organisation.
func (w *world) otherShop(url string) shop {
	w.t.Helper()
	org, err := w.accounts.CreateOrganization(w.t.Context(), operator, "أخرى")
	if err != nil {
		w.t.Fatal(err)
	}
	ours := w.org
	defer func() { w.org = ours }()
	w.org = org.ID
	return w.shop(url)
}

// Endpoints that do not answer take only the slots of their organisation.
func TestASlowOrganisationLeavesRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	slow, quick := newEndpoint(t), newEndpoint(t)
	proceed := make(chan struct{})
	slow.answers(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-proceed:
		case <-r.Context().Done():
		}
	})
	const shops = webhooks.MaxOfOrganization/webhooks.MaxInFlight + 1
	for n := range shops {
		s := w.shop(fmt.Sprintf("%s/%d", slow.URL, n))
		for range webhooks.MaxInFlight {
			w.create(s)
		}
	}
	w.record()
	w.dispatch()
	w.eventually("the organisation to use its places", func() bool {
		return len(slow.got()) == webhooks.MaxOfOrganization
	})
	w.wantState(w.createDelivery(w.otherShop(quick.URL)), webhooks.StateDelivered)
	if n := len(slow.got()); n != webhooks.MaxOfOrganization {
		t.Errorf("%d webhooks of the slow organisation are under way", n)
	}
	close(proceed)
	w.eventually("the rest to be sent", func() bool {
		delivered := webhooks.Filter{Tenant: webhooks.Operator(), State: webhooks.StateDelivered, Limit: 1000}
		return len(w.list(delivered)) == shops*webhooks.MaxInFlight+1
	})
}
