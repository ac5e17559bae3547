package refunds_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/refunds"
)

func TestTheAcquirerGivesBack(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, attempts := h.paidBy("bank")
	four := dinars(4)
	r, err := h.order(refunds.Order{
		Intent: i.ID, Amount: &four, ByAcquirer: true, Note: "one of two, 0912345678",
	})
	if err != nil || r.State != refunds.Requested || h.asked.Load() != 0 {
		t.Fatalf("%+v, %v, asked %d times", r, err, h.asked.Load())
	}
	h.runSteps(h.server)
	r = h.wantState(r.ID, refunds.Recorded, "")
	if r.ProviderReference != "BACK-1" || !r.Ended() || r.RequestedBy != "owner@ours.example" {
		t.Errorf("refund %+v", r)
	}
	event, origin := h.lastEvent(i.ID)
	want := domain.RefundRecorded{
		At: event.OccurredAt(), Refund: r.ID, Attempt: attempts[0], Amount: four, ProviderReference: "BACK-1",
		Evidence: domain.EvidenceAcquirer,
	}
	if diff := cmp.Diff(domain.Event(want), event); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	by := h.people[accounts.RoleOwner]
	if origin.Actor != ledger.ActorUser(uuid.UUID(by.User)) || origin.Note != "one of two, 091•••5678" ||
		origin.CorrelationID != string(attempts[0]) {
		t.Errorf("origin %+v", origin)
	}
	after := h.load(i.ID)
	if after.Status != domain.StatusSucceeded || after.UpdatedAt != i.UpdatedAt ||
		after.Refundable(attempts[0]) != dinars(6) {
		t.Errorf("the intent is %s of %s, and %s are left", after.Status, after.UpdatedAt,
			after.Refundable(attempts[0]))
	}
	rest, err := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
	if err != nil || rest.Amount != dinars(6) {
		t.Fatalf("the rest: %+v, %v", rest, err)
	}
	h.runSteps(h.server)
	h.wantState(rest.ID, refunds.Recorded, "")
	_, err = h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
	if !errors.Is(err, refunds.ErrNothingPaid) {
		t.Errorf("after all of it went back: %v", err)
	}
	filter := accounts.TrailFilter{Action: refunds.ActionRefund}
	records, err := h.accounts.Trail(t.Context(), operator, h.org, filter)
	if err != nil || len(records) != 2 || records[1].Detail["amount"] != "4.000 LYD" ||
		records[1].SubjectID != uuid.UUID(i.ID) {
		t.Errorf("the trail has %+v, %v", records, err)
	}
}

// The acquirer may be asked again only if its answer shows that no money went back.
func TestAnswers(t *testing.T) {
	t.Parallel()
	errAccount := fmt.Errorf("401: %w", acquirer.ErrAccount)
	for name, c := range map[string]struct {
		err     error
		amount  int64 // that went back, as the acquirer says; 0: as asked
		state   refunds.State
		trouble refunds.Trouble
	}{
		"not sent":         {fmt.Errorf("dial: %w", acquirer.ErrNotSent), 0, refunds.Failed, refunds.NotSent},
		"account refused":  {errAccount, 0, refunds.Failed, refunds.AccountRefused},
		"no account":       {payments.ErrNoAccount, 0, refunds.Failed, refunds.NoAccount},
		"undecided":        {acquirer.ErrUndecided, 0, refunds.Unknown, refunds.NoAnswer},
		"senseless answer": {errors.New("HTML"), 0, refunds.Unknown, refunds.NoAnswer},
		"another amount":   {nil, 9, refunds.Unknown, refunds.OtherAmount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newEnv(t)
			h.answer = func(_ domain.Intent, _ domain.AttemptID, amount domain.Money) (acquirer.Refunded, error) {
				if c.amount != 0 {
					amount = dinars(c.amount)
				}
				return acquirer.Refunded{Money: amount, ProviderReference: "BACK"}, c.err
			}
			i, attempts := h.paidBy("bank")
			r, err := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
			if err != nil {
				t.Fatal(err)
			}
			h.runSteps(h.server)
			h.runSteps(h.server)
			h.wantState(r.ID, c.state, c.trouble)
			if h.asked.Load() != 1 {
				t.Errorf("the acquirer was asked %d times", h.asked.Load())
			}
			if left := h.load(i.ID).Refundable(attempts[0]); left != dinars(10) {
				t.Errorf("%s are left", left)
			}
			_, again := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
			_, recorded := h.order(refunds.Order{Intent: i.ID, ProviderReference: "by hand"})
			want := c.state == refunds.Unknown
			if errors.Is(again, refunds.ErrUnderWay) != want || !errors.Is(recorded, refunds.ErrUnderWay) {
				t.Errorf("asked again: %v; recorded: %v", again, recorded)
			}
		})
	}
}

