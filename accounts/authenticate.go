package accounts

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Why authentication fails, in the order of the checks.
var (
	ErrUnauthenticated = errors.New("access token is missing, invalid, revoked or expired")
	ErrMissingAPIKey   = errors.New("API key is missing")
	ErrInvalidAPIKey   = errors.New("API key is unknown, of another organisation, or of an inactive application")
	// ErrStaleCredential says that credentials have changed since this one was
	// read; Reauthenticate finds out whether it is still valid.
	ErrStaleCredential = errors.New("credentials have changed")
)

// refused is one of the first three, or Throttled, of a request that came with the key of an application.
type refused struct {
	error

	application domain.ApplicationID
}

func (r *refused) Unwrap() error { return r.error }

// RefusedApplication is the application whose key came with a request that Authenticate
// refused. That nobody proved to be that application: what it is for is to tell its
// developers.
func RefusedApplication(err error) (domain.ApplicationID, bool) {
	if r, ok := errors.AsType[*refused](err); ok {
		return r.application, true
	}
	return domain.ApplicationID{}, false
}

// Credential is the identity behind a request.
type Credential struct {
	Organization OrganizationID
	Application  domain.ApplicationID
	Namespace    domain.Namespace
	Token        TokenID
	// Epoch is the credential epoch under which this was read. It authorises
	// changes only while the epoch is current.
	Epoch int64
}

// memory caches valid credentials. When it is full it is cleared: the next requests
// ask the database again.
type memory struct {
	sync.RWMutex
	entries map[pair]remembered
	keys    map[Hash]domain.ApplicationID // of keys that are or were in force
	tokens  map[Hash]struct{}             // that were in force when they came last
}

type pair struct{ token, key Hash }

type remembered struct {
	Credential
	expiresAt *time.Time
}

const maxRemembered = 20_000

func (m *memory) find(p pair) (remembered, bool) {
	m.RLock()
	defer m.RUnlock()
	r, ok := m.entries[p]
	return r, ok
}

func (m *memory) keep(p pair, r remembered) {
	m.Lock()
	defer m.Unlock()
	if len(m.entries) >= maxRemembered {
		clear(m.entries)
	}
	m.entries[p] = r
	m.noteKey(p.key, r.Application)
	m.noteToken(p.token)
}

// noteKey remembers whose key it is. The caller holds the lock.
func (m *memory) noteKey(key Hash, of domain.ApplicationID) {
	if len(m.keys) >= maxRemembered {
		clear(m.keys)
	}
	m.keys[key] = of
}

// keepKey remembers a new key.
func (m *memory) keepKey(key Hash, of domain.ApplicationID) {
	m.Lock()
	defer m.Unlock()
	m.noteKey(key, of)
}

// applicationOf is the application whose key it is, or was.
func (m *memory) applicationOf(key Hash) (domain.ApplicationID, bool) {
	m.RLock()
	defer m.RUnlock()
	id, known := m.keys[key]
	return id, known
}

// refuse forgets what was refused, and remembers of its token whether it was in force.
func (m *memory) refuse(p pair, inForce bool) {
	m.Lock()
	defer m.Unlock()
	delete(m.entries, p)
	if inForce {
		m.noteToken(p.token)
	} else {
		delete(m.tokens, p.token)
	}
}

// noteToken remembers a token in force. The caller holds the lock.
func (m *memory) noteToken(token Hash) {
	if len(m.tokens) >= maxRemembered {
		clear(m.tokens)
	}
	m.tokens[token] = struct{}{}
}

func (m *memory) knowsToken(token Hash) bool {
	m.RLock()
	defer m.RUnlock()
	_, known := m.tokens[token]
	return known
}

// How many requests with well-formed tokens that are not in force a line may send, each of
// which costs a query: five a second is more than a program sends that somebody forgot to give
// the new token, and little for the database.
const (
	failuresPerSecond = 5
	failuresAtOnce    = 300
)

