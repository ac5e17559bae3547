package dashboard_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/dashboard"
	"daftar/payments/settlements"
)

var shownDigest = regexp.MustCompile(`name="shown" value="([0-9a-f]{64})"`)

// accepting compares a statement and returns what its page has to be sent to accept it.
func (c *client) accepting(t *testing.T, of business, file string) []string {
	t.Helper()
	page := c.upload(of.path("reconcile")+"?lang=en", file, "acquirer", "sandbox").is(t, http.StatusOK)
	found := shownDigest.FindStringSubmatch(page.body)
	if found == nil {
		t.Fatalf("the page has no digest:\n%s", page.text())
	}
	return []string{"acquirer", "sandbox", "shown", found[1], "day", "2026-11-20", "fees", "0.060"}
}

var proposalIn = regexp.MustCompile(`/dashboard/[^"]*/settlements/proposals/[0-9a-f-]{36}`)

// settlementsIn are the addresses of the settlements that a page links.
func settlementsIn(body string) []string {
	return regexp.MustCompile(`/dashboard/[^"]*/settlements/sandbox/[0-9a-f-]{36}`).FindAllString(body, -1)
}

// Finance accepts a statement, once: the settlement has its payments, the payment its settlement, and what is
// missing stays open.
func TestAcceptAStatement(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	first := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	second := w.sale(t, w.ours, 1, nil, paid(attemptB, 5000)...)
	w.project(t)
	c, list := w.finance(t), w.ours.path("reconcile")+"?lang=en"
	accept := w.ours.path("reconcile/accept") + "?lang=en"
	file := w.statement(string(attemptA)+",5000", string(attemptB)+",5001")
	form := c.accepting(t, w.ours, file)

	c.upload(accept, file, append(form, "fees", "much")...).is(t, http.StatusUnprocessableEntity).
		has(t, "Put the statement into the books")
	c.upload(accept, file, append(form, "fees", "")...).is(t, http.StatusUnprocessableEntity).
		has(t, "Enter the fees or the net amount.")
	c.upload(accept, file, append(form, "day", "")...).is(t, http.StatusUnprocessableEntity)
	c.upload(accept, file, append(form, "bank", "FT-1\u0007")...).is(t, http.StatusUnprocessableEntity)
	c.upload(accept, file, append(form, "bank", "FT-1")...).is(t, http.StatusSeeOther)
	page := c.get(list).is(t, http.StatusOK).has(t, "Settlements", "5.000", "4.940")
	links := settlementsIn(page.body)
	if len(links) != 1 {
		t.Fatalf("the list links %q", links)
	}
	c.get(links[0]+"?lang=en").is(t, http.StatusOK).has(t, "statement.csv", "FT-1", "20 November 2026",
		"0.060", "finance@ours.example", string(attemptA), "The contract’s fee is not on record").
		lacks(t, string(attemptB))
	payment := w.ours.path("payments/")
	p := c.get(payment+first.ID.String()+"?lang=en").is(t, http.StatusOK)
	if !strings.Contains(p.body, links[0]) {
		t.Errorf("the payment does not link its settlement:\n%s", p.text())
	}
	c.get(payment+second.ID.String()+"?lang=en").is(t, http.StatusOK).lacks(t, "Paid out")
	// The same file, and another with the same payment, name the settlement.
	again := c.upload(accept, file, form...).is(t, http.StatusUnprocessableEntity).
		has(t, "This file was accepted before")
	other := c.upload(list, file+"\n", "acquirer", "sandbox").is(t, http.StatusOK).
		has(t, "In another settlement already", "nothing to record")
	for _, p := range []answer{again, other} {
		if !strings.Contains(p.body, links[0]) {
			t.Errorf("the settlement is not linked:\n%s", p.text())
		}
	}
	c.upload(w.ours.path("reconcile/accept"), file, form...).is(t, http.StatusUnprocessableEntity).
		has(t, "قُبل هذا الملف من قبل")
	records := w.trail(t, w.ours, settlements.ActionAccept)
	if len(records) != 3 || records[2].Outcome != accounts.Done ||
		records[2].Detail["file"] != "statement.csv" || records[0].Detail["reason"] != "statement_known" {
		t.Errorf("the trail has %+v", records)
	}
}

