package ledger

import (
	"context"
	"errors"
	"fmt"

	"daftar/books"
	"daftar/eventstore"
)

// Book carries out a command on an account at a provider and returns the events that it caused; none: it
// was carried out before. Its errors are ErrContention, ErrStaleCredential, those that wrap a
// books.Refusal, and those of the store.
func (l *Ledger) Book(ctx context.Context, k books.Key, c books.Command, o Origin) ([]books.Event, error) {
	for range maxTries {
		account, err := l.ProviderAccount(ctx, k)
		if err != nil {
			return nil, err
		}
		events, err := books.Decide(&account, c, l.Now())
		if err != nil || len(events) == 0 {
			return nil, err
		}
		stored := make([]eventstore.Event, len(events))
		for n, e := range events {
			encoded, err := books.Encode(e)
			if err != nil {
				return nil, err
			}
			stored[n] = eventstore.Event(encoded)
		}
		err = l.append(ctx, eventstore.Append{
			Stream: k.StreamID(), Expected: account.Version, Events: stored, NotShown: true,
		}, o)
		if _, ok := errors.AsType[*eventstore.Conflict](err); ok {
			continue
		}
		return events, err
	}
	return nil, fmt.Errorf("record %T of %s: %w", c, k.Acquirer, ErrContention)
}

// ProviderAccount is the state of an account at a provider, folded from its events; blank where it has
// none.
func (l *Ledger) ProviderAccount(ctx context.Context, k books.Key) (books.ProviderAccount, error) {
	recorded, err := l.store.ReadStream(ctx, k.StreamID())
	if err != nil {
		return books.ProviderAccount{}, err
	}
	return books.Replay(k, recorded)
}
