package dashboard_test

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/accounts"
)

func TestDecisionsAreFilteredAndExported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, theirs := w.late(t, w.ours), w.late(t, w.other)
	w.project(t)
	finance := w.finance(t)
	decide := func(version, kind, note string, more ...string) {
		finance.post(w.ours.path("decisions/"+i.ID.String()+"/"+version),
			append([]string{"kind", kind, "note", note}, more...)...).leads(t, w.ours.path("decisions"))
	}
	day := w.now().In(time.FixedZone("", 2*60*60)).Format(time.DateOnly)
	decide("5", "delivered", "handed over", "informed", "=Ali")
	w.wait(48 * time.Hour)
	later := w.now().In(time.FixedZone("", 2*60*60)).Format(time.DateOnly)
	finance = w.finance(t) // the session has ended
	decide("6", "refunded", "-1 transfer", "reference", "TR-78")
	other := w.as(t, w.other.email(accounts.RoleOwner))
	other.post(w.other.path("decisions/"+theirs.ID.String()+"/5"), "kind", "other", "note", "not yours").
		leads(t, w.other.path("decisions"))

	list := w.ours.path("decisions/decided?lang=en")
	for query, want := range map[string][2]bool{
		"": {true, true}, "&kind=delivered": {true, false}, "&kind=refunded": {false, true}, "&kind=other": {},
		"&to=" + day: {true, false}, "&from=" + later: {false, true}, "&from=" + day + "&to=" + later: {true, true},
		"&kind=delivered&from=" + later: {},
	} {
		a := w.viewer(t).get(list+query).is(t, http.StatusOK).lacks(t, "not yours", theirs.Reference.Capitals())
		got := [2]bool{strings.Contains(a.text(), "handed over"), strings.Contains(a.text(), "-1 transfer")}
		if got != want {
			t.Errorf("%s lists %v, want %v", query, got, want)
		}
		if empty := strings.Contains(a.text(), "No decision fits"); empty != (want == [2]bool{}) {
			t.Errorf("%s says that nothing fits: %v", query, empty)
		}
	}
	for query, says := range map[string]string{
		"&kind=kept": "Choose from the list.", "&from=x": "Enter a day",
		"&from=" + later + "&to=" + day: "The last day is before the first.",
	} {
		finance.get(list+query).is(t, http.StatusUnprocessableEntity).has(t, says)
		finance.get(strings.Replace(list, "/decided?", ".csv?", 1)+query).leads(t, w.ours.path("decisions/decided"))
	}
	finance.get(list+"&at=nowhere").is(t, http.StatusNotFound)

	file := finance.get(w.ours.path("decisions.csv?lang=en")).is(t, http.StatusOK).lacks(t, "not yours")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.body, "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("the file has %q, %v", rows, err)
	}
	for n := range rows[1:] {
		rows[n+1][7], rows[n+1][12] = rows[n+1][7][:4], rows[n+1][12][:10]
	}
	want := [][]string{
		{"uuid", "reference", "merchant_reference", "application", "kind", "amount", "currency", "came_at",
			"decision", "decision_reference", "note", "decided_by", "decided_at", "told"},
		{i.ID.String(), i.Reference.Capitals(), string(i.MerchantReference), w.ours.apps[0].Name, "duplicate",
			i.Amount.Figures(), "LYD", day[:4], "refunded", "TR-78", "'-1 transfer",
			w.ours.email(accounts.RoleFinance), later, ""},
		{i.ID.String(), i.Reference.Capitals(), string(i.MerchantReference), w.ours.apps[0].Name, "late",
			i.Amount.Figures(), "LYD", day[:4], "delivered", "", "handed over", w.ours.email(accounts.RoleFinance),
			day, "'=Ali"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	finance.get(w.ours.path("decisions.csv?kind=delivered")).is(t, http.StatusOK).has(t, "القرار", "delivered").
		lacks(t, "TR-78")
	records := w.trail(t, w.ours, "decisions.export")
	if len(records) != 2 || records[0].Detail["kind"] != "delivered" ||
		records[0].Actor != w.ours.email(accounts.RoleFinance) {
		t.Errorf("the trail has %+v", records)
	}
	w.support(t).get(w.ours.path("decisions.csv")).is(t, http.StatusForbidden)
	w.support(t).get(list).is(t, http.StatusOK).lacks(t, "decisions.csv")
}
