package acceptance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres/pgtest"
)

// refunding is the shop with an access token that gives money back.
func (s shop) refunding(t *testing.T, env []string) shop {
	t.Helper()
	made := answer[struct {
		AccessToken string `json:"access_token"`
	}](t, env, "token", "create", "--org", s.org, "--name", "refunds", "--scope", "payments,refunds,books")
	s.token = made.AccessToken
	return s
}

// payOrders creates intents of a shop and pays them at the sandbox.
func (s *sandboxed) payOrders(t *testing.T, who shop, number, amount int) (uuids []string) {
	t.Helper()
	payer := newPayer(t)
	for n := range number {
		uuids = append(uuids, s.payOrder(t, payer, who, fmt.Sprint("paid-", n), amount))
	}
	return uuids
}

// newPayer is the customers of a shop without a site.
func newPayer(t *testing.T) *sampleShop {
	return &sampleShop{t: t, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// payOrder creates an intent and pays it.
func (s *sandboxed) payOrder(t *testing.T, payer *sampleShop, who shop, reference string, amount int) string {
	t.Helper()
	body := strings.Replace(order(reference), ":5000,", fmt.Sprintf(":%d,", amount), 1)
	intent := s.service.ask(t, who, http.MethodPost, "/payment-intents", body).data
	payer.pay(purchase{reference: reference, checkout: intent.CheckoutURL}, 0)
	pgtest.WaitFor(t, "the payment", func() bool {
		paid := s.service.ask(t, who, http.MethodGet, "/payment-intents/"+intent.UUID, "")
		return paid.data.Status == "succeeded"
	})
	return intent.UUID
}

// repaid is a refund as merchants, the ledger and the sandbox know it.
type repaid struct {
	UUID, Intent string
	Amount       int
}

// repayment is what a merchant's program learned about a refund.
type repayment struct {
	Reference, Named string
	UUID, Intent     string
	Amount           int
	Replayed         bool
	Differs          []string
}

// refundsPerIntent is how many refunds each of the paid intents has.
const refundsPerIntent = 50

// refundThroughFaults gives money back a number of times through an SDK, in several processes, while
// connections are cut and the API is busy. No refund may be doubled or lost: what the merchant knows,
// what the API and the ledger say, and what the sandbox gave back must be the same.
func refundThroughFaults(t *testing.T, k sdk, number, processes int) {
	t.Helper()
	s := newSandboxed(t, "DAFTAR_RATE_LIMIT=40/s,burst=40")
	s.startAcquirer(t)
	who := newShop(t, s.env).refunding(t, s.env)
	between := newFaulty(t, s.service)
	intents := s.payOrders(t, who, (number+refundsPerIntent-1)/refundsPerIntent+1, 100_000)

	printed := make([]string, processes)
	var running sync.WaitGroup
	for n := range processes {
		running.Go(func() {
			arguments := append([]string{fmt.Sprint(n * number / processes), fmt.Sprint((n + 1) * number / processes)},
				intents...)
			printed[n] = k.run(t, between.URL+"/api/v1", who, nil, "refunds", arguments...)
		})
	}
	running.Wait()

	told, replayed := map[string]repaid{}, 0
	for line := range strings.Lines(strings.Join(printed, "")) {
		var r repayment
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if r.UUID == "" || r.Named != r.Reference || len(r.Differs) > 0 || told[r.Reference].UUID != "" {
			t.Errorf("the merchant knows %+v, and before %+v", r, told[r.Reference])
		}
		told[r.Reference] = repaid{r.UUID, r.Intent, r.Amount}
		if r.Replayed {
			replayed++
		}
	}
	if len(told) != number {
		t.Errorf("%d refunds, of which the merchant knows %d", number, len(told))
	}
	if diff := cmp.Diff(told, s.shownRefunds(t, who, intents)); diff != "" {
		t.Errorf("refunds (-merchant +API):\n%s", diff)
	}
	byUUID := map[string]repaid{}
	for _, r := range told {
		byUUID[r.UUID] = r
	}
	if diff := cmp.Diff(byUUID, s.recordedRefunds(t, number)); diff != "" {
		t.Errorf("refunds (-merchant +ledger):\n%s", diff)
	}
	if diff := cmp.Diff(amounts(maps.Values(told)), s.gaveBack(t)); diff != "" {
		t.Errorf("money that went back (-merchant +sandbox):\n%s", diff)
	}
	between.mustExplain(t, replayed)
	t.Logf("%d refunds, %d replayed; requests: %v", number, replayed, between.injected)
}

// recordedRefunds waits until the ledger has a number of refunds, and returns them by their uuid.
func (s *sandboxed) recordedRefunds(t *testing.T, number int) map[string]repaid {
	t.Helper()
	owner := s.db.OwnerPool(t)
	pgtest.WaitFor(t, "the refunds to be recorded", func() bool {
		var recorded int
		err := owner.QueryRow(t.Context(),
			`SELECT count(*) FROM events WHERE type = 'intent.refund_recorded'`).Scan(&recorded)
		return err == nil && recorded >= number
	})
	rows, err := owner.Query(t.Context(), `
		SELECT payload::json->>'refund', stream_id::text, (payload::json->>'amount')::int
		FROM events
		WHERE type = 'intent.refund_recorded'`)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]repaid{}
	var r repaid
	if _, err := pgx.ForEachRow(rows, []any{&r.UUID, &r.Intent, &r.Amount}, func() error {
		if found[r.UUID].UUID != "" {
			t.Errorf("refund %s is in the ledger twice", r.UUID)
		}
		found[r.UUID] = r
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// shownRefunds waits until all refunds of the intents have succeeded, and returns them by their
// reference, as the API lists them.
func (s *sandboxed) shownRefunds(t *testing.T, who shop, intents []string) map[string]repaid {
	t.Helper()
	found := map[string]repaid{}
	for _, intent := range intents {
		var listed struct {
			Data []struct {
				UUID, Status string
				Reference    string `json:"refund_reference"`
				Intent       string `json:"payment_intent"`
				Amount       int
			}
		}
		pgtest.WaitFor(t, "the refunds of "+intent, func() bool {
			listed.Data = nil
			r := s.service.ask(t, who, http.MethodGet, "/payment-intents/"+intent+"/refunds", "")
			if err := json.Unmarshal([]byte(r.body), &listed); err != nil || r.status != http.StatusOK {
				return false // such as 429
			}
			for _, one := range listed.Data {
				if one.Status != "succeeded" {
					return false
				}
			}
			return true
		})
		for _, one := range listed.Data {
			if found[one.Reference].UUID != "" {
				t.Errorf("%s is listed twice", one.Reference)
			}
			found[one.Reference] = repaid{one.UUID, one.Intent, one.Amount}
		}
	}
	return found
}

// gaveBack are the amounts that the sandbox gave back, by intent.
func (s *sandboxed) gaveBack(t *testing.T) map[string][]int {
	t.Helper()
	var all []repaid
	s.fetch(t, s.sandbox+"/control/refunds", &all)
	return amounts(slices.Values(all))
}

// amounts are the amounts of refunds by intent, in order.
func amounts(of func(func(repaid) bool)) map[string][]int {
	found := map[string][]int{}
	for r := range of {
		found[r.Intent] = append(found[r.Intent], r.Amount)
	}
	for _, all := range found {
		slices.Sort(all)
	}
	return found
}

// TestLongSDKsRefundThroughFaults is the same with a thousand.
func TestSDKsRefundThroughFaults(t *testing.T) {
	t.Parallel()
	for _, k := range sdks {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			refundThroughFaults(t, k, 24, 3)
		})
	}
}
