package domain

import (
	"crypto/sha1" //nolint:gosec // of a uuid
	"encoding/base32"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// ApplicationID identifies the application that owns an intent.
type ApplicationID uuid.UUID

func (id ApplicationID) String() string { return uuid.UUID(id).String() }

// IntentID identifies a payment intent and names its event stream.
type IntentID uuid.UUID

func (id IntentID) String() string { return uuid.UUID(id).String() }

// ParseIntentID reads the canonical text form of a uuid, in any case. Other
// spellings that uuid libraries take (braces, urn:, no dashes) are refused, so
// that one intent has one address.
func ParseIntentID(s string) (IntentID, error) {
	id, err := parseCanonical(s)
	if err != nil {
		return IntentID{}, fmt.Errorf("parse intent id: %w", err)
	}
	return IntentID(id), nil
}

func parseCanonical(s string) (uuid.UUID, error) {
	if len(s) != 36 {
		return uuid.UUID{}, fmt.Errorf("%d characters, want 36", len(s))
	}
	return uuid.Parse(s)
}

// Namespace is the secret random value of an application from which the ids of
// its intents are derived. With it one can find out which merchant references were
// used, so it is never shown.
type Namespace uuid.UUID

// IntentID derives the id of the intent with the given merchant reference. The
// same reference always gives the same id: the uniqueness of a stream's first
// event is what makes creation idempotent.
func (n Namespace) IntentID(r MerchantReference) IntentID {
	return IntentID(NameBased(uuid.UUID(n), string(r)))
}

// RefundID derives the id of the application's refund with the given reference, as IntentID does:
// another string than any merchant reference of the same text.
func (n Namespace) RefundID(r RefundReference) RefundID {
	return RefundID(NameBased(uuid.UUID(n), "refund\x00"+string(r)))
}

// NameBased is the uuid of version 5 of a name (RFC 9562, section 5.5): the result of
// uuid.NewSHA1, without its allocations.
func NameBased(namespace uuid.UUID, name string) uuid.UUID {
	var buf [512]byte
	sum := sha1.Sum(append(append(buf[:0], namespace[:]...), name...)) //nolint:gosec // as RFC 9562 requires
	id := uuid.UUID(sum[:len(uuid.UUID{})])
	id[6], id[8] = id[6]&0x0f|0x50, id[8]&0x3f|0x80
	return id
}

// MerchantReference is the merchant's own name for an intent, compared byte for
// byte and never normalised.
type MerchantReference string

// RefundReference is the merchant's own name for a refund, compared byte for byte.
type RefundReference string

// Reference is the short name of an intent that customers see: ten lower-case
// Crockford base32 characters, about 50 bits. Receipts show it in capitals.
type Reference string

// NewReference encodes random bytes as a reference.
func NewReference(random [7]byte) Reference {
	return Reference(crockford.EncodeToString(random[:])[:10])
}

// Capitals is the reference as receipts show it.
func (r Reference) Capitals() string { return strings.ToUpper(string(r)) }

// CheckoutToken is the secret part of a checkout URL: 128 random bits.
type CheckoutToken string

// NewCheckoutToken encodes random bytes as a token.
func NewCheckoutToken(random [16]byte) CheckoutToken {
	return CheckoutToken(crockford.EncodeToString(random[:]))
}

// AttemptID identifies one payment attempt. It is also the reference under
// which the acquirer knows the payment: ASCII letters and digits, 26 of them,
// and never used twice.
type AttemptID string

// NewAttemptID encodes random bytes as an id.
func NewAttemptID(random [16]byte) AttemptID {
	return AttemptID(crockford.EncodeToString(random[:]))
}

// RefundID identifies one refund, so that it is recorded once.
type RefundID uuid.UUID

func (id RefundID) String() string { return uuid.UUID(id).String() }

// ParseRefundID is ParseIntentID of a refund.
func ParseRefundID(s string) (RefundID, error) {
	id, err := parseCanonical(s)
	if err != nil {
		return RefundID{}, fmt.Errorf("parse refund id: %w", err)
	}
	return RefundID(id), nil
}

// MarshalText writes the canonical form.
func (id RefundID) MarshalText() ([]byte, error) { return uuid.UUID(id).MarshalText() }

// crockford is Crockford's base32 alphabet (no i, l, o, u) in lower case.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)