func TestAPersonSettlesWhatIsUnknown(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	unknown := func() (domain.Intent, refunds.Refund) {
		t.Helper()
		i, _ := h.paidBy("bank")
		r, err := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
		if err != nil {
			t.Fatal(err)
		}
		// The server ends while it asks: another one finds the lease lapsed.
		_, err = h.pool.Exec(t.Context(),
			`UPDATE refunds SET state = 'asking', busy_until = now() WHERE uuid = $1`, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		h.runSteps(h.startServer(time.Minute))
		return i, h.wantState(r.ID, refunds.Unknown, refunds.ServerEnded)
	}
	i, r := unknown()
	for name, c := range map[string]struct {
		by   accounts.Actor
		org  accounts.OrganizationID
		id   domain.RefundID
		note string
		err  error
	}{
		"an owner":             {h.people[accounts.RoleOwner], h.org, r.ID, "seen", accounts.ErrForbidden},
		"no refund":            {operator, h.org, domain.RefundID{9}, "seen", refunds.ErrNoRefund},
		"another organisation": {operator, accounts.OrganizationID(uuid.New()), r.ID, "seen", refunds.ErrNoRefund},
	} {
		_, err := h.Settle(t.Context(), c.by, c.org, c.id, refunds.Refunded, "", c.note)
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
	if _, err := h.Settle(t.Context(), operator, h.org, r.ID, refunds.Refunded, "", " "); err == nil {
		t.Error("settled without a note")
	}
	settled, err := h.Settle(t.Context(), operator, h.org, r.ID, refunds.Refunded, "PORTAL-7",
		"seen in the portal")
	if err != nil || settled.State != refunds.Recorded {
		t.Fatalf("%+v, %v", settled, err)
	}
	event, origin := h.lastEvent(i.ID)
	e, is := event.(domain.RefundRecorded)
	if !is || e.Evidence != domain.EvidencePerson || e.ProviderReference != "PORTAL-7" ||
		origin.Note != "seen in the portal" {
		t.Errorf("event %+v, origin %+v", event, origin)
	}
	_, err = h.Settle(t.Context(), operator, h.org, r.ID, refunds.NotRefunded, "", "changed my mind")
	if !errors.Is(err, refunds.ErrNotUnknown) {
		t.Errorf("settled twice: %v", err)
	}

	i, r = unknown()
	settled, err = h.Settle(t.Context(), operator, h.org, r.ID, refunds.NotRefunded, "", "not in the portal")
	if err != nil {
		t.Fatal(err)
	}
	h.wantState(settled.ID, refunds.Failed, refunds.PersonDenied)
	if left := h.load(i.ID); len(left.Refunds) != 0 {
		t.Errorf("the ledger has %+v", left.Refunds)
	}
	if _, err := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true}); err != nil {
		t.Errorf("asked again: %v", err)
	}
}

