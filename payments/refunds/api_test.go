package refunds_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/refunds"
)

// credential is one of the application.
func (h *env) credential() accounts.Credential {
	h.t.Helper()
	c := accounts.Credential{Application: h.app, Namespace: h.spaces}
	if err := h.pool.QueryRow(h.t.Context(), `SELECT epoch FROM credential_epoch`).Scan(&c.Epoch); err != nil {
		h.t.Fatal(err)
	}
	return c
}

// A refund that an application requests is in the ledger as its own, and a repeated request returns
// it as it is now. Nothing is requested under a credential that has been withdrawn.
func TestAnApplicationRequestsOnce(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, attempts := h.paidBy("bank")
	c, three := h.credential(), dinars(3)
	stale := c
	stale.Epoch--
	wanted := refunds.Wanted{
		Reference: "return-7", Intent: i.ID, Amount: &three, Reason: new("returned\nby 0912345678"),
	}
	if _, _, err := h.RequestFor(t.Context(), stale, wanted); !errors.Is(err, accounts.ErrStaleCredential) {
		t.Errorf("under a credential of before: %v", err)
	}
	r, created, err := h.RequestFor(t.Context(), c, wanted)
	if err != nil || !created || r.Status() != refunds.StatusPending {
		t.Fatalf("%+v, %t, %v", r, created, err)
	}
	h.runSteps(h.server)
	wanted.Amount = nil
	again, created, err := h.RequestFor(t.Context(), c, wanted)
	if err != nil || created || again.ID != r.ID || again.Amount != three ||
		again.Status() != refunds.StatusSucceeded || !again.UpdatedAt.After(r.UpdatedAt) {
		t.Errorf("repeated: %+v, %t, %v", again, created, err)
	}
	event, origin := h.lastEvent(i.ID)
	want := domain.RefundRecorded{
		At: event.OccurredAt(), Refund: r.ID, Attempt: attempts[0], Amount: three, ProviderReference: "BACK-1",
		Evidence: domain.EvidenceAcquirer,
	}
	if diff := cmp.Diff(domain.Event(want), event); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	if origin.Actor != "application:"+h.app.String() || origin.Note != "returned by 091•••5678" {
		t.Errorf("origin %+v", origin)
	}
}

// Refunds under way reserve their amounts, those of people too; those that fail release them, and
// the ledger says that they failed.
func TestRefundsUnderWayReserve(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, attempts := h.paidBy("bank")
	c, four, seven := h.credential(), dinars(4), dinars(7)
	request := func(reference domain.RefundReference, amount *domain.Money) (refunds.Refund, error) {
		wanted := refunds.Wanted{Reference: reference, Intent: i.ID, Amount: amount}
		r, _, err := h.RequestFor(t.Context(), c, wanted)
		return r, err
	}
	first, err := request("first", &four)
	if err != nil {
		t.Fatal(err)
	}
	_, err = request("too much", &seven)
	less, ok := errors.AsType[*refunds.TooLargeError](err)
	if !ok || less.Free != dinars(6) || !errors.Is(err, refunds.ErrUnderWay) {
		t.Errorf("seven of six: %v", err)
	}
	if _, err := h.order(refunds.Order{Intent: i.ID, Amount: &seven}); !errors.Is(err, refunds.ErrUnderWay) {
		t.Errorf("seven of six, by a person: %v", err)
	}
	second, err := request("second", nil)
	if err != nil || second.Amount != dinars(6) {
		t.Fatalf("the rest: %+v, %v", second, err)
	}
	if _, err := request("third", nil); !errors.Is(err, refunds.ErrUnderWay) {
		t.Errorf("nothing is left: %v", err)
	}
	h.answer = func(_ domain.Intent, _ domain.AttemptID, amount domain.Money) (acquirer.Refunded, error) {
		if amount == four {
			return acquirer.Refunded{}, fmt.Errorf("422: %w", acquirer.ErrRefused)
		}
		return acquirer.Refunded{Money: amount, ProviderReference: "BACK"}, nil
	}
	h.runSteps(h.server)
	failed := h.wantState(first.ID, refunds.Failed, refunds.Refused)
	h.wantState(second.ID, refunds.Recorded, "")
	state := h.load(i.ID)
	if len(state.FailedRefunds) != 1 || state.FailedRefunds[0].ID != first.ID ||
		state.Refundable(attempts[0]) != four || failed.FailureReason() != "refused" {
		t.Errorf("the ledger has %+v, %s are left", state.FailedRefunds, state.Refundable(attempts[0]))
	}
	if again, err := request("fourth", nil); err != nil || again.Amount != four {
		t.Errorf("what the failed one released: %+v, %v", again, err)
	}
}

