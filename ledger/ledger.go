package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/tracing"
	"daftar/projections"
)

// Origin is the actor that causes a change, and its request.
type Origin struct {
	Actor       string // application:U, payer, acquirer:NAME, user:U, operator:NAME or system:NAME
	RequestID   string
	Correlation string // an id that several requests share; empty: the request alone
	Note        string // a person's reason; empty where no person decided
	ProposedBy  string // whose word the actor confirmed, named like Actor; empty: nobody's
	Statement   string // the line of a statement that shows it; empty: none
	// Epoch, unless 0, is the credential epoch under which the caller was authenticated.
	Epoch int64
}

// maxTries bounds how often a command is decided after conflicts. Each conflict means
// that another command has changed the intent, and an intent changes only a few times
// in its life.
const maxTries = 20

// Ledger carries out commands. It is safe for concurrent use.
type Ledger struct {
	store   *eventstore.Store
	intents *projections.Intents
}

// New creates a Ledger that writes to the store, whose inline read model must be
// projections.Inline, and reads the rows through intents.
func New(store *eventstore.Store, intents *projections.Intents) *Ledger {
	return &Ledger{store: store, intents: intents}
}

// Now is the ledger's clock, the database's.
func (l *Ledger) Now() time.Time { return l.store.Clock().Now() }

// Create creates an intent of the application with the given namespace, or finds
// the one that has the merchant reference already; created reports which. It sets
// the reference and the checkout token of the command to random values.
//
// The window of expires_at is checked for a new intent only: RefusedWindow is
// returned only where none exists.
func (l *Ledger) Create(ctx context.Context, c domain.Create, n domain.Namespace,
	o Origin,
) (i projections.Intent, created bool, err error) {
	id := n.IntentID(c.MerchantReference)
	var reference [7]byte
	var token [16]byte
	// Neither can fail: crypto/rand ends the program where the system has no
	// randomness.
	rand.Read(reference[:])
	rand.Read(token[:])
	c.Reference, c.CheckoutToken = domain.NewReference(reference), domain.NewCheckoutToken(token)

	// Most creates are new, so the first attempt assumes an empty stream; the append
	// checks that.
	state, err := l.decideAndAppend(ctx, domain.Blank(id), c, o)
	if err == nil {
		return projections.IntentOf(state), true, nil
	}
	var conflict *eventstore.Conflict
	switch {
	case errors.As(err, &conflict):
		i, err = l.Current(ctx, id, o.Epoch)
		return i, false, err
	case errors.Is(err, domain.RefusedWindow):
		i, missing := l.Current(ctx, id, o.Epoch)
		if errors.Is(missing, ErrNotFound) {
			return projections.Intent{}, false, err
		}
		if missing == nil { // no append of this server has confirmed it
			missing = l.store.Confirm(ctx)
		}
		return i, false, missing
	}
	return projections.Intent{}, false, err
}

// Current is the intent as it must be shown now: an overdue one is first canceled in the
// log. Epoch is as in Origin. Its errors are ErrNotFound, ErrStaleCredential,
// ErrContention and those of the store.
func (l *Ledger) Current(ctx context.Context, id domain.IntentID, epoch int64) (projections.Intent, error) {
	found, err := l.intents.Find(ctx, id)
	switch {
	case err != nil:
		return projections.Intent{}, err
	case epoch != 0 && found.Epoch != epoch:
		return projections.Intent{}, ErrStaleCredential
	case !found.Exists:
		return projections.Intent{}, ErrNotFound
	}
	return l.expireIfOverdue(ctx, found.Intent)
}

// expireIfOverdue returns a stored intent as it must be shown now: an overdue one is first canceled
// in the log.
func (l *Ledger) expireIfOverdue(ctx context.Context, i projections.Intent) (projections.Intent, error) {
	if !i.Overdue(l.Now()) {
		return i, nil
	}
	state, err := l.Execute(ctx, i.ID, domain.Expire{}, Origin{Actor: ActorExpiry})
	if _, ok := errors.AsType[domain.Refusal](err); ok {
		// The intent changed after it was found. The state on which the expiry was
		// refused is the current one.
		return projections.IntentOf(state), nil
	}
	if err != nil {
		return projections.Intent{}, err
	}
	return projections.IntentOf(state), nil
}

// ActorExpiry is the actor of changes that only the time causes.
const ActorExpiry = "system:expiry"

