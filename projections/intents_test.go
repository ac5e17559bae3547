package projections_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/projections"
)

// odd are texts that may be changed on the way.
var odd = []string{
	"x", " ", `"quoted" 'single' \back\slash`, "<script>&amp;</script>", "قهوة عربية ٣", "👩‍👩‍👧 🛒",
	"\u202eright to left\u202c", "line\u2028and\u2029paragraph",
	"é e\u0301", "tab\tand\nline", "\u0001\u001f\u007f", "{}", "null", `\u0041`, "$1 %s {a,b} NULL",
	"\ufeff\ufffd", strings.Repeat("ق", 255), strings.Repeat("🛒", 255),
}

// visible is the text as a description, which must have a visible character.
func visible(text string) string {
	if domain.HasVisible(text) {
		return text
	}
	return text + "."
}

// The row shows every value of an intent unchanged: as the create was answered, as Find reads it,
// and as an auditor reads it. The book's verification at the end reads each row a third way.
func TestRowsHoldWhatWasSent(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	empty := ""
	customers, returns := []*string{nil, &empty}, []*string{nil, &empty}
	metadata := []domain.Metadata{nil, {}, {{Key: "z", Value: "1"}, {Key: "a", Value: ""}, {Key: "", Value: "2"},
		{Key: "Z", Value: "3"}}}
	for _, text := range odd {
		customers, returns = append(customers, &text), append(returns, &text)
		key := string([]rune(text)[:min(len([]rune(text)), domain.MaxMetadataKey)])
		metadata = append(metadata, domain.Metadata{{Key: "b", Value: text}, {Key: key, Value: "a"}})
	}
	check := func(what string, c domain.Create) {
		t.Helper()
		sent := b.create(t, c)
		found := b.find(t, sent.ID)
		if !found.Exists || found.Epoch != 1 {
			t.Errorf("%s: found %+v", what, found)
		}
		if diff := cmp.Diff(sent, found.Intent); diff != "" {
			t.Errorf("%s (-answered +found):\n%s", what, diff)
		}
		want := projections.Intent{
			ID:           b.namespace.IntentID(c.MerchantReference),
			Version:      1,
			Status:       domain.StatusRequiresPaymentMethod,
			ExpiresAt:    sent.CreatedAt.Add(24 * time.Hour),
			CheckoutPath: sent.CheckoutPath,
			CreatedAt:    sent.CreatedAt, UpdatedAt: sent.CreatedAt,
			Terms: domain.Terms{
				Application: b.app, Reference: sent.Reference, MerchantReference: c.MerchantReference,
				Amount: c.Amount, Description: c.Description, CustomerID: c.CustomerID, ReturnURL: c.ReturnURL,
				Metadata: c.Metadata,
			},
		}
		if diff := cmp.Diff(want, found.Intent); diff != "" {
			t.Errorf("%s (-sent +found):\n%s", what, diff)
		}
	}
	// Every combination of null, empty and set.
	for _, customer := range customers[:3] {
		for _, to := range returns[:3] {
			for _, m := range metadata[:4] {
				c := b.plain()
				c.CustomerID, c.ReturnURL, c.Metadata = customer, to, m
				check(fmt.Sprintf("customer %v, return URL %v, metadata %v", customer, to, m), c)
			}
		}
	}
	for n, text := range odd {
		c := b.plain()
		c.MerchantReference, c.Description = domain.MerchantReference(text), visible(text)
		c.CustomerID, c.ReturnURL, c.Metadata = customers[n+2], returns[n+2], metadata[n+3]
		check(fmt.Sprintf("%q", text), c)
	}
}

// Auditors read the table with SQL: the columns have the API's names and shapes.
func TestColumnsAsAuditorsReadThem(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	auditor := b.login(t, "daftar_auditor")
	customer, to := "c-7", "https://shop.example/?a=1&b=2"
	full, bare := b.plain(), b.plain()
	full.CustomerID, full.ReturnURL = &customer, &to
	full.Metadata = domain.Metadata{{Key: "z", Value: "<1>"}, {Key: "a", Value: `"`}}
	i, j := b.create(t, full), b.create(t, bare)
	const columns = `
		SELECT json_build_array(uuid, application_uuid, reference, merchant_reference, amount, currency, status,
		       description, return_url, checkout_url)::text
		FROM intents
		WHERE uuid = $1`
	for _, each := range []projections.Intent{i, j} {
		var got []any
		if err := json.Unmarshal([]byte(value[string](t, auditor, columns, each.ID)), &got); err != nil {
			t.Fatal(err)
		}
		var back any
		if each.ReturnURL != nil {
			back = *each.ReturnURL
		}
		want := []any{
			each.ID.String(), b.app.String(), string(each.Reference), string(each.MerchantReference), 5000.0, "LYD",
			"requires_payment_method", "قهوة", back, each.CheckoutPath,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("columns (-want +got):\n%s", diff)
		}
	}
	for sql, want := range map[string]string{
		`SELECT customer::text FROM intents WHERE uuid = $1`: `{"external_id":"c-7"}`,
		// Rows are compared by their bytes, so the escapes are for ever.
		`SELECT metadata::text FROM intents WHERE uuid = $1`: `{"z":"\u003c1\u003e","a":"\""}`,

		`SELECT (metadata->>'z') || (metadata->>'a') FROM intents WHERE uuid = $1`:             `<1>"`,
		`SELECT string_agg(k, ',') FROM intents, json_object_keys(metadata) k WHERE uuid = $1`: `z,a`,
	} {
		if got := value[string](t, auditor, sql, i.ID); got != want {
			t.Errorf("%s gives %s, want %s", sql, got, want)
		}
	}
	got := value[string](t, auditor, `
		SELECT customer::text || coalesce(metadata::text, ' and null')
		FROM intents
		WHERE uuid = $1`, j.ID)
	if got != `{"external_id":null} and null` {
		t.Errorf("customer and metadata that were not sent are %s", got)
	}
	path := regexp.MustCompile(`^/pay/` + i.ID.String() + `/[0-9a-z]{26}$`)
	if !path.MatchString(i.CheckoutPath) {
		t.Errorf("checkout path %s", i.CheckoutPath)
	}
}

