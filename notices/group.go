package notices

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/facts"
)

// GroupName names the group's position in the log.
const GroupName = "notices"

// staleness is the least time between two polls while requests come in.
const staleness = time.Second

// Group is the feed's group that makes notices of events. One that is handled again changes nothing, and
// none is urgent: nobody reads a mail that soon.
func Group() feed.Group {
	return feed.Group{
		Name: GroupName, Handle: notice, OnFailure: feed.Halt, Only: domain.OfIntent, Urgent: feed.Nothing,
		Staleness: staleness,
	}
}

// notice is the group's handler: one statement for all the events, and none where no money moved.
func notice(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
	var all []occurrence
	for _, r := range events {
		kind, known := facts.Named(r.Type)
		if !known {
			return fmt.Errorf("position %d: %s: %w", r.Position, r.Type, domain.ErrUnknownEvent)
		}
		of, notified := kindOf(kind)
		if !notified {
			continue
		}
		event, err := domain.Decode(r)
		if err != nil {
			return fmt.Errorf("position %d: %w", r.Position, err)
		}
		d := kind.Details(event)
		all = append(all, occurrence{
			position: r.Position, kind: of, intent: (*[16]byte)(&r.Stream), attempt: string(d.Attempt),
			amount: d.Amount.Minor, currency: string(d.Amount.Currency), reason: d.Reason,
			at: event.OccurredAt(),
		})
	}
	if len(all) == 0 {
		return nil
	}
	return addNotices(ctx, tx, all, all[len(all)-1].at)
}

// kindOf is the kind of the notice of an event; false: members are not notified of it.
func kindOf(k *facts.Kind) (Kind, bool) {
	switch {
	case k.Money == facts.ReceivedAgain:
		return Duplicate, true
	case k.Money == facts.Received && k.Late:
		return Late, true
	case k.Money == facts.Received:
		return Paid, true
	case k.Stored == domain.TypeRefundFailed:
		return RefundFailed, true
	}
	return "", false
}