// What was shown is accepted, or nothing: the ledger or the books may have changed in between.
func TestNothingElseIsAccepted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	c, accept := w.finance(t), w.ours.path("reconcile/accept")+"?lang=en"
	file := w.statement(string(attemptA)+",5000", string(attemptB)+",5000")
	form := c.accepting(t, w.ours, file)
	c.upload(accept, w.statement(string(attemptA)+",5000"), form...).is(t, http.StatusUnprocessableEntity).
		has(t, "have changed since this was shown")
	w.sale(t, w.ours, 1, nil, paid(attemptB, 5000)...)
	changed := c.upload(accept, file, form...).is(t, http.StatusUnprocessableEntity).
		has(t, "have changed since this was shown", "10.000")
	form[3] = shownDigest.FindStringSubmatch(changed.body)[1]
	c.upload(accept, file, form...).is(t, http.StatusSeeOther)
	// The names of files are the sender's: they deface no page, and are not longer than is kept.
	hostile := "<script>alert(1)<-script>\u202egpj.exe" + strings.Repeat("x", 500)
	w.sale(t, w.ours, 0, nil, paid(attemptC, 5000)...)
	file = w.statement(string(attemptC) + ",5000")
	body, kind := multipartForm(t, file, c.accepting(t, w.ours, file)...)
	body = strings.Replace(body, "statement.csv", hostile, 1)
	c.uploadAs(accept, body, kind).is(t, http.StatusSeeOther)
	name, _ := w.trail(t, w.ours, settlements.ActionAccept)[0].Detail["file"].(string)
	if !strings.HasPrefix(name, "<script>alert(1)<-script>gpj.exexxx") || len(name) != 200 {
		t.Errorf("the file is called %q", name)
	}
	page := c.get(settlementsIn(c.get(w.ours.path("reconcile")).body)[0]).is(t, http.StatusOK)
	if !strings.Contains(page.body, "&lt;script&gt;alert") || strings.Contains(page.body, "<script>alert") {
		t.Errorf("the page has\n%s", page.body)
	}
}

// 50,000 lines are compared and accepted by sending the file twice.
func TestAcceptManyLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	lines := []string{string(attemptA) + ",5000"}
	for n := range 50_000 {
		lines = append(lines, fmt.Sprintf("%026d,5000", n))
	}
	c, file := w.finance(t), w.statement(lines...)
	form := c.accepting(t, w.ours, file)
	begun := time.Now()
	c.upload(w.ours.path("reconcile/accept"), file, form...).is(t, http.StatusSeeOther)
	t.Logf("accepted in %s", time.Since(begun))
}

// With four eyes another member confirms; a viewer looks on, and cannot accept.
func TestAStatementNeedsTwoPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	owner, finance, viewer := w.owner(t), w.finance(t), w.viewer(t)
	owner.post(w.ours.path("outcomes/rule"), "rule", "always").is(t, http.StatusSeeOther)
	list, file := w.ours.path("reconcile")+"?lang=en", w.statement(string(attemptA)+",5000")
	form := finance.accepting(t, w.ours, file)
	viewer.upload(list, file, "acquirer", "sandbox").is(t, http.StatusOK).lacks(t, "Accept the statement")
	viewer.upload(w.ours.path("reconcile/accept"), file, form...).is(t, http.StatusForbidden)
	finance.upload(w.ours.path("reconcile/accept"), file, form...).is(t, http.StatusSeeOther)
	page := owner.get(list).is(t, http.StatusOK).has(t, "Waiting for a second person", "finance@ours.example")
	at := proposalIn.FindString(page.body) + "?lang=en"
	finance.get(at).is(t, http.StatusOK).has(t, "Take it back", "statement.csv").lacks(t, "Confirm")
	finance.post(at, "decision", "confirm").is(t, http.StatusUnprocessableEntity).has(t, "cannot confirm")
	viewer.get(at).is(t, http.StatusOK).lacks(t, "Confirm", "Reject")
	viewer.post(at, "decision", "confirm").is(t, http.StatusForbidden)
	owner.get(at).is(t, http.StatusOK).has(t, "Confirm", "Reject", "5.000", "0.060")
	owner.post(at, "decision", "confirm").is(t, http.StatusSeeOther)
	links := settlementsIn(owner.get(list).body)
	owner.get(links[0]+"?lang=en").has(t, "Recorded by owner@ours.example", "Proposed by finance@ours.example")
	owner.post(at, "decision", "reject").is(t, http.StatusNotFound)

	// The correction is proposed, and withdrawn by who proposed it.
	owner.post(links[0]+"?lang=en", "day", "2026-11-21", "fees", "0.050", "net", "4.950").
		is(t, http.StatusUnprocessableEntity).has(t, "Write one line")
	owner.post(links[0], "day", "2026-11-21", "fees", "0.050", "net", "4.950", "note", "as the bank has it").
		is(t, http.StatusSeeOther)
	page = owner.get(list).has(t, "Correction of a settlement")
	at = proposalIn.FindString(page.body) + "?lang=en"
	owner.get(at).has(t, "21 November 2026", "4.950", "as the bank has it", "Take it back")
	owner.post(at, "decision", "reject").is(t, http.StatusSeeOther)
	owner.get(links[0]+"?lang=en").has(t, "20 November 2026", "4.940")
	if n := len(w.trail(t, w.ours, settlements.ActionReject)); n != 1 {
		t.Errorf("%d rejections", n)
	}
}