// Each event updates the row, and only columns that can change.
func TestRowFollowsTheEvents(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	i := b.create(t, b.plain())
	for n, step := range []struct {
		command domain.Command
		status  domain.Status
	}{
		{domain.StartAttempt{Attempt: "a1", Acquirer: "sandbox", Method: "wallet"}, domain.StatusProcessing},
		{domain.FailAttempt{Attempt: "a1", Reason: "declined"}, domain.StatusRequiresPaymentMethod},
		{domain.StartAttempt{Attempt: "a2", Acquirer: "sandbox", Method: "card"}, domain.StatusProcessing},
		{domain.RecordPayment{Attempt: "a2", Amount: i.Amount, ProviderReference: "p"}, domain.StatusSucceeded},
		{domain.RecordPayment{Attempt: "a1", Amount: i.Amount, ProviderReference: "q"}, domain.StatusSucceeded},
		{domain.RecordRefund{Refund: domain.RefundID{1}, Attempt: "a1", Amount: i.Amount}, domain.StatusSucceeded},
	} {
		b.execute(t, i.ID, step.command)
		got, state := b.find(t, i.ID).Intent, i
		state.Version, state.Status, state.UpdatedAt = n+2, step.status, got.UpdatedAt
		if diff := cmp.Diff(state, got); diff != "" {
			t.Errorf("after %T (-want +got):\n%s", step.command, diff)
		}
		if got.UpdatedAt.Before(i.CreatedAt) {
			t.Errorf("after %T: updated at %v, created at %v", step.command, got.UpdatedAt, i.CreatedAt)
		}
		folded, err := b.Load(t.Context(), i.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(projections.IntentOf(folded), got); diff != "" {
			t.Errorf("after %T (-events +row):\n%s", step.command, diff)
		}
	}
}

// A row that is there before the first event of its intent does not keep the intent from being created.
func TestRowBeforeTheFirstEvent(t *testing.T) {
	t.Parallel()
	b := open(t, true)
	command, pool := b.plain(), b.db.Pool(t)
	exec(t, pool, `
		INSERT INTO intents
		SELECT $2, application_uuid, 0, reference, merchant_reference, amount, currency, 'canceled',
		       description, customer, return_url, metadata, expires_at, checkout_url, created_at, updated_at
		FROM intents
		WHERE uuid = $1`, b.create(t, b.plain()).ID, b.namespace.IntentID(command.MerchantReference))
	i := b.create(t, command)
	if got := b.find(t, i.ID).Intent; got.Version != 1 || got.Status != domain.StatusRequiresPaymentMethod {
		t.Errorf("the row has version %d, %s", got.Version, got.Status)
	}
}

func TestOverdue(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, status := range []domain.Status{domain.StatusRequiresPaymentMethod, domain.StatusProcessing,
		domain.StatusSucceeded, domain.StatusCanceled} {
		for after, due := range map[time.Duration]bool{-time.Microsecond: false, 0: true, time.Hour: true} {
			i := projections.Intent{Status: status, ExpiresAt: end}
			if want := due && status == domain.StatusRequiresPaymentMethod; i.Overdue(end.Add(after)) != want {
				t.Errorf("%s %v after its end: overdue is not %v", status, after, want)
			}
		}
	}
}

// A store with a read model accepts no append without a row for it.
func TestAppendWithoutARow(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	events := []eventstore.Event{{Type: domain.TypeExpired, SchemaVersion: 1,
		Payload: []byte(`{"at":"2026-03-01T12:00:00Z"}`)}}
	_, err := d.store.Append(t.Context(), eventstore.Append{Stream: uuid.New(), Events: events})
	if !errors.Is(err, eventstore.ErrInvalid) {
		t.Errorf("append without a row: %v, want ErrInvalid", err)
	}
	if n := value[int](t, d.pool, `SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d events were written", n)
	}
}