// ActorApplication is a merchant's program.
func ActorApplication(id domain.ApplicationID) string { return "application:" + id.String() }

// ActorUser is a member of an organisation: by id and not by name, because the ledger keeps its
// events for ever.
func ActorUser(id uuid.UUID) string { return "user:" + id.String() }

// Load is the state of an intent, folded from its events. The error is
// ErrNotFound where it has none.
func (l *Ledger) Load(ctx context.Context, id domain.IntentID) (domain.Intent, error) {
	recorded, err := l.store.ReadStream(ctx, uuid.UUID(id))
	return replay(id, recorded, err)
}

// Read is Load through q, for example in a transaction.
func Read(ctx context.Context, q eventstore.Querier, id domain.IntentID) (domain.Intent, error) {
	recorded, err := eventstore.NewReader(q).ReadStream(ctx, uuid.UUID(id))
	return replay(id, recorded, err)
}

// ofIntent reports whether a stream is that of an intent; it may be empty, or that of an account.
func ofIntent(recorded []eventstore.Recorded) bool {
	return len(recorded) > 0 && domain.OfIntent(recorded[0].Type)
}

// replay folds the events of a read, or returns its error.
func replay(id domain.IntentID, recorded []eventstore.Recorded, err error) (domain.Intent, error) {
	if err != nil {
		return domain.Intent{}, err
	}
	if !ofIntent(recorded) {
		return domain.Intent{}, ErrNotFound
	}
	return domain.Replay(id, recorded)
}

// Execute carries out a command on an existing intent and returns the state
// after it. Its errors are ErrNotFound, ErrContention, ErrStaleCredential, the
// domain's refusals and the errors of the store. With a refusal it returns the
// state on which the command was refused.
func (l *Ledger) Execute(ctx context.Context, id domain.IntentID, c domain.Command,
	o Origin,
) (domain.Intent, error) {
	_, after, err := l.Change(ctx, id, c, o)
	return after, err
}

// Change is Execute that also returns the state on which the command was decided. Where both
// states have the same version, the command was carried out before and has changed nothing.
func (l *Ledger) Change(ctx context.Context, id domain.IntentID, c domain.Command,
	o Origin,
) (before, after domain.Intent, err error) {
	for range maxTries {
		before, err = l.Load(ctx, id)
		if err != nil {
			return domain.Intent{}, domain.Intent{}, err
		}
		after, err = l.decideAndAppend(ctx, before, c, o)
		if _, ok := errors.AsType[*eventstore.Conflict](err); ok {
			continue
		}
		return before, after, err
	}
	return domain.Intent{}, domain.Intent{}, fmt.Errorf("execute %T on %s: %w", c, id, ErrContention)
}

// decideAndAppend decides on a state and appends on the condition that it is still current.
func (l *Ledger) decideAndAppend(ctx context.Context, state domain.Intent, c domain.Command,
	o Origin,
) (domain.Intent, error) {
	events, err := domain.Decide(state, c, l.Now())
	if err != nil || len(events) == 0 {
		return state, err
	}
	after := state
	stored := make([]eventstore.Event, len(events))
	for n, e := range events {
		after = domain.Evolve(after, e)
		encoded, err := domain.EncodeEvent(e)
		if err != nil {
			return state, err
		}
		stored[n] = eventstore.Event(encoded)
	}
	err = l.append(ctx, eventstore.Append{
		Stream: uuid.UUID(state.ID), Expected: state.Version, Events: stored, Row: projections.IntentOf(after),
	}, o)
	if err != nil {
		return state, err
	}
	return after, nil
}

// append adds where it comes from to an append, and writes it.
func (l *Ledger) append(ctx context.Context, a eventstore.Append, o Origin) error {
	ctx, end := tracing.Begin(ctx, "append")
	a.Fence = o.Epoch
	a.Metadata = eventstore.Metadata{
		Actor: o.Actor, RequestID: o.RequestID, CorrelationID: o.Correlation,
		Note: o.Note, ProposedBy: o.ProposedBy, Statement: o.Statement, TraceParent: tracing.Parent(ctx),
	}
	_, err := l.store.Append(ctx, a)
	end(err)
	switch {
	case errors.Is(err, eventstore.ErrFenced):
		return ErrStaleCredential
	case err != nil:
		return fmt.Errorf("append to %s: %w", a.Stream, err)
	}
	return nil
}
