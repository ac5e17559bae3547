package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/web"
)

// Why authentication fails, in the order of the checks.
var (
	ErrUnauthenticated = errors.New("access token is missing, invalid, revoked or expired")
	ErrMissingAPIKey   = errors.New("API key is missing")
	ErrInvalidAPIKey   = errors.New("API key is unknown, of another organisation, or of an inactive application")
	// ErrWrongNetwork is an ErrUnauthenticated: a token that came from outside of its networks is
	// refused as one that does not exist. It is for the log of the token's organisation.
	ErrWrongNetwork = fmt.Errorf("%w: it is bound to other networks", ErrUnauthenticated)
	// ErrStaleCredential says that credentials have changed since this one was
	// read; Reauthenticate finds out whether it is still valid.
	ErrStaleCredential = errors.New("credentials have changed")
)

// refused is one of the first three, or Throttled, where the request had the key of an
// application.
type refused struct {
	error

	application domain.ApplicationID
}

func (r *refused) Unwrap() error { return r.error }

// RefusedApplication is the application whose key came with a request that Authenticate
// refused. The client did not prove that it is that application: use it only to inform its
// developers.
func RefusedApplication(err error) (domain.ApplicationID, bool) {
	if r, ok := errors.AsType[*refused](err); ok {
		return r.application, true
	}
	return domain.ApplicationID{}, false
}

// Credential is the identity of the client that sent a request.
type Credential struct {
	Organization OrganizationID
	Application  domain.ApplicationID
	Namespace    domain.Namespace
	Token        TokenID
	Scopes       []Scope
	// Epoch is the credential epoch under which this was read. It authorises
	// changes only while the epoch is current.
	Epoch int64
}

// credentialCache caches valid credentials. When it is full it is cleared: the next requests
// query the database again.
type credentialCache struct {
	sync.RWMutex
	entries map[pair]cachedCredential
	keys    map[Hash]domain.ApplicationID // keys that are or were in force
	tokens  map[Hash]struct{}             // tokens that were in force at their last use
}

type pair struct{ token, key Hash }

type cachedCredential struct {
	Credential
	networks  web.NetworkSet
	expiresAt *time.Time
}

const maxCached = 20_000

func (c *credentialCache) find(p pair) (cachedCredential, bool) {
	c.RLock()
	defer c.RUnlock()
	r, ok := c.entries[p]
	return r, ok
}

func (c *credentialCache) put(p pair, r cachedCredential) {
	c.Lock()
	defer c.Unlock()
	if len(c.entries) >= maxCached {
		clear(c.entries)
	}
	c.entries[p] = r
	c.noteKey(p.key, r.Application)
	c.noteToken(p.token)
}

// noteKey stores the application of a key. The caller holds the lock.
func (c *credentialCache) noteKey(key Hash, of domain.ApplicationID) {
	if len(c.keys) >= maxCached {
		clear(c.keys)
	}
	c.keys[key] = of
}

// putKey stores the application of a new key.
func (c *credentialCache) putKey(key Hash, of domain.ApplicationID) {
	c.Lock()
	defer c.Unlock()
	c.noteKey(key, of)
}

// applicationOf is the application of a key that is or was in force.
func (c *credentialCache) applicationOf(key Hash) (domain.ApplicationID, bool) {
	c.RLock()
	defer c.RUnlock()
	id, known := c.keys[key]
	return id, known
}

// remove removes a credential that was refused, and stores whether its token is in force.
func (c *credentialCache) remove(p pair, inForce bool) {
	c.Lock()
	defer c.Unlock()
	delete(c.entries, p)
	if inForce {
		c.noteToken(p.token)
	} else {
		delete(c.tokens, p.token)
	}
}

// noteToken stores a token in force. The caller holds the lock.
func (c *credentialCache) noteToken(token Hash) {
	if len(c.tokens) >= maxCached {
		clear(c.tokens)
	}
	c.tokens[token] = struct{}{}
}

func (c *credentialCache) knowsToken(token Hash) bool {
	c.RLock()
	defer c.RUnlock()
	_, known := c.tokens[token]
	return known
}

// How many requests with well-formed tokens that are not in force a network may send. Each
// costs a query. Five a second are few for the database, and more than a program sends that
// still has an old token.
const (
	failuresPerSecond = 5
	failuresAtOnce    = 300
)