func TestMoneyThatWentBackIsRecorded(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, attempts := h.paidBy("portal", "bank")
	half := dinars(5)
	_, err := h.order(refunds.Order{Intent: i.ID})
	if !errors.Is(err, refunds.ErrWhichAttempt) {
		t.Errorf("of two payments: %v", err)
	}
	_, err = h.order(refunds.Order{Intent: i.ID, Attempt: attempts[0], ByAcquirer: true})
	if !errors.Is(err, refunds.ErrNoCall) {
		t.Errorf("by an acquirer that cannot: %v", err)
	}
	o := refunds.Order{
		ID: domain.RefundID{1}, Intent: i.ID, Attempt: attempts[0], Amount: &half, ProviderReference: "CASH-1",
	}
	for range 2 { // the same form
		r, err := h.order(o)
		if err != nil || r.State != refunds.Recorded || r.Evidence != domain.EvidencePerson {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	o.ID = domain.RefundID{2}
	if _, err := h.order(o); !errors.Is(err, refunds.ErrKnown) {
		t.Errorf("under the same reference: %v", err)
	}
	more, nothing, long := dinars(6), dinars(0), strings.Repeat("1", 101)
	const unknown = domain.AttemptID("aaaaaaaaaaaaaaaaaaaaaaaaaa")
	for name, c := range map[string]struct {
		change func(*refunds.Order)
		err    error
	}{
		"more than is left": {func(o *refunds.Order) { o.Amount = &more }, refunds.ErrTooLarge},
		"nothing":           {func(o *refunds.Order) { o.Amount = &nothing }, refunds.ErrAmount},
		"a long reference":  {func(o *refunds.Order) { o.ProviderReference = long }, refunds.ErrReference},
		"two lines":         {func(o *refunds.Order) { o.ProviderReference = "1\n2" }, refunds.ErrReference},
		"no such attempt":   {func(o *refunds.Order) { o.Attempt = unknown }, refunds.ErrNothingPaid},
		"no such intent":    {func(o *refunds.Order) { o.Intent = domain.IntentID{9} }, ledger.ErrNotFound},
	} {
		o := refunds.Order{ID: domain.RefundID{3}, Intent: i.ID, Attempt: attempts[0], ProviderReference: "CASH-2"}
		c.change(&o)
		if r, err := h.order(o); !errors.Is(err, c.err) || r != (refunds.Refund{}) {
			t.Errorf("%s: %+v, %v, want %v", name, r, err, c.err)
		}
	}
	for _, role := range []accounts.Role{accounts.RoleDeveloper, accounts.RoleViewer} {
		o := refunds.Order{Intent: i.ID, Attempt: attempts[0], Note: "x"}
		if _, err := h.Request(t.Context(), h.people[role], h.org, o); !errors.Is(err, accounts.ErrForbidden) {
			t.Errorf("%s: %v", role, err)
		}
	}
	other, _ := h.business("others")
	o = refunds.Order{Intent: i.ID, Attempt: attempts[0], Note: "x"}
	if _, err := h.Request(t.Context(), operator, other, o); !errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("for another organisation: %v", err)
	}
	if all, err := h.Of(t.Context(), other, i.ID); err != nil || len(all) != 0 {
		t.Errorf("another organisation sees %+v, %v", all, err)
	}
	after := h.load(i.ID)
	if after.Refundable(attempts[0]) != dinars(5) || after.Refundable(attempts[1]) != dinars(10) {
		t.Errorf("%s and %s are left", after.Refundable(attempts[0]), after.Refundable(attempts[1]))
	}
}

// Many people request refunds at the same time on two servers: no more goes back than was paid.
func TestNeverMoreThanWasPaid(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, attempts := h.paidBy("bank")
	servers := []*server{h.server, h.startServer(0)}
	three := dinars(3)
	for range 4 {
		var people sync.WaitGroup
		for n := range 8 {
			people.Go(func() {
				o := refunds.Order{
					Intent: i.ID, Amount: &three, ByAcquirer: n%2 == 0, Note: "at once",
					ProviderReference: uuid.NewString(),
				}
				_, err := servers[n%2].Request(t.Context(), h.people[accounts.RoleOwner], h.org, o)
				if err != nil && !errors.Is(err, refunds.ErrUnderWay) && !errors.Is(err, refunds.ErrTooLarge) {
					t.Error(err)
				}
			})
		}
		people.Wait()
		var working sync.WaitGroup
		for _, s := range servers {
			working.Go(func() { h.runSteps(s) })
		}
		working.Wait()
	}
	after := h.load(i.ID)
	if left := after.Refundable(attempts[0]); left != dinars(1) || len(after.Refunds) != 3 {
		t.Errorf("%s are left after %d refunds", left, len(after.Refunds))
	}
	var byAcquirer int32
	for _, r := range after.Refunds {
		if r.Evidence == domain.EvidenceAcquirer {
			byAcquirer++
		}
	}
	if h.asked.Load() != byAcquirer {
		t.Errorf("the acquirer was asked %d times, and %d of its refunds are in the ledger",
			h.asked.Load(), byAcquirer)
	}
	if waiting, err := h.List(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("not ended: %+v, %v", waiting, err)
	}
}

// The acquirer gave money back that the ledger cannot record: a person has to look.
func TestTheLedgerRefuses(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, _ := h.paidBy("bank")
	half := dinars(5)
	if _, err := h.order(refunds.Order{Intent: i.ID, Amount: &half, ProviderReference: "BACK-1"}); err != nil {
		t.Fatal(err)
	}
	r, err := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
	if err != nil {
		t.Fatal(err)
	}
	h.runSteps(h.server)
	h.wantState(r.ID, refunds.Unknown, refunds.LedgerRefused)
	if listed, err := h.List(t.Context()); err != nil || len(listed) != 1 || listed[0].ID != r.ID {
		t.Errorf("listed %+v, %v", listed, err)
	}
}

// A server ended between the acquirer's answer and the ledger: another server records the refund.
func TestAnotherServerRecords(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, attempts := h.paidBy("bank")
	r, err := h.order(refunds.Order{Intent: i.ID, ByAcquirer: true})
	if err != nil {
		t.Fatal(err)
	}
	const sql = `
		UPDATE refunds
		SET state = 'recording', evidence = 'acquirer', provider_reference = 'BACK-9'
		WHERE uuid = $1`
	if _, err := h.pool.Exec(t.Context(), sql, r.ID); err != nil {
		t.Fatal(err)
	}
	h.runSteps(h.server) // too early: the server that took the request may still be recording it
	h.wantState(r.ID, refunds.Recording, "")
	h.runSteps(h.startServer(time.Minute))
	h.wantState(r.ID, refunds.Recorded, "")
	if left := h.load(i.ID).Refundable(attempts[0]); left.Minor != 0 || h.asked.Load() != 0 {
		t.Errorf("%s are left, the acquirer was asked %d times", left, h.asked.Load())
	}
}