// A withdrawn settlement stays, and its file can be accepted again. Settlements of others do not exist.
func TestWithdrawASettlement(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	c, accept, file := w.finance(t), w.ours.path("reconcile/accept"), w.statement(string(attemptA)+",5000")
	c.upload(accept, file, c.accepting(t, w.ours, file)...).is(t, http.StatusSeeOther)
	at := settlementsIn(c.get(w.ours.path("reconcile")).body)[0]
	c.post(at, "day", "2026-11-20", "fees", "0.060", "net", "4.940", "withdraw", "1", "note", "another shop's").
		is(t, http.StatusSeeOther)
	c.get(at+"?lang=en").has(t, "Withdrawn", "another shop's").lacks(t, "Correct the settlement")
	c.post(at+"?lang=en", "day", "2026-11-20", "fees", "1", "net", "4.940", "note", "again").
		is(t, http.StatusUnprocessableEntity).
		has(t, "This settlement is withdrawn.")
	c.upload(accept, file, c.accepting(t, w.ours, file)...).is(t, http.StatusSeeOther)
	theirs := strings.Replace(at, w.ours.org.ID.String(), w.other.org.ID.String(), 1)
	w.as(t, w.other.email(accounts.RoleOwner)).get(theirs).is(t, http.StatusNotFound)
	c.get(w.ours.path("settlements/nobody/"+at[len(at)-36:])).is(t, http.StatusNotFound)
	c.get(w.ours.path("settlements/sandbox/none")).is(t, http.StatusNotFound)
}

// The contract's fee is recorded, and expected of the payments since.
func TestRecordAContractsFee(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *dashboard.Config) { c.Sandbox = true })
	w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	c, fees := w.finance(t), w.ours.path("settlements/fees")+"?lang=en"
	c.get(fees).is(t, http.StatusOK).has(t, "Fees by contracts", "Moamalat")
	for _, rate := range []string{"", "much", "1.505", "100.01", "-1"} {
		c.post(fees, "method", "sandbox/wallet", "day", "2026-01-01", "rate", rate, "note", "contract").
			is(t, http.StatusUnprocessableEntity).has(t, "Enter a percentage")
	}
	c.post(fees, "method", "sandbox/none", "day", "", "rate", "1", "minimum", "x").
		is(t, http.StatusUnprocessableEntity).has(t, "Choose a method", "Enter an amount")
	c.post(fees, "method", "sandbox/wallet", "day", "2026-01-01", "rate", "1.5%", "minimum", "0.100", "note",
		"contract").is(t, http.StatusSeeOther)
	c.get(fees).has(t, "1.50%", "0.100", "1 January 2026")
	c.upload(w.ours.path("reconcile")+"?lang=en", w.statement(string(attemptA)+",5000"), "acquirer", "sandbox").
		is(t, http.StatusOK).has(t, "Fees by the contract", "0.100")
}
