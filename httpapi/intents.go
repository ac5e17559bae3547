package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/projections"
)

// sentenceWindow is for the one violation that only the ledger can find: where the intent
// exists already, the window does not matter.
const sentenceWindow = "The expires_at must be more than 5 minutes and less than 31 days ahead."

// headerReplayed marks an answer that is that of an earlier request.
const headerReplayed = "Idempotent-Replayed"

// headerDiffers names the fields of this request that were ignored because they differ.
const headerDiffers = "Idempotent-Replayed-Differs"

// create is POST /payment-intents.
func (a *api) create(w http.ResponseWriter, r *http.Request) (operation, error) {
	body, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	command, err := DecodeCreate(body)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		command.Application = c.Application
		intent, created, err := a.Ledger.Create(ctx, command, c.Namespace, originOf(ctx, c))
		if errors.Is(err, domain.RefusedWindow) {
			return answer{}, &InvalidError{[]Violation{{"expires_at", []string{sentenceWindow}}}}
		}
		if err != nil {
			return answer{}, fmt.Errorf("create intent: %w", err)
		}
		noteIntent(w, intent.ID)
		if created {
			return a.show(http.StatusCreated, intent, nil)
		}
		return a.show(http.StatusOK, intent, replayed(command, intent))
	}, nil
}

// retrieve is GET /payment-intents/{uuid}.
func (a *api) retrieve(w http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofIntent(w, r, func(
		_ context.Context, _ accounts.Credential, i projections.Intent,
	) (answer, error) {
		return a.show(http.StatusOK, i, nil)
	})
}

// expire is POST /payment-intents/{uuid}/expire. It needs no body, and reads none.
func (a *api) expire(w http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofIntent(w, r, func(
		ctx context.Context, c accounts.Credential, i projections.Intent,
	) (answer, error) {
		if i.Status == domain.StatusRequiresPaymentMethod {
			state, err := a.Ledger.Execute(ctx, i.ID, domain.Expire{Stopped: true}, originOf(ctx, c))
			if err != nil {
				return answer{}, fmt.Errorf("expire intent: %w", err)
			}
			i = projections.IntentOf(state)
		}
		switch i.Status {
		case domain.StatusProcessing:
			return answer{}, domain.RefusedAttemptOpen
		case domain.StatusSucceeded:
			return answer{}, domain.RefusedPaid
		}
		return a.show(http.StatusOK, i, nil)
	})
}

// ofIntent calls do with the current state of the intent in the path.
func (a *api) ofIntent(w http.ResponseWriter, r *http.Request,
	do func(context.Context, accounts.Credential, projections.Intent) (answer, error),
) (operation, error) {
	id, err := domain.ParseIntentID(mux.Vars(r)["uuid"])
	if err != nil {
		return nil, ledger.ErrNotFound
	}
	noteIntent(w, id)
	return func(ctx context.Context, c accounts.Credential) (answer, error) {
		intent, err := a.Ledger.Current(ctx, id, c.Epoch)
		if err == nil && intent.Application != c.Application {
			return answer{}, errForbidden
		}
		var reply answer
		if err == nil {
			reply, err = do(ctx, c, intent)
		}
		if errors.Is(err, ledger.ErrContention) {
			return answer{}, errBeingChanged
		}
		if err != nil {
			return answer{}, fmt.Errorf("%s %s: %w", r.Method, id, err)
		}
		return reply, nil
	}, nil
}

func (a *api) show(status int, i projections.Intent, header http.Header) (answer, error) {
	return answerWith(status, header, data[resource]{resourceOf(i, a.PublicURL)})
}

func originOf(ctx context.Context, c accounts.Credential) ledger.Origin {
	return ledger.Origin{
		Actor:     ledger.ActorApplication(c.Application),
		RequestID: web.RequestID(ctx),
		Epoch:     c.Epoch,
	}
}

// replayed makes the headers of an answer that is that of an earlier request. They name the
// fields of this request that were ignored because they differ.
func replayed(c domain.Create, i projections.Intent) http.Header {
	h := http.Header{headerReplayed: {"true"}}
	if names := differing(c, i); len(names) > 0 {
		h.Set(headerDiffers, strings.Join(names, ", "))
	}
	return h
}

// differing names the fields of a repeated request that are not those of the
// intent, in the order of the specification. A field that was left out is
// compared as null, except expires_at, which is then not compared.
// The order of metadata does not count.
func differing(c domain.Create, i projections.Intent) []string {
	var names []string
	for _, field := range []struct {
		name string
		same bool
	}{
		{"amount", c.Amount.Minor == i.Amount.Minor},
		{"currency", c.Amount.Currency == i.Amount.Currency},
		{"customer", equal(c.CustomerID, i.CustomerID)},
		{"description", c.Description == i.Description},
		{"return_url", equal(c.ReturnURL, i.ReturnURL)},
		{"metadata", sameMetadata(c.Metadata, i.Metadata)},
		{"expires_at", c.ExpiresAt == nil || c.ExpiresAt.Equal(i.ExpiresAt)},
	} {
		if !field.same {
			names = append(names, field.name)
		}
	}
	return names
}

func equal(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func sameMetadata(a, b domain.Metadata) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	byKey := func(p, q domain.MetadataPair) int { return strings.Compare(p.Key, q.Key) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), byKey), slices.SortedFunc(slices.Values(b), byKey))
}
