package checkout_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/ledger"
	"daftar/payments/acquirer"
)

// neighbour is another organization with open attempts of its own.
type neighbour struct {
	attempts []domain.AttemptID
	has      map[domain.AttemptID]bool
}

// addNeighbour makes one with so many attempts, each at a bank that knows nothing of them.
func (w *world) addNeighbour(n int) *neighbour {
	w.t.Helper()
	first := w.app
	w.makeApplication()
	app := w.app
	w.app = first
	all := &neighbour{make([]domain.AttemptID, n), make(map[domain.AttemptID]bool)}
	intents := make([]domain.IntentID, n)
	var working sync.WaitGroup
	for worker := range 16 {
		working.Go(func() {
			for k := worker; k < n; k += 16 {
				intents[k], all.attempts[k] = w.openAttempt(app)
			}
		})
	}
	working.Wait()
	uuids := make([][16]byte, n)
	for k, id := range intents {
		uuids[k] = id
		all.has[all.attempts[k]] = true
	}
	w.exec(`INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage, stage_since, payer, ask_at, created_at, updated_at)
		SELECT a, i, 'sandbox', 'card', 'bank', now(), '', now() + interval '1 hour', now(), now()
		FROM unnest($1::text[], $2::uuid[]) AS w(a, i)`, all.attempts, uuids)
	return all
}

func (w *world) openAttempt(app accounts.Application) (domain.IntentID, domain.AttemptID) {
	id, origin := domain.NewAttemptID(uuid.New()), ledger.Origin{Actor: "application:" + app.ID.String()}
	expires := w.ledger.Now().Add(domain.DefaultExpiry)
	i, _, err := w.ledger.Create(w.t.Context(), domain.Create{
		Application: app.ID, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount: domain.Money{Minor: 1_000, Currency: domain.LYD}, Description: "x", ExpiresAt: &expires,
	}, w.space, origin)
	if err == nil {
		_, err = w.ledger.Execute(w.t.Context(), i.ID,
			domain.StartAttempt{Attempt: id, Acquirer: "sandbox", Method: "card"}, origin)
	}
	if err != nil {
		w.t.Error(err)
	}
	return i.ID, id
}

// floods has a genuine message come about each of the attempts.
func (w *world) floods(n *neighbour) {
	var senders sync.WaitGroup
	for sender := range 16 {
		senders.Go(func() {
			for k := sender; k < len(n.attempts); k += 16 {
				if got := w.notify("/acquirers/sandbox/notifications",
					fmt.Sprintf(`{"id":%q}`, n.attempts[k]), bankSecret); got != http.StatusNoContent {
					w.t.Errorf("message: %d", got)
				}
			}
		})
	}
	senders.Wait()
}

// answering does something before a question about the neighbour's attempts is answered.
func (w *world) answering(n *neighbour, first func(context.Context)) {
	f := func(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
		if n.has[id.Attempt] {
			first(ctx)
		}
		return w.acquirer.Acquirer.Inquire(ctx, id)
	}
	w.acquirer.inquire.Store(&f)
}

// One organization's messages, of which none comes to an end, keep no other's payment waiting.
func TestMessagesOfOneKeepNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.addNeighbour(100)
	release := make(chan struct{})
	w.answering(n, func(context.Context) { <-release })
	i := w.create()
	waiting := w.atBank(i)
	w.floods(n)
	w.press(waiting, "pay")
	w.wantStage(w.lastAttempt(i.ID), "closed")
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	close(release)
	w.eventually("the others are asked about", func() bool {
		var left int
		if err := w.pool.QueryRow(t.Context(), `SELECT count(*) FROM checkout_attempts WHERE asked = 0 AND acquirer = 'sandbox'
			AND attempt = ANY($1)`, n.attempts).Scan(&left); err != nil {
			t.Fatal(err)
		}
		return left == 0
	})
}

// A message that names no payment writes the attempts of the account once, not each time.
func TestMessagesWithoutAReferenceWriteOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, "lypay")
	for range 3 {
		s.want(s.chooses(s.create(), "lypay"), 200, "qr")
	}
	s.halt() // nobody asks
	s.serve(s.Handler())
	versions := func() (sum int) {
		if err := s.pool.QueryRow(t.Context(),
			`SELECT sum(version)::int FROM checkout_attempts`).Scan(&sum); err != nil {
			t.Fatal(err)
		}
		return sum
	}
	const says = `{"webhook":"transaction_status_update","data":{}}`
	mac := hmac.New(sha256.New, []byte(lypayWebhookKey))
	mac.Write([]byte(says))
	message := func() {
		req, err := http.NewRequest(http.MethodPost, s.notifyURL("lypay"), strings.NewReader(says))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Signature", hex.EncodeToString(mac.Sum(nil)))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusNoContent {
			t.Errorf("message: %d", res.StatusCode)
		}
	}
	message()
	before := versions()
	if before < 6 {
		t.Errorf("the first message wrote %d times, want each attempt written", before-3)
	}
	for range 5 {
		message()
	}
	if got := versions(); got != before {
		t.Errorf("five messages more wrote %d times", got-before)
	}
}

// Rows of servers that know no share of organizations get theirs all the same.
func TestAnAttemptHasItsOrganization(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.atBank(w.create())
	w.crashed(w.create(), "wallet", time.Second, true)
	var organizations string
	if err := w.pool.QueryRow(t.Context(),
		`SELECT string_agg(DISTINCT organization_uuid::text, ' ') FROM checkout_attempts`).Scan(&organizations); err != nil {
		t.Fatal(err)
	}
	if organizations != strings.ToLower(w.app.Organization.String()) {
		t.Errorf("organizations %q, want %s", organizations, w.app.Organization)
	}
}
