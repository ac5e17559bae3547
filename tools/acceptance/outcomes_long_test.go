//go:build long

package acceptance_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"daftar/internal/locale"
	"daftar/internal/postgres/pgtest"
)

// On a bad day the answers to 200 confirmations are lost; of 120 the money was taken. One person
// compares Plutu's statement and proposes the outcomes, a second one compares it again and confirms
// them. Then the ledger has the money that Plutu has, to the dirham, and each outcome names both.
func TestLongABadDayIsSettledByTwo(t *testing.T) {
	t.Parallel()
	d := newBadDay(t)
	finance, owner := d.member("finance"), d.member("owner")
	owner.must(http.StatusSeeOther, http.MethodPost, owner.home+"/outcomes/rule", url.Values{"rule": {"always"}})
	d.sell()
	statement := d.statement()

	finance.compare(statement)
	finance.propose()
	d.nothingIsSettled("by proposals")
	if s := owner.sheet("/outcomes/confirm", "proposal"); len(s.checked) != 0 {
		t.Errorf("%d proposals are checked before the owner has compared anything", len(s.checked))
	}
	owner.compare(statement)
	proposals := owner.sheet("/outcomes/confirm", "proposal")
	finance.mayNotConfirm(proposals)
	d.nothingIsSettled("by the person who proposed it")
	owner.confirm(proposals)
	pgtest.WaitFor(t, "every outcome to be recorded", func() bool { return len(d.unknown().Attempts) == 0 })

	d.checkSettled(finance, owner)
}

// member is a person of the organisation, signed in to the dashboard.
type member struct {
	*visitor
	day   *badDay
	email string
	actor string // as events name the person
	home  string // the address of the organisation's pages
}

func (d *badDay) member(role string) *member {
	d.t.Helper()
	args := []string{"user", "create", "--org", d.who.org, "--email", role + "@shop.example", "--role", role,
		"--password-stdin", "--json"}
	user := answered[struct{ User struct{ UUID, Email string } }](d.t, args,
		callWith(d.t, d.served.env, ownersPassword+"\n", args...)).User
	root := strings.TrimSuffix(d.served.base, "/api/v1") + "/dashboard/"
	m := &member{
		visitor: (&search{t: d.t}).visitor("dashboard"), day: d,
		email: user.Email, actor: "user:" + user.UUID, home: root + d.who.org,
	}
	m.must(http.StatusSeeOther, http.MethodPost, root+"sign-in",
		url.Values{"email": {m.email}, "password": {ownersPassword}})
	return m
}

// compare uploads a statement of the days around the bad one: a payment that it lacks was not taken if it
// began a day ago.
func (m *member) compare(statement string) {
	m.t.Helper()
	today := locale.Tripoli(m.day.began)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range [][2]string{
		{"acquirer", "plutu"}, {"application", m.day.who.app}, {"unit", "dinars"},
		{"from", today.AddDate(0, 0, -2).Format(time.DateOnly)},
		{"to", today.AddDate(0, 0, 1).Format(time.DateOnly)},
	} {
		if err := form.WriteField(field[0], field[1]); err != nil {
			m.t.Fatal(err)
		}
	}
	file, err := form.CreateFormFile("file", "plutu.csv")
	if err == nil {
		_, err = io.WriteString(file, statement)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		m.t.Fatal(err)
	}
	answer, err := m.client.Post(m.home+"/reconcile?lang=en", form.FormDataContentType(), &body)
	if err != nil {
		m.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	page, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !bytes.Contains(page, []byte("/outcomes")) {
		m.t.Fatalf("compare: %d, %v, without a link to the outcomes:\n%s", answer.StatusCode, err, page)
	}
}

// sheet is a form of the page of outcomes, as a browser has it.
type sheet struct {
	action             string     // a path
	fields             url.Values // without the checkboxes
	boxes              string     // their name
	checked, unchecked []string   // their values
}

// sheet opens the page of outcomes and reads the form whose action ends like that.
func (m *member) sheet(action, boxes string) sheet {
	m.t.Helper()
	page, _, _ := m.must(http.StatusOK, http.MethodGet, m.home+"/outcomes?lang=en", nil)
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		m.t.Fatal(err)
	}
	for n := range root.Descendants() {
		at, err := url.Parse(attributes(n)["action"])
		if n.Data == "form" && err == nil && strings.HasSuffix(at.Path, action) {
			return readSheet(n, boxes)
		}
	}
	m.t.Fatalf("the page has no form with the action %s:\n%s", action, page)
	return sheet{}
}

func readSheet(form *html.Node, boxes string) sheet {
	s := sheet{action: attributes(form)["action"], fields: url.Values{}, boxes: boxes}
	for n := range form.Descendants() {
		a := attributes(n)
		_, checked := a["checked"]
		switch {
		case n.Data == "textarea" && n.FirstChild != nil:
			s.fields.Add(a["name"], n.FirstChild.Data)
		case n.Data != "input" || a["name"] == "":
		case a["name"] != boxes:
			s.fields.Add(a["name"], a["value"])
		case checked:
			s.checked = append(s.checked, a["value"])
		default:
			s.unchecked = append(s.unchecked, a["value"])
		}
	}
	return s
}

