package webhooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/internal/locale"
	"daftar/internal/postgres"
)

// The types of webhooks that code names; facts.Webhooks has all of them except TypeTest.
const (
	TypeCreated          = "payment_intent.created"
	TypeProcessing       = "payment_intent.processing"
	TypePaymentFailed    = "payment_intent.payment_failed"
	TypeSucceeded        = "payment_intent.succeeded"
	TypeCanceled         = "payment_intent.canceled"
	TypeDuplicatePayment = "payment_intent.duplicate_payment"
	TypeTest             = "webhook.test"
)

// DeliveryID identifies a delivery, and the event in it: an event has one
// application, so it is delivered to one endpoint.
type DeliveryID uuid.UUID

func (id DeliveryID) String() string { return uuid.UUID(id).String() }

// MarshalText writes the canonical form.
func (id DeliveryID) MarshalText() ([]byte, error) { return uuid.UUID(id).MarshalText() }

// WebhookID is the delivery's webhook-id, the same on every try.
func (id DeliveryID) WebhookID() string { return "evt_" + id.String() }

// ParseDeliveryID reads a uuid that an operator typed, or a webhook-id.
func ParseDeliveryID(s string) (DeliveryID, error) {
	id, err := uuid.Parse(strings.TrimPrefix(s, "evt_"))
	if err != nil {
		return DeliveryID{}, fmt.Errorf("%q is not the uuid of a delivery", s)
	}
	return DeliveryID(id), nil
}

// IDOf derives the id from the event's place in its stream (a version 5 uuid
// within the stream's), so that every server and every replay arrives at the same
// id.
func IDOf(stream uuid.UUID, version int) DeliveryID {
	return DeliveryID(domain.NameBased(stream, strconv.Itoa(version)))
}

// message is the content of a delivery.
type message struct {
	ID                DeliveryID
	Application       domain.ApplicationID
	Event             string
	Intent            domain.IntentID // of all but tests
	Sequence          int
	Reference         string
	MerchantReference string
	OccurredAt        time.Time // the intent's updated_at after the event; of a refund, when it was recorded
	Late              bool      // the intent was canceled before it was paid
	Refund            *string   // refundData as JSON; nil unless the event is a refund
}

// messageColumns are the columns of webhook_deliveries that make a message; those of the
// intent are null for a test.
var messageColumns = postgres.Columns[message]{
	postgres.Of("uuid", func(m *message) any { return &m.ID }),
	postgres.Of("application_uuid", func(m *message) any { return &m.Application }),
	postgres.Of("event", func(m *message) any { return &m.Event }),
	postgres.Of("intent_uuid", func(m *message) any { return (*zeronull.UUID)(&m.Intent) }),
	postgres.Of("sequence", func(m *message) any { return (*zeroNull)(&m.Sequence) }),
	postgres.Of("reference", func(m *message) any { return &m.Reference }),
	postgres.Of("merchant_reference", func(m *message) any { return &m.MerchantReference }),
	postgres.Of("occurred_at", func(m *message) any { return &m.OccurredAt }),
	postgres.Of("late", func(m *message) any { return &m.Late }),
	postgres.Of("refund", func(m *message) any { return &m.Refund }),
}

type zeroNull int

// ScanInt64 is called by pgx.
func (n *zeroNull) ScanInt64(v pgtype.Int8) error {
	*n = zeroNull(v.Int64)
	return nil
}

type body struct {
	Type      string         `json:"type"`
	Timestamp locale.Instant `json:"timestamp"`
	Data      any            `json:"data"`
}

type intentData struct {
	UUID              string `json:"uuid"`
	Reference         string `json:"reference"`
	MerchantReference string `json:"merchant_reference"`
	Sequence          int    `json:"sequence"`
	Late              bool   `json:"late,omitempty"`
	// Refund is the refund of the event; the intent's resource does not have it.
	Refund json.RawMessage `json:"refund,omitempty"`
}

type refundData struct {
	UUID     string          `json:"uuid"`
	Amount   int64           `json:"amount"`
	Currency domain.Currency `json:"currency"`
	// FailureReason is set for one that failed.
	FailureReason string `json:"failure_reason,omitempty"`
}

type testData struct {
	Application string `json:"application_uuid"`
}

