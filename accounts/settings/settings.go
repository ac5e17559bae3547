package settings

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/internal/sealing"
)

// Settings is safe for concurrent use.
type Settings struct {
	accounts *accounts.Accounts
	pool     *pgxpool.Pool
	key      sealing.Key
	now      func() time.Time
}

// New keeps settings in the pool's database; a decides who may change them. The key seals
// credentials of acquirers; now is the ledger's clock, nil the machine's.
func New(pool *pgxpool.Pool, a *accounts.Accounts, key sealing.Key, now func() time.Time) *Settings {
	return &Settings{a, pool, key, postgres.Clock(now)}
}

// Sealed are the credentials of acquirers, each sealed for application and acquirer.
var Sealed = []sealing.Column{{
	What: "settings of acquirer",
	Read: `
SELECT application_uuid || '/' || acquirer, uuid_send(application_uuid) || convert_to(acquirer, 'UTF8'),
       settings
FROM acquirer_accounts
ORDER BY application_uuid, acquirer`,
	Write: `
UPDATE acquirer_accounts
SET settings = $2
WHERE application_uuid = split_part($1, '/', 1)::uuid
  AND acquirer = split_part($1, '/', 2)`,
}}
