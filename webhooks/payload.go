package webhooks

import (
	"context"

	"daftar/internal/postgres"
)

var payloadSQL = `
SELECT ` + messageColumns.List("d.") + `
FROM ` + fullRows + ` d
JOIN applications a ON a.uuid = d.application_uuid
WHERE ($1 OR a.organization_uuid = $2)
  AND d.uuid = $3`

// Payload is the body of a delivery in the bytes that are signed and sent: each try encodes
// it from the same row, as this does. The error is ErrNoDelivery where the tenant has
// no such delivery.
func (d *Deliveries) Payload(ctx context.Context, of Tenant, id DeliveryID) ([]byte, error) {
	m, err := postgres.Find(ctx, d.pool, "find payload", ErrNoDelivery, messageColumns.Scan,
		payloadSQL, of.all, of.organization, id)
	if err != nil {
		return nil, err
	}
	return m.body(), nil
}

// Timestamp is the webhook-timestamp of the try.
func (t Try) Timestamp() int64 { return t.At.Unix() }
