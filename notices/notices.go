package notices

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/mail"
	"daftar/internal/sealing"
	"daftar/payments/decisions"
	"daftar/payments/outcomes"
	"daftar/projections"
	"daftar/webhooks"
)

// Kind is what a notice is about. The words are stored.
type Kind string

// The kinds.
const (
	Paid           Kind = "paid" // in time
	Late           Kind = "late"
	Duplicate      Kind = "duplicate"
	RefundFailed   Kind = "refund_failed"
	UnknownPayment Kind = "unknown_payment" // for an hour
	UnknownRefund  Kind = "unknown_refund"  // for an hour
	Stopped        Kind = "stopped"         // an endpoint, to which webhooks are not sent any more
)

// Kinds are all kinds, in the order in which a mail has them: what needs a decision comes first.
var Kinds = []Kind{Late, Duplicate, UnknownPayment, UnknownRefund, RefundFailed, Stopped, Paid}

// Notice is one that a mail has by name, not only in a sum.
type Notice struct {
	Kind        Kind
	At          time.Time
	Application string
	Test        bool             // of a test application: an endpoint's only
	Intent      *domain.IntentID // nil for an endpoint
	Reference   domain.Reference // empty for an endpoint
	Amount      domain.Money
	Acquirer    string // empty where no attempt is known, as are the next two
	Method      string
	Payer       string // masked
	Reason      string // of a failed refund, a word of refunds.Trouble; ReasonGone of an endpoint
}

// ReasonGone is the reason of an endpoint that answered 410; without it there were days of failures.
const ReasonGone = "gone"

// Sum is how many notices there are of one kind and, of payments, one method. Its amount is zero if the
// member may see no sums.
type Sum struct {
	Kind             Kind
	Acquirer, Method string
	projections.Total
	Currency domain.Currency
}

// Recipient is who gets a mail, and about which organisation.
type Recipient struct {
	Email        string
	Organization accounts.OrganizationID
	Name         string // of the organisation
	Token        uuid.UUID
}

// Digest is the content of a mail with a member's pending notices.
type Digest struct {
	Recipient

	Since time.Time // of the first
	Count int
	Sums  []Sum    // of all, in the order of Kinds
	Named []Notice // some of them: first what needs a decision, the oldest first, then payments, latest first
}

// Summary is a day of an organisation.
type Summary struct {
	Recipient
	projections.DayTakings

	Day domain.Day
	// What waits when the mail is written: late and duplicate payments, outcomes (MaxCounted: that many or
	// more), endpoints.
	ToDecide, Unknown, Stopped int
}

// maxNamed bounds what a mail has by name, and MaxCounted what a summary counts of unknown outcomes.
const (
	maxNamed   = 20
	MaxCounted = 1000
)

// Letters write the mails.
type Letters interface {
	Digest(Digest) mail.Message
	Summary(Summary) mail.Message
}

// Config is what Notices need.
type Config struct {
	Pool     *pgxpool.Pool
	Accounts *accounts.Accounts
	Key      sealing.Key // of the queue of mails
	Now      func() time.Time
	Log      zerolog.Logger
	// Letters write the mails; nil: mail is off, and nothing can be chosen.
	Letters Letters

	Payments   *projections.Payments
	Decisions  *decisions.Decisions
	Outcomes   *outcomes.Outcomes
	Deliveries *webhooks.Deliveries
}

// Notices keep what members choose, and notify them. It is safe for concurrent use.
type Notices struct{ Config }

// New makes Notices.
func New(c Config) *Notices { return &Notices{c} }

// On reports whether the service sends mail.
func (n *Notices) On() bool { return n.Letters != nil }

// beginSQL is for a group that never ran, or was forgotten: it need not read events without notices.
const beginSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
SELECT $1, coalesce(
    (SELECT min(noticed) FROM mail_preferences WHERE payments OR decisions),
    (SELECT max(position) FROM events), 0), clock_timestamp()
ON CONFLICT DO NOTHING`

// Begin is for before the feed runs with Group.
func (n *Notices) Begin(ctx context.Context) error {
	if _, err := n.Pool.Exec(ctx, beginSQL, GroupName); err != nil {
		return fmt.Errorf("begin notices: %w", err)
	}
	return nil
}