// body is the message as the bytes that are signed. It has no status: the merchant
// retrieves the intent for that.
func (m message) body() []byte {
	b := body{Type: m.Event, Timestamp: locale.Instant(m.OccurredAt)}
	if m.Event == TypeTest {
		b.Data = testData{Application: m.Application.String()}
	} else {
		data := intentData{
			UUID: m.Intent.String(), Reference: m.Reference, MerchantReference: m.MerchantReference,
			Sequence: m.Sequence, Late: m.Late,
		}
		if m.Refund != nil {
			data.Refund = json.RawMessage(*m.Refund)
		}
		b.Data = data
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(b); err != nil {
		panic("webhooks: write JSON of strings: " + err.Error())
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// messageOf is the webhook of an event, without the fields that only the intent's row has. Its
// error for an event that this version does not know is domain.ErrUnknownEvent: only a
// later version knows which webhook it has, and to skip it could lose one.
func messageOf(e eventstore.Recorded) (message, error) {
	kind, known := facts.Named(e.Type)
	if !known {
		return message{}, fmt.Errorf("position %d: %s: %w", e.Position, e.Type, domain.ErrUnknownEvent)
	}
	at, err := domain.StoredEvent{Type: e.Type, Payload: e.Payload}.OccurredAt()
	if err != nil {
		return message{}, fmt.Errorf("position %d: %w", e.Position, err)
	}
	m := message{
		ID: IDOf(e.Stream, e.Version), Event: kind.Webhook, Intent: domain.IntentID(e.Stream), Sequence: e.Version,
		OccurredAt: at, Late: kind.Late,
	}
	if kind.Refund {
		m.Refund, err = refundOf(e)
	}
	return m, err
}

// refundOf is the JSON of refundData.
func refundOf(e eventstore.Recorded) (*string, error) {
	decoded, err := domain.Decode(e)
	if err != nil {
		return nil, fmt.Errorf("position %d: %w", e.Position, err)
	}
	details := facts.DetailsOf(decoded)
	text, err := json.Marshal(refundData{
		details.Refund.String(), details.Amount.Minor, details.Amount.Currency, details.Reason,
	})
	return new(string(text)), err
}

// eventColumns are what a webhook needs of its event.
var eventColumns = postgres.Columns[eventstore.Recorded]{
	postgres.Of("position", func(e *eventstore.Recorded) any { return &e.Position }),
	postgres.Of("stream_id", func(e *eventstore.Recorded) any { return (*[16]byte)(&e.Stream) }),
	postgres.Of("version", func(e *eventstore.Recorded) any { return &e.Version }),
	postgres.Of("type", func(e *eventstore.Recorded) any { return &e.Type }),
	postgres.Of("schema_version", func(e *eventstore.Recorded) any { return &e.SchemaVersion }),
	postgres.Of("payload", func(e *eventstore.Recorded) any { return &e.Payload }),
	postgres.Of("recorded_at", func(e *eventstore.Recorded) any { return &e.RecordedAt }),
}

// newDelivery is a message that becomes due. It is due at the time of recording, because the
// ledger's clock may differ from the dispatcher's (in a sandbox).
type newDelivery struct {
	message
	RecordedAt time.Time
}

var newDeliveryColumns = postgres.Columns[newDelivery]{
	postgres.Typed("uuid", "uuid", func(d *newDelivery) *[16]byte { return (*[16]byte)(&d.ID) }),
	postgres.Typed("intent_uuid", "uuid", func(d *newDelivery) *[16]byte { return (*[16]byte)(&d.Intent) }),
	postgres.Typed("sequence", "int4", func(d *newDelivery) *int { return &d.Sequence }),
	postgres.Typed("event", "text", func(d *newDelivery) *string { return &d.Event }),
	postgres.Typed("occurred_at", "timestamptz", func(d *newDelivery) *time.Time { return &d.OccurredAt }),
	postgres.Typed("late", "bool", func(d *newDelivery) *bool { return &d.Late }),
	postgres.Typed("refund", "text", func(d *newDelivery) **string { return &d.Refund }),
	postgres.Typed("recorded_at", "timestamptz", func(d *newDelivery) *time.Time { return &d.RecordedAt }),
}

// newDeliveriesSQL makes rows of the arrays of newDeliveries, each with its intent's row. That
// is looked up by key: OFFSET 0 excludes other plans.
var newDeliveriesSQL = `
SELECT ` + newDeliveryColumns.List("e.") + `, e.place, i.application_uuid, i.reference, i.merchant_reference
FROM ` + newDeliveryColumns.Unnest(1) + ` WITH ORDINALITY AS e(` + newDeliveryColumns.List("") + `, place)
CROSS JOIN LATERAL (
    SELECT application_uuid, reference, merchant_reference
    FROM intents
    WHERE uuid = e.intent_uuid
    OFFSET 0) i`

func newDeliveries(events []eventstore.Recorded) ([]any, error) {
	rows := make([]newDelivery, len(events))
	for n, e := range events {
		m, err := messageOf(e)
		if err != nil {
			return nil, err
		}
		rows[n] = newDelivery{m, e.RecordedAt}
	}
	return newDeliveryColumns.Arrays(rows), nil
}