// Authenticate finds the identity behind an access token and an API key. An empty
// token is a missing one. It may answer from the cache: the caller must check that
// the epoch is current when it acts (Confirm, or the ledger's fence). Errors other than
// the first three above and Throttled are the database's. Throttled is a token that this
// server does not know to be in force, from a network that too many wrong ones came from;
// it was not looked up. The client's address is stored with the last use.
func (a *Accounts) Authenticate(ctx context.Context, token, apiKey string, hasAPIKey bool,
	address string,
) (Credential, error) {
	p := pair{HashOf(token), HashOf(apiKey)}
	if r, ok := a.remembered.find(p); ok && hasAPIKey {
		if now := a.now(); r.expiresAt == nil || now.Before(*r.expiresAt) {
			a.uses.note(r.Token, p.key, use{now, address})
			return r.Credential, nil
		}
	}
	if looksLikeToken(token) && !a.remembered.knowsToken(p.token) {
		if wait := a.failures.Wait(address); wait > 0 {
			return Credential{}, a.refuseWithoutLookup(p.key, hasAPIKey, Throttled{RetryAfter: wait})
		}
	}
	return a.Reauthenticate(ctx, token, apiKey, hasAPIKey, address)
}

// One snapshot shows the epoch and the credentials that it covers.
const authenticateSQL = `
SELECT c.epoch, t.uuid, t.organization_uuid, t.expires_at, t.revoked_at, a.uuid, a.organization_uuid, a.active, a.namespace
FROM credential_epoch c
     LEFT JOIN access_tokens t ON t.token_hash = $1
     LEFT JOIN applications a ON a.api_key_hash = $2`

// Reauthenticate is Authenticate without the cache, for credentials that it has just let in:
// they are not throttled. What was cached is replaced, or forgotten where it is refused.
func (a *Accounts) Reauthenticate(ctx context.Context, token, apiKey string, hasAPIKey bool,
	address string,
) (Credential, error) {
	p := pair{HashOf(token), HashOf(apiKey)}
	if !looksLikeToken(token) {
		return Credential{}, a.refuseWithoutLookup(p.key, hasAPIKey, ErrUnauthenticated)
	}
	var keyHash []byte // null finds no application
	if hasAPIKey && looksLikeAPIKey(apiKey) {
		keyHash = p.key[:]
	}
	f, err := postgres.Find(ctx, a.pool, "authenticate", pgx.ErrNoRows, pgx.RowToStructByPos[lookup],
		authenticateSQL, p.token[:], keyHash)
	if err != nil {
		return Credential{}, err
	}
	if err := f.check(a.now(), hasAPIKey); err != nil {
		inForce := !errors.Is(err, ErrUnauthenticated)
		a.remembered.refuse(p, inForce)
		if !inForce {
			a.failures.Take(address)
		}
		return Credential{}, f.refused(err)
	}
	r := remembered{
		Credential: Credential{
			Organization: *f.TokenOrganization, Application: *f.Application, Namespace: *f.Namespace, Token: *f.Token,
			Epoch: f.Epoch,
		},
		expiresAt: f.ExpiresAt,
	}
	a.remembered.keep(p, r)
	a.uses.note(r.Token, p.key, use{a.now(), address})
	return r.Credential, nil
}

// refuseWithoutLookup is the refusal of a request that nothing was looked up for. Whose key it has
// is known where this server has seen the key before.
func (a *Accounts) refuseWithoutLookup(key Hash, hasAPIKey bool, err error) error {
	if id, known := a.remembered.applicationOf(key); known && hasAPIKey {
		return &refused{err, id}
	}
	return err
}

// refused is the refusal with the application, where the key is that of one.
func (f lookup) refused(err error) error {
	if f.Application == nil {
		return err
	}
	return &refused{err, *f.Application}
}

// lookup is what the database has of a token and a key; nil where there is none.
type lookup struct {
	Epoch                int64
	Token                *TokenID
	TokenOrganization    *OrganizationID
	ExpiresAt, RevokedAt *time.Time
	Application          *domain.ApplicationID
	Owner                *OrganizationID
	Active               *bool
	Namespace            *domain.Namespace
}

func (f lookup) check(now time.Time, hasAPIKey bool) error {
	switch {
	case f.Token == nil, f.RevokedAt != nil, f.ExpiresAt != nil && !now.Before(*f.ExpiresAt):
		return ErrUnauthenticated
	case !hasAPIKey:
		return ErrMissingAPIKey
	case f.Application == nil, *f.Owner != *f.TokenOrganization, !*f.Active:
		return ErrInvalidAPIKey
	}
	return nil
}

// Confirm checks that a credential's epoch is current, for an answer that does not
// touch the ledger. The error is ErrStaleCredential where it must be read again.
func (a *Accounts) Confirm(ctx context.Context, c Credential) error {
	epoch, err := a.epochs.Ask(ctx, struct{}{})
	if err != nil {
		return fmt.Errorf("confirm credential: %w", err)
	}
	if epoch != c.Epoch {
		return ErrStaleCredential
	}
	return nil
}
