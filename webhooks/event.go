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
	"daftar/internal/postgres"
)

// The types of webhooks.
const (
	TypeCreated       = "payment_intent.created"
	TypeProcessing    = "payment_intent.processing"
	TypePaymentFailed = "payment_intent.payment_failed"
	TypeSucceeded     = "payment_intent.succeeded"
	TypeCanceled      = "payment_intent.canceled"
	TypeTest          = "webhook.test"
)

// webhookTypes maps the events that merchants get webhooks for to the types of
// those. A second payment is not among them: it leaves the intent's status alone.
var webhookTypes = map[string]string{
	domain.TypeCreated:        TypeCreated,
	domain.TypeAttemptStarted: TypeProcessing,
	domain.TypeAttemptFailed:  TypePaymentFailed,
	domain.TypeSucceeded:      TypeSucceeded,
	domain.TypeLateSucceeded:  TypeSucceeded,
	domain.TypeExpired:        TypeCanceled,
}

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
	return DeliveryID(uuid.NewSHA1(stream, strconv.AppendInt(nil, int64(version), 10)))
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
	OccurredAt        time.Time
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
}

// zeroNull reads null as zero.
type zeroNull int

// ScanInt64 is called by pgx.
func (n *zeroNull) ScanInt64(v pgtype.Int8) error {
	*n = zeroNull(v.Int64)
	return nil
}

type body struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      any       `json:"data"`
}

type intentData struct {
	UUID              string `json:"uuid"`
	Reference         string `json:"reference"`
	MerchantReference string `json:"merchant_reference"`
	Sequence          int    `json:"sequence"`
}

type testData struct {
	Application string `json:"application_uuid"`
}

// body is the message in the bytes that are signed. It has no status: the merchant
// retrieves the intent for that.
func (m message) body() []byte {
	b := body{Type: m.Event, Timestamp: m.OccurredAt.UTC()}
	if m.Event == TypeTest {
		b.Data = testData{Application: m.Application.String()}
	} else {
		b.Data = intentData{
			UUID: m.Intent.String(), Reference: m.Reference, MerchantReference: m.MerchantReference, Sequence: m.Sequence,
		}
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(b); err != nil {
		panic("webhooks: write JSON of strings: " + err.Error())
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// columns are events as the arrays that the recording statements take.
type columns struct {
	ids      []DeliveryID
	streams  []domain.IntentID
	versions []int32
	types    []string
	times    []time.Time
}

// unknown is an error for the first event that this version does not know. Only a
// later version can say whether such an event has a webhook: to skip it could lose
// a webhook.
func unknown(events []eventstore.Recorded) error {
	for _, e := range events {
		if _, ok := webhookTypes[e.Type]; !ok && e.Type != domain.TypeDuplicatePayment {
			return fmt.Errorf("position %d: %s: %w", e.Position, e.Type, domain.ErrUnknownEvent)
		}
	}
	return nil
}

// columnsOf leaves out the events that have no webhook.
func columnsOf(events []eventstore.Recorded) columns {
	var c columns
	for _, e := range events {
		name, ok := webhookTypes[e.Type]
		if !ok {
			continue
		}
		c.ids = append(c.ids, IDOf(e.Stream, e.Version))
		c.streams = append(c.streams, domain.IntentID(e.Stream))
		c.versions = append(c.versions, int32(e.Version))
		c.types = append(c.types, name)
		c.times = append(c.times, e.RecordedAt)
	}
	return c
}