// A server of the previous release ended, or crashed before it told the ledger: another one does.
func TestAFailureIsRecordedLater(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	r := h.requestRefund()
	h.failUnrecorded(r)
	for range 2 {
		h.runSteps(h.server)
		event, _ := h.lastEvent(r.Intent)
		want := domain.RefundFailed{
			At: event.OccurredAt(), Refund: r.ID, Attempt: r.Attempt, Amount: r.Amount, Reason: "no_account",
		}
		if diff := cmp.Diff(domain.Event(want), event); diff != "" {
			t.Fatalf("event (-want +got):\n%s", diff)
		}
	}
	if n := len(h.load(r.Intent).FailedRefunds); n != 1 {
		t.Errorf("recorded %d times", n)
	}
}

// failUnrecorded makes a refund one that failed a minute ago, of which the ledger does not know.
func (h *env) failUnrecorded(r refunds.Refund) {
	h.t.Helper()
	_, err := h.pool.Exec(h.t.Context(), `
		UPDATE refunds
		SET state = 'failed', trouble = 'no_account', ended_at = now() - interval '1 minute',
		    unrecorded = 'failure'
		WHERE uuid = $1`, r.ID)
	if err != nil {
		h.t.Fatal(err)
	}
}

// A failure that cannot be recorded, because this server cannot read the intent, delays no refund.
func TestAFailureThatWaitsDelaysNoOther(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	stuck := h.requestRefund()
	h.failUnrecorded(stuck)
	h.rename(stuck, domain.TypeAttemptStarted, "intent.of_a_later_release")
	other := h.requestRefund()
	if worked, err := h.worker.Step(t.Context()); !worked || !errors.Is(err, domain.ErrUnknownEvent) {
		t.Errorf("worked %t, %v", worked, err)
	}
	h.runSteps(h.server)
	h.wantState(other.ID, refunds.Recorded, "")
	h.rename(stuck, "intent.of_a_later_release", domain.TypeAttemptStarted)
	h.runSteps(h.startServer(2 * time.Minute))
	if n := len(h.load(stuck.Intent).FailedRefunds); n != 1 {
		t.Errorf("recorded %d times", n)
	}
}

// Servers of the previous release insert without knowing reservations: they may do so only where no
// other refund of the attempt is under way.
func TestServersOfThePreviousReleaseBeginOne(t *testing.T) {
	t.Parallel()
	h := newEnv(t)
	i, attempts := h.paidBy("bank")
	insert := func(minor int64) (inserted bool) {
		t.Helper()
		tag, err := h.pool.Exec(t.Context(), `
			INSERT INTO refunds (uuid, intent_uuid, application_uuid, attempt, acquirer, amount, currency,
			    by_acquirer, state, note, actor, requested_by, requested_at)
			VALUES ($1, $2, $3, $4, 'bank', $5, 'LYD', true, 'requested', 'n', 'a', 'a', now())
			ON CONFLICT DO NOTHING`, uuid.New(), i.ID, h.app, attempts[0], minor)
		if err != nil {
			t.Fatal(err)
		}
		return tag.RowsAffected() == 1
	}
	one := dinars(1)
	wanted := refunds.Wanted{Reference: "r", Intent: i.ID, Amount: &one}
	if !insert(8000) || insert(1) {
		t.Error("such a server begins no first refund, or a second one")
	}
	if _, _, err := h.RequestFor(t.Context(), h.credential(), wanted); err != nil {
		t.Errorf("of what it left: %v", err)
	}
	h.runSteps(h.server)
	all, err := h.OfApplication(t.Context(), h.app, i.ID)
	if err != nil || len(all) != 2 || all[0].UpdatedAt.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	wanted.Reference = "r-2"
	if _, _, err := h.RequestFor(t.Context(), h.credential(), wanted); err != nil || insert(1) {
		t.Errorf("such a server begins a refund while another is under way (%v)", err)
	}
}

// books are an acquirer's: what it gave back of each attempt.
type books struct {
	mu     sync.Mutex
	random *rand.Rand
	back   map[domain.AttemptID]int64
	gave   map[string]bool // by attempt and amount: a person finds it so
	scale  int
	waves  int
}