// Authenticate finds the identity of a client by its access token and API key. An empty
// token is a missing one. It may answer from the cache: the caller must check that
// the epoch is current when it acts (Confirm, or the ledger's fence). Errors other than
// the first three above and Throttled are the database's. The error is Throttled after too
// many invalid tokens from a network, for a token that this server does not know; the token
// was not looked up. The client's address is stored with the last use.
func (a *Accounts) Authenticate(ctx context.Context, token, apiKey string, hasAPIKey bool,
	address string,
) (Credential, error) {
	p := pair{HashOf(token), HashOf(apiKey)}
	if r, ok := a.cache.find(p); ok && hasAPIKey {
		if !isFrom(r.networks, address) {
			// Whatever has changed meanwhile, its networks have not.
			return Credential{}, &refused{ErrWrongNetwork, r.Application}
		}
		if now := a.now(); r.expiresAt == nil || now.Before(*r.expiresAt) {
			a.uses.note(r.Token, p.key, use{now, address})
			return r.Credential, nil
		}
	}
	if looksLikeToken(token) && !a.cache.knowsToken(p.token) {
		if wait := a.failures.Wait(address); wait > 0 {
			return Credential{}, a.refuseWithoutLookup(p.key, hasAPIKey, Throttled{RetryAfter: wait})
		}
	}
	return a.Reauthenticate(ctx, token, apiKey, hasAPIKey, address)
}

// One snapshot shows the epoch and the credentials that it covers.
const authenticateSQL = `
SELECT c.epoch, t.uuid, t.organization_uuid, t.scopes, t.networks, t.expires_at, t.revoked_at, a.uuid,
       a.organization_uuid, a.active, a.namespace
FROM credential_epoch c
     LEFT JOIN access_tokens t ON t.token_hash = $1
     LEFT JOIN applications a ON a.api_key_hash = $2`

// Reauthenticate is Authenticate without the cache, for credentials that it has just accepted:
// they are not throttled. It replaces the cached entry, or removes it where it refuses.
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
	f, err := postgres.Find(ctx, a.pool, "authenticate", pgx.ErrNoRows,
		pgx.RowToStructByPos[lookup], authenticateSQL, p.token[:], keyHash)
	if err != nil {
		return Credential{}, err
	}
	if err := f.check(a.now(), hasAPIKey, address); err != nil {
		inForce := !errors.Is(err, ErrUnauthenticated)
		a.cache.remove(p, inForce)
		if !inForce {
			a.failures.Take(address)
		}
		return Credential{}, f.refused(err)
	}
	r := cachedCredential{
		Credential: Credential{
			Organization: *f.TokenOrganization, Application: *f.Application,
			Namespace: *f.Namespace, Token: *f.Token, Scopes: f.Scopes, Epoch: f.Epoch,
		},
		networks: f.Networks, expiresAt: f.ExpiresAt,
	}
	a.cache.put(p, r)
	a.uses.note(r.Token, p.key, use{a.now(), address})
	return r.Credential, nil
}

// refuseWithoutLookup refuses a request without a query. The application of its key is known
// where this server has seen the key before.
func (a *Accounts) refuseWithoutLookup(key Hash, hasAPIKey bool, err error) error {
	if id, known := a.cache.applicationOf(key); known && hasAPIKey {
		return &refused{err, id}
	}
	return err
}

// refused adds the application to a refusal, where the key is that of one.
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
	Scopes               []Scope
	Networks             web.NetworkSet
	ExpiresAt, RevokedAt *time.Time
	Application          *domain.ApplicationID
	Owner                *OrganizationID
	Active               *bool
	Namespace            *domain.Namespace
}

func (f lookup) check(now time.Time, hasAPIKey bool, address string) error {
	switch {
	case f.Token == nil, f.RevokedAt != nil, f.ExpiresAt != nil && !now.Before(*f.ExpiresAt):
		return ErrUnauthenticated
	case !isFrom(f.Networks, address):
		if f.Application == nil || *f.Owner != *f.TokenOrganization {
			return ErrUnauthenticated // those who read this application's log learn nothing
		}
		return ErrWrongNetwork
	case !hasAPIKey:
		return ErrMissingAPIKey
	case f.Application == nil, *f.Owner != *f.TokenOrganization, !*f.Active:
		return ErrInvalidAPIKey
	}
	return nil
}

// isFrom reports whether a client may use a token that is bound to networks.
func isFrom(networks web.NetworkSet, address string) bool {
	if len(networks) == 0 {
		return true
	}
	client, err := netip.ParseAddr(address)
	return err == nil && networks.Contain(client)
}

// ConfirmIn is Confirm within a transaction.
func ConfirmIn(ctx context.Context, tx pgx.Tx, c Credential) error {
	epoch, err := postgres.Find(ctx, tx, "confirm credential", nil, pgx.RowTo[int64], epochSQL)
	if err == nil && epoch != c.Epoch {
		err = ErrStaleCredential
	}
	return err
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
