package webhooks_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/webhooks"
)

func TestEndpointsOfAnOrganisation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good, gone := newEndpoint(t), newEndpoint(t)
	gone.answers(status(http.StatusGone))
	silent, works, stopped := w.shop(""), w.shop(good.URL), w.shop(gone.URL)
	w.dispatch()
	w.wantState(w.createDelivery(works), webhooks.StateDelivered)
	w.wantState(w.createDelivery(stopped), webhooks.StateHeld)
	all, err := w.deliveries.Endpoints(t.Context(), operator, w.org.In(domain.ModeLive))
	if err != nil || len(all) != 3 {
		t.Fatalf("%d endpoints, %v", len(all), err)
	}
	if e := all[silent.ID]; e.URL != nil || e.Last != nil || e.LastSuccess != nil || e.Failing() {
		t.Errorf("without a URL: %+v", e)
	}
	e := all[works.ID]
	if e.URL == nil || e.LastSuccess == nil || e.DisabledAt != nil || e.Last == nil || e.Last.Status == nil ||
		*e.Last.Status != http.StatusOK {
		t.Errorf("the one that works: %+v", e)
	}
	e = all[stopped.ID]
	if e.LastSuccess != nil || e.DisabledAt == nil || !e.Gone || e.Last == nil || e.Last.Error == "" {
		t.Errorf("the one that is gone: %+v", e)
	}
	// A new address is enabled.
	w.set(stopped, good.URL+"/other")
	all, err = w.deliveries.Endpoints(t.Context(), operator, w.org.In(domain.ModeLive))
	if err != nil || all[stopped.ID].DisabledAt != nil {
		t.Errorf("after a new URL: %+v, %v", all[stopped.ID], err)
	}
	_, err = w.deliveries.Endpoints(t.Context(), accounts.Actor{Name: "nobody"}, w.org.In(domain.ModeLive))
	if !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("an actor without a session sees endpoints: %v", err)
	}
}

// Each action on webhooks is in the audit trail, also those that are denied.
func TestActionsAreRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shop("https://shop.example/hook")
	id := w.createDelivery(s)
	ctx, of, d := t.Context(), webhooks.TenantOf(w.org), w.deliveries
	if _, err := d.SendTest(ctx, operator, of, s.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Resend(ctx, operator, of, id); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Replay(ctx, operator, of, s.ID, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if err := d.Enable(ctx, operator, of, s.ID); err != nil {
		t.Fatal(err)
	}
	const password = "seven grey camels"
	viewer, err := w.people.CreateUser(ctx, operator, w.org,
		"viewer@shop.example", accounts.RoleViewer, password)
	if err != nil {
		t.Fatal(err)
	}
	by := viewer.Actor("192.0.2.1", "")
	before := len(w.list(webhooks.Filter{Tenant: of}))
	if _, err := d.SendTest(ctx, by, of, s.ID); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a viewer tests: %v", err)
	}
	if _, err := d.Resend(ctx, by, of, id); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a viewer resends: %v", err)
	}
	if _, err := d.Replay(ctx, by, of, s.ID, time.Time{}); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a viewer replays: %v", err)
	}
	if err := d.Enable(ctx, by, of, s.ID); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a viewer enables: %v", err)
	}
	support, err := w.people.CreateUser(ctx, operator, w.org,
		"support@shop.example", accounts.RoleSupport, password)
	if err != nil {
		t.Fatal(err)
	}
	by = support.Actor("192.0.2.1", "")
	if _, err := d.Resend(ctx, by, of, id); err != nil {
		t.Errorf("support resends: %v", err)
	}
	if _, err := d.Replay(ctx, by, of, s.ID, time.Time{}); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("support replays: %v", err)
	}
	if after := len(w.list(webhooks.Filter{Tenant: of})); after != before {
		t.Errorf("%d deliveries, then %d", before, after)
	}
	trail, err := w.accounts.Trail(ctx, operator, w.org, accounts.TrailFilter{})
	if err != nil {
		t.Fatal(err)
	}
	var done []accounts.Action
	denied := 0
	for _, r := range trail {
		switch {
		case r.Outcome == accounts.Denied:
			denied++
		case strings.HasPrefix(string(r.Action), "webhook."):
			done = append(done, r.Action)
		}
	}
	slices.Reverse(done)
	want := []accounts.Action{
		webhooks.ActionTest,
		webhooks.ActionResend,
		webhooks.ActionReplay,
		webhooks.ActionEnable,
		webhooks.ActionResend,
	}
	if !slices.Equal(done, want) || denied != 5 {
		t.Errorf("the trail has %v and %d refusals, want %v and 5", done, denied, want)
	}
}