func attributes(n *html.Node) map[string]string {
	all := map[string]string{}
	for _, a := range n.Attr {
		all[a.Key] = a.Val
	}
	return all
}

// send sends the form with these boxes checked.
func (m *member) send(s sheet, checked []string) {
	m.t.Helper()
	s.fields[s.boxes] = checked
	before := m.did()
	m.must(http.StatusSeeOther, http.MethodPost, strings.TrimSuffix(m.day.served.base, "/api/v1")+s.action,
		s.fields)
	if m.did() == before {
		m.t.Errorf("the audit trail does not have what %s did at %s", m.email, s.action)
	}
}

// did is how much the audit trail has of what the person did.
func (m *member) did() int {
	m.t.Helper()
	return len(answer[struct{ Records []struct{} }](m.t, m.day.served.env, "org", "audit-trail", m.day.who.org,
		"--actor", m.email, "--outcome", "done").Records)
}

// propose sends all outcomes as the statement proves them. What a line proves is checked by the page; that
// a payment was not taken because the statement lacks it is for the person to check.
func (m *member) propose() {
	m.t.Helper()
	s := m.sheet("/outcomes/settle", "proven")
	lines := takenOnBadDay + refusedOnStatement
	if len(s.checked) != lines || len(s.unchecked) != allOnBadDay-lines {
		m.t.Errorf("%d outcomes are checked and %d are not, want %d and %d", len(s.checked), len(s.unchecked),
			lines, allOnBadDay-lines)
	}
	if s.fields.Get("note") == "" {
		m.t.Error("the note is not filled in")
	}
	m.send(s, slices.Concat(s.checked, s.unchecked))
}

// confirm sends the proposals as the page has them: the person's own comparison shows the same of all.
func (m *member) confirm(s sheet) {
	m.t.Helper()
	if len(s.checked) != allOnBadDay || len(s.unchecked) != 0 {
		m.t.Errorf("%d proposals are checked and %d are not, want all", len(s.checked), len(s.unchecked))
	}
	m.send(s, s.checked)
}

// mayNotConfirm sends proposals that are the person's own.
func (m *member) mayNotConfirm(s sheet) {
	m.t.Helper()
	status, page, _, _ := m.ask(http.MethodPost, m.home+"/outcomes/confirm?lang=en",
		url.Values{s.boxes: s.checked}, nil)
	if status != http.StatusUnprocessableEntity && status != http.StatusConflict {
		m.t.Errorf("to confirm one's own proposals is answered with %d:\n%s", status, page)
	}
}

// nothingIsSettled checks that the ledger has no outcome yet.
func (d *badDay) nothingIsSettled(how string) {
	d.t.Helper()
	for _, s := range d.sales {
		if status := d.status(s); status != "processing" {
			d.t.Fatalf("%s is %s %s", s.intent, status, how)
		}
	}
	if n := len(d.unknown().Attempts); n != len(d.sales) {
		d.t.Errorf("%d outcomes were settled %s", len(d.sales)-n, how)
	}
}

// status is what the shop is told about a payment.
func (d *badDay) status(s sale) string {
	d.t.Helper()
	return d.served.ask(d.t, d.who, http.MethodGet, "/payment-intents/"+s.intent, "").data.Status
}

// settled is an outcome in the ledger.
type settled struct {
	Type       string
	Actor      string
	ProposedBy string `json:"proposed_by"`
	Data       struct {
		Attempt   string
		Amount    int64
		Reference string `json:"provider_reference"`
	}
}

// outcome is the one outcome that a payment has.
func (d *badDay) outcome(s sale) settled {
	d.t.Helper()
	events := answer[struct{ Events []settled }](d.t, d.served.env, "events", "history", s.intent).Events
	outcomes := slices.DeleteFunc(events, func(e settled) bool {
		return e.Type == "intent.created" || e.Type == "intent.attempt_started"
	})
	if len(outcomes) != 1 {
		d.t.Fatalf("%s has the outcomes %+v, want one", s.intent, outcomes)
	}
	return outcomes[0]
}

// checkSettled compares the ledger with Plutu's books, and checks who settled each payment.
func (d *badDay) checkSettled(proposer, confirmer *member) {
	d.t.Helper()
	taken := d.taken()
	var inBooks, inLedger int64
	for _, amount := range taken {
		inBooks += amount
	}
	for _, s := range d.sales {
		want := settled{Type: "intent.attempt_failed", Actor: confirmer.actor, ProposedBy: proposer.actor}
		want.Data.Attempt = s.attempt
		status := "requires_payment_method"
		if amount, was := taken[s.attempt]; was {
			want.Type, status = "intent.succeeded", "succeeded"
			want.Data.Amount, want.Data.Reference = amount, transaction(s.attempt)
		}
		e, got := d.outcome(s), d.status(s)
		if e != want || got != status {
			d.t.Errorf("%s of %d is %s by %+v, want %s by %+v", s.intent, s.amount, got, e, status, want)
		}
		inLedger += e.Data.Amount
	}
	if inBooks != inLedger {
		d.t.Errorf("the ledger has %d dirhams, Plutu %d", inLedger, inBooks)
	}
	d.t.Logf("two people settled %d payments of %d dirhams, and %d that were not taken", len(taken), inLedger,
		len(d.sales)-len(taken))
}
