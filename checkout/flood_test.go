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

// neighbour is another organization with open attempts.
type neighbour struct {
	attempts []domain.AttemptID
	has      map[domain.AttemptID]bool
}

// addNeighbour makes a neighbour with n attempts, which the bank does not know.
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
	w.exec(`
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, stage, stage_since, payer, ask_at,
		                               created_at, updated_at)
		SELECT a, i, 'sandbox', 'card', 'bank', now(), '', now() + interval '1 hour', now(), now()
		FROM unnest($1::text[], $2::uuid[]) AS w(a, i)`, all.attempts, uuids)
	return all
}

func (w *world) openAttempt(app accounts.Application) (domain.IntentID, domain.AttemptID) {
	id, origin := domain.NewAttemptID(uuid.New()), ledger.Origin{Actor: "application:" + app.ID.String()}
	expires := w.ledger.Now().Add(domain.DefaultExpiry)
	i, _, err := w.ledger.Create(w.t.Context(), domain.Create{ExpiresAt: &expires, Terms: domain.Terms{
		Application: app.ID, MerchantReference: domain.MerchantReference(uuid.NewString()),
		Amount: domain.Money{Minor: 1_000, Currency: domain.LYD}, Description: "x",
	}}, w.space, origin)
	if err == nil {
		_, err = w.ledger.Execute(w.t.Context(), i.ID,
			domain.StartAttempt{Attempt: id, Acquirer: "sandbox", Method: "card"}, origin)
	}
	if err != nil {
		w.t.Error(err)
	}
	return i.ID, id
}

// floodWith sends a genuine message about each of the attempts.
func (w *world) floodWith(n *neighbour) {
	var senders sync.WaitGroup
	for sender := range 16 {
		senders.Go(func() {
			for k := sender; k < len(n.attempts); k += 16 {
				message := fmt.Sprintf(`{"id":%q}`, n.attempts[k])
				got := w.notify("/acquirers/sandbox/notifications", message, bankSecret)
				if got != http.StatusNoContent {
					w.t.Errorf("message: %d", got)
				}
			}
		})
	}
	senders.Wait()
}

// beforeAnswers calls first before an inquiry about the neighbour's attempts is answered.
func (w *world) beforeAnswers(n *neighbour, first func(context.Context)) {
	f := func(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
		if n.has[id.Attempt] {
			first(ctx)
		}
		return w.acquirer.Acquirer.Inquire(ctx, id)
	}
	w.acquirer.inquire.Store(&f)
}

// While the inquiries about one organization's messages hang, a payment of another is settled.
func TestMessagesOfOneKeepNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.addNeighbour(100)
	release := make(chan struct{})
	w.beforeAnswers(n, func(context.Context) { <-release })
	i := w.create()
	waiting := w.atBank(i)
	w.floodWith(n)
	w.press(waiting, "pay")
	w.wantStage(w.lastAttempt(i.ID), "closed")
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	close(release)
	w.eventually("the others are asked about", func() bool {
		return value[int](w, `
			SELECT count(*)
			FROM checkout_attempts
			WHERE asked = 0
			  AND acquirer = 'sandbox'
			  AND attempt = ANY($1)`, n.attempts) == 0
	})
}

// A message that names no payment writes the attempts of the account once, not each time.
func TestMessagesWithoutAReferenceWriteOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, "lypay")
	for range 3 {
		s.want(s.chooses(s.create(), "lypay"), 200, "qr")
	}
	s.halt() // no engine makes inquiries
	s.serve(s.Handler())
	versions := func() int {
		return value[int](s.world, `SELECT sum(version)::int FROM checkout_attempts`)
	}
	const text = `{"webhook":"transaction_status_update","data":{}}`
	mac := hmac.New(sha256.New, []byte(lypayWebhookKey))
	mac.Write([]byte(text))
	message := func() {
		req, err := http.NewRequest(http.MethodPost, s.notifyURL("lypay"), strings.NewReader(text))
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
		t.Errorf("five more messages wrote %d times", got-before)
	}
}

// A row has its organization while the acquirer is to be asked, also one written by an older server, which
// names none, and one whose payment is asked about again.
func TestAnAttemptHasItsOrganization(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.atBank(w.create())
	w.insertCrashed(w.create(), "wallet", time.Second, true)
	organization := strings.ToLower(w.app.Organization.String())
	for _, of := range []struct{ change, want string }{
		{`UPDATE checkout_attempts SET presented = presented`, organization},
		{`UPDATE checkout_attempts SET ask_at = NULL`, "none"},
		{`UPDATE checkout_attempts SET ask_at = now() + interval '1 hour'`, organization},
	} {
		if _, err := w.pool.Exec(t.Context(), of.change); err != nil {
			t.Fatal(err)
		}
		const organizationsSQL = `
			SELECT string_agg(DISTINCT coalesce(organization_uuid::text, 'none'), ' ') FROM checkout_attempts`
		if got := value[string](w, organizationsSQL); got != of.want {
			t.Errorf("after %s the organizations are %q, want %s", of.change, got, of.want)
		}
	}
}
