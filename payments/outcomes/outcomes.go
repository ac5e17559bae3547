package outcomes

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/worker"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/refunds"
)

// Errors. Nothing has changed.
var (
	// ErrNoOutcome says that the tenant has no such payment or refund whose outcome is unknown: it never
	// had one, or it is known by now.
	ErrNoOutcome = errors.New("there is nothing unknown here")
	// ErrProposed says that somebody has proposed already what became of it.
	ErrProposed = errors.New("someone has recorded an outcome already: confirm or reject that")
	// ErrOwn says that the actor would confirm their own proposal.
	ErrOwn = errors.New("nobody confirms their own: another member has to")
	// ErrNoProposal says that there is no such proposal, or that it has ended.
	ErrNoProposal = errors.New("no such proposal")
	// ErrPaid says that the ledger has the payment as paid: no verdict takes that back.
	ErrPaid = payments.ErrAttemptPaid
	// ErrVerdict says that a verdict does not fit the kind.
	ErrVerdict = errors.New("a payment was paid or failed, a refund was refunded or failed")
	// ErrReference says that the acquirer's reference is not one line of up to 100 characters.
	ErrReference = refunds.ErrReference
	// ErrAlone says that too few members may settle outcomes for a second one to confirm.
	ErrAlone = errors.New("a second owner or finance member is needed to confirm")
)

// Kind is what has the unknown outcome. The words are stored.
type Kind string

// The kinds.
const (
	Payment Kind = "payment" // of an attempt
	Refund  Kind = "refund"
)

// Key names something whose outcome is unknown.
type Key struct {
	Kind    Kind
	Subject string // the id of the attempt, or of the refund
}

func (k Key) String() string { return string(k.Kind) + ":" + k.Subject }

// ParseKey reads the text of a Key. The error is ErrNoOutcome.
func ParseKey(text string) (Key, error) {
	kind, subject, _ := strings.Cut(text, ":")
	k := Key{Kind(kind), subject}
	if k.Kind != Payment && k.Kind != Refund || subject == "" || !plaintext.OneLine(subject) {
		return Key{}, ErrNoOutcome
	}
	return k, nil
}

// parameter is the subject as the tables of attempts and refunds have it.
func (k Key) parameter() (any, error) {
	switch k.Kind {
	case Payment:
		return k.Subject, nil
	case Refund:
		if id, err := accounts.ParseID[domain.RefundID]("a refund", k.Subject); err == nil {
			return [16]byte(id), nil
		}
	}
	return nil, ErrNoOutcome
}

// compare orders keys: everybody locks rows in this order.
func (k Key) compare(other Key) int {
	return cmp.Or(cmp.Compare(k.Kind, other.Kind), cmp.Compare(k.Subject, other.Subject))
}

// Verdict is what became of it. The words are stored.
type Verdict string

// The verdicts.
const (
	Paid     = Verdict(payments.VerdictPaid)   // of a payment
	Refunded = Verdict(refunds.Refunded)       // of a refund
	Failed   = Verdict(payments.VerdictFailed) // of either: no money moved
)

// Moved is the verdict that the money moved.
func (k Kind) Moved() Verdict {
	if k == Refund {
		return Refunded
	}
	return Paid
}

// Outcome is a payment or a refund whose outcome is unknown, with what a person needs to find out.
type Outcome struct {
	Key

	Application domain.ApplicationID
	Intent      domain.IntentID
	Reference   domain.Reference
	Attempt     domain.AttemptID
	Acquirer    string
	Method      string // empty where the attempt's row was lost
	Payer       string // masked; may be empty
	Amount      domain.Money
	BegunAt     time.Time  // the attempt, or the request of the refund
	Since       time.Time  // when it became unknown
	AskAt       *time.Time // when the acquirer is asked again; nil: it is not
	// Trouble is why, as it is stored: attempt.ReadTrouble or refunds.Trouble reads it.
	Trouble string
	// Proposal waits for a second person; nil: there is none.
	Proposal *Proposal
	// Proofs are what statements show, one for each member who compared one, the latest first.
	Proofs []Proof
}

// Proof is what a statement shows, to the member who compared it.
type Proof struct {
	Key

	FoundBy           accounts.UserID
	Finder            string // how people know them
	FoundAt           time.Time
	Verdict           Verdict
	Line              int // of the file; 0: the statement has no line of it
	ProviderReference string
	Amount            int64 // of the line, in minor units
	At                *time.Time
}

// NoLine is the evidence where a statement covers the time of an attempt, and no line names it.
const NoLine = "#0"

// text describes the line for the ledger, without a language: its number, and what it has.
func (p Proof) text(of domain.Money) string {
	if p.Line == 0 {
		return NoLine
	}
	text := fmt.Sprintf("#%d", p.Line)
	if p.ProviderReference != "" {
		text += " " + p.ProviderReference
	}
	if p.At != nil {
		text += " " + p.At.UTC().Format(time.RFC3339)
	}
	return text + " " + domain.Money{Minor: p.Amount, Currency: of.Currency}.String()
}

// ProofOf is the member's own proof; nil: they found none.
func (o Outcome) ProofOf(u accounts.UserID) *Proof {
	for n := range o.Proofs {
		if o.Proofs[n].FoundBy == u {
			return &o.Proofs[n]
		}
	}
	return nil
}

// Claim is what a person says became of something, and how they know.
type Claim struct {
	Verdict   Verdict
	Reference string // the acquirer's own number; may be empty
	Note      string
}

// check returns the claim with its note as it is kept. Errors: ErrVerdict, ErrReference, a
// payments.NoteError.
func (c Claim) check(k Kind) (Claim, error) {
	if c.Verdict != Failed && c.Verdict != k.Moved() {
		return c, ErrVerdict
	}
	if !refunds.IsReference(c.Reference) {
		return c, ErrReference
	}
	var err error
	c.Note, err = payments.CheckNote(c.Note)
	return c, err
}

// Outcomes lists what is unknown and takes what people say of it. It is safe for concurrent use.
type Outcomes struct {
	pool     *pgxpool.Pool
	ledger   *ledger.Ledger
	accounts *accounts.Accounts
	attempts *payments.Operations
	refunds  *refunds.Operations
	settled  worker.Signal // for Run on this server
}

// New makes Outcomes. Everything stays the caller's.
func New(
	pool *pgxpool.Pool, l *ledger.Ledger, a *accounts.Accounts, attempts *payments.Operations,
	r *refunds.Operations,
) *Outcomes {
	return &Outcomes{pool, l, a, attempts, r, worker.NewSignal()}
}
