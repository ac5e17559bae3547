package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/domain"
)

func TestNotesOnPayments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	payment := w.ours.path("payments/" + i.ID.String())
	support, finance := w.support(t), w.finance(t)
	number := support.get(payment+"?lang=en").is(t, http.StatusOK).has(t, "New note").form(t, "/notes").
		Get("form")
	if number == "" {
		t.Error("the form has no number")
	}
	for range 2 { // the form is sent twice
		support.follow(support.post(payment+"/notes?lang=en", "form", number,
			"note", "called <twice>\r\nno answer")).is(t, http.StatusOK).
			has(t, "The note was kept", "called <twice>", "no answer", w.ours.email(accounts.RoleSupport)).
			lacks(t, "called <twice>")
	}
	finance.follow(finance.post(payment+"/notes?lang=en", "form", number, "note", "told them")).
		has(t, "told them", w.ours.email(accounts.RoleFinance))
	for says, note := range map[string]string{
		"Write the note.":  " ",
		"longer than 1000": strings.Repeat("ن", 1001),
	} {
		kept := support.post(payment+"/notes?lang=en", "form", "3", "note", note).
			is(t, http.StatusUnprocessableEntity).has(t, says, i.Reference.Capitals()).form(t, "/notes")
		if kept.Get("note") != strings.TrimSpace(note) || kept.Get("form") != "3" {
			t.Errorf("the form forgot what was typed: %.80v", kept)
		}
	}
	w.viewer(t).get(payment+"?lang=en").is(t, http.StatusOK).has(t, "told them").lacks(t, `name="note"`)
	w.viewer(t).post(payment+"/notes", "form", "4", "note", "x").is(t, http.StatusForbidden)
	w.as(t, w.other.email(accounts.RoleOwner)).
		post(w.other.path("payments/"+i.ID.String()+"/notes"), "form", "5", "note", "x").is(t, http.StatusNotFound)
	records := w.trail(t, w.ours, "payment.note")
	if len(records) != 2 || records[1].Actor != w.ours.email(accounts.RoleSupport) ||
		records[1].SubjectID != [16]byte(i.ID) ||
		strings.Contains(records[1].Detail["payment"].(string), "called") {
		t.Errorf("the trail has %+v", records)
	}
}

// The receipt's address opens only the receipt; see package checkout. Roles that talk with
// customers can share it.
func TestReceiptsAreShared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	open := w.sale(t, w.ours, 0, nil)
	page := func(role accounts.Role, of domain.Intent) answer {
		return w.as(t, w.ours.email(role)).get(w.ours.path("payments/"+of.ID.String())+"?lang=en").
			is(t, http.StatusOK)
	}
	for _, role := range accounts.Roles {
		a := page(role, i)
		if !role.Allows(accounts.ShareReceipts) {
			a.lacks(t, "/receipt/")
			continue
		}
		to := a.link(t, "Open the receipt’s page")
		if !strings.HasPrefix(to, "http://pay.example/receipt/"+i.ID.String()+"/") {
			t.Errorf("%s: the page leads to %s", role, to)
		}
		opens := strings.Contains(a.body, string(i.CheckoutToken))
		if opens != role.Allows(accounts.SeeDevelopers) {
			t.Errorf("%s has the customer's own page: %v", role, opens)
		}
	}
	page(accounts.RoleSupport, open).lacks(t, "/receipt/")
}