// give gives back, refuses, or does one of them without an answer.
func (b *books) give(_ domain.Intent, of domain.AttemptID, amount domain.Money) (acquirer.Refunded, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fate := b.random.IntN(10)
	switch fate {
	case 0:
		return acquirer.Refunded{}, acquirer.ErrNotSent
	case 1, 2:
		return acquirer.Refunded{}, acquirer.ErrRefused
	case 3:
		return acquirer.Refunded{}, errors.New("connection reset, and nothing was done")
	}
	b.back[of] += amount.Minor
	number := uuid.NewString()
	b.gave[fmt.Sprint(of, amount.Minor)] = true
	if fate < 6 {
		return acquirer.Refunded{}, errors.New("connection reset")
	}
	return acquirer.Refunded{Money: amount, ProviderReference: number}, nil
}

// 64 requests of one payment over two servers, to an acquirer with faults: it never gives back more than
// was paid, and when people have settled what is unknown, the ledger has what its books have.
func neverMoreThanWasPaid(t *testing.T, cases int) {
	t.Helper()
	h := newEnv(t)
	servers := []*server{h.server, h.startServer(0)}
	c := h.credential()
	seen := map[string]int{}
	for n := range cases {
		seed := rand.Uint64()
		b := &books{
			random: rand.New(rand.NewPCG(seed, 0)), back: map[domain.AttemptID]int64{}, gave: map[string]bool{},
			scale: 10 << (n % 4),
		}
		h.answer = b.give
		i, attempts := h.paidBy([]string{"bank", "bank"}[:1+n%2]...)
		for range 2 { // again, of what failed refunds have released
			h.requestAtOnce(c, servers, i.ID, b, seen)
		}
		for _, of := range attempts {
			if b.back[of] > i.Amount.Minor {
				t.Fatalf("case %d of seed %d: %d went back of %s", n, seed, b.back[of], i.Amount)
			}
		}
		h.settleAll(i.ID, b)
		state := h.load(i.ID)
		for _, of := range attempts {
			if recorded := i.Amount.Minor - state.Refundable(of).Minor; recorded != b.back[of] {
				t.Fatalf("case %d of seed %d: the ledger has %d, the acquirer gave %d", n, seed, recorded, b.back[of])
			}
			if b.back[of] > i.Amount.Minor-100 {
				seen["almost all went back"]++
			}
		}
	}
	t.Logf("%d cases: %v", cases, seen)
}

// requestAtOnce sends 64 requests, each of another amount, while both servers carry refunds out.
func (h *env) requestAtOnce(
	c accounts.Credential, servers []*server, intent domain.IntentID, b *books, seen map[string]int,
) {
	h.t.Helper()
	var requests, working sync.WaitGroup
	var mu sync.Mutex
	b.waves++
	for n := range 64 {
		minor := (2*n+b.waves%2)*b.scale + 1 + b.random.IntN(b.scale)
		amount := domain.Money{Minor: int64(minor), Currency: domain.LYD}
		w := refunds.Wanted{
			Reference: domain.RefundReference(fmt.Sprint(intent, b.waves, n/2)), Intent: intent, Amount: &amount,
		}
		requests.Go(func() {
			_, created, err := servers[n/2%2].RequestFor(h.t.Context(), c, w)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case created:
				seen["requested"]++
			case err == nil:
				seen["repeated"]++
			case errors.Is(err, refunds.ErrUnderWay):
				seen["reserved"]++
			case errors.Is(err, refunds.ErrTooLarge), errors.Is(err, refunds.ErrNothingLeft):
				seen["too much"]++
			default:
				h.t.Error(err)
			}
		})
	}
	for _, s := range servers {
		working.Go(func() { h.runSteps(s) })
	}
	requests.Wait()
	working.Wait()
	h.runSteps(servers[0])
}

// settleAll is a person who looks for each unknown refund in the acquirer's books.
func (h *env) settleAll(intent domain.IntentID, b *books) {
	h.t.Helper()
	all, err := h.Of(h.t.Context(), h.org, intent)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range all {
		if r.State != refunds.Unknown {
			continue
		}
		verdict := refunds.NotRefunded
		if b.gave[fmt.Sprint(r.Attempt, r.Amount.Minor)] {
			verdict = refunds.Refunded
		}
		if _, err := h.Settle(h.t.Context(), operator, h.org, r.ID, verdict, "", "looked"); err != nil {
			h.t.Error(err)
		}
	}
}

func TestApplicationsNeverGetMoreThanWasPaid(t *testing.T) {
	t.Parallel()
	neverMoreThanWasPaid(t, 20)
}
