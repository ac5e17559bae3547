package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/internal/postgres/primary"
)

// ServiceRole is the role that may do what serving needs and nothing more; the
// migrations create it.
const ServiceRole = "daftar_service"

// AuditorRole is the role that may read what auditors need; the migrations create it, too.
const AuditorRole = "daftar_auditor"

// connectTimeout is the time for one address if the URL names no connect_timeout;
// without it a silent network would cost a caller two minutes.
const connectTimeout = 5 * time.Second

// ErrBadURL is returned for a database URL that cannot be read. It says no more,
// because in a malformed URL any part can be a part of the password.
var ErrBadURL = errors.New("the database URL cannot be read; " +
	"expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, " +
	"with special characters of the password percent-encoded")

// Options of a pool; the zero value of a field leaves what the URL or the
// server says.
type Options struct {
	// ApplicationName is what operators see in pg_stat_activity.
	ApplicationName string
	// MaxConns bounds the pool; 0: four, or the number of CPUs if that is more.
	MaxConns int32
	// StatementTimeout ends a statement; it fails with the kind Canceled.
	StatementTimeout time.Duration
	// IdleInTransactionTimeout ends a session that does not end its transaction, so
	// that its locks are released.
	IdleInTransactionTimeout time.Duration
	// PingAfter is how long a connection may have been idle to be used without a ping
	// first; 0: a second. A ping doubles the cost of a poll. Without one, the next user of
	// a connection that has broken meanwhile fails once, and has to try again.
	PingAfter time.Duration
	// RuntimeParams are further settings of each session.
	RuntimeParams map[string]string
	// NeverCancel lets the server finish a statement whose caller has left, within the
	// StatementTimeout. See neverCancel.
	NeverCancel bool
	// Primary is shared by the pools of one URL; nil: the pool makes its own.
	Primary *primary.Primary
	// MayBeLate allows any host of the URL that its target_session_attrs allows, such as a
	// standby, and not the primary alone.
	MayBeLate bool
	// SetServiceRole makes every session run as ServiceRole where that role
	// exists and the user may take it, so that even an owner's URL serves with
	// the least rights.
	SetServiceRole bool
}

// Open returns a pool of sessions in UTC and connects once, so that a wrong
// address or password is known at once. Errors: ErrBadURL, ErrSharedSessions, or one that
// Classify calls Unavailable. No error contains the password.
func Open(ctx context.Context, url string, o Options) (*pgxpool.Pool, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	o.apply(config)
	found, pooled, err := examine(ctx, config.ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if o.SetServiceRole && found.CanSetServiceRole {
		// RESET ROLE returns to a startup parameter, so it does not restore the rights of
		// the user. Through a pooler it does.
		config.ConnConfig.RuntimeParams["role"] = ServiceRole
	}
	if pooled {
		setAfterwards(config.ConnConfig)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return pool, nil
}

// NewPrimary finds out which of the hosts of a URL is the primary. The error is ErrBadURL.
func NewPrimary(url string, log zerolog.Logger) (*primary.Primary, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	return primary.New(config.ConnConfig, log), nil
}

// Hosts is how many a URL names. The error is ErrBadURL.
func Hosts(url string) (int, error) {
	p, err := NewPrimary(url, zerolog.Nop())
	if err != nil {
		return 0, err
	}
	return p.Hosts(), nil
}

// ParseURL reads a database URL (or key=value string) into the configuration of
// a pool whose sessions run in UTC. Of several hosts it leads to the primary. The error is
// ErrBadURL.
func ParseURL(url string) (*pgxpool.Config, error) {
	config, err := parse(url)
	if err == nil {
		primary.New(config.ConnConfig, zerolog.Nop()).Follow(config)
	}
	return config, err
}

func parse(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, ErrBadURL
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	// Other values, set for a login, a database or in the URL, would change the meaning of
	// statements, or make pgx refuse them.
	params := config.ConnConfig.RuntimeParams
	params["timezone"], params["client_encoding"], params["standard_conforming_strings"] = "UTC", "UTF8", "on"
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		// pgx would hand out instants in the zone of this machine.
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name:  "timestamptz",
			OID:   pgtype.TimestamptzOID,
			Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		acceptArrays(conn.TypeMap())
		return nil
	}
	return config, nil
}

func (o Options) apply(config *pgxpool.Config) {
	params := config.ConnConfig.RuntimeParams
	if o.ApplicationName != "" {
		params["application_name"] = o.ApplicationName
	}
	if o.MaxConns > 0 {
		config.MaxConns = o.MaxConns
		config.MinConns = min(config.MinConns, o.MaxConns)
	}
	if o.StatementTimeout > 0 {
		params["statement_timeout"] = milliseconds(o.StatementTimeout)
	}
	if o.IdleInTransactionTimeout > 0 {
		params["idle_in_transaction_session_timeout"] = milliseconds(o.IdleInTransactionTimeout)
	}
	if o.Primary == nil {
		o.Primary = primary.New(config.ConnConfig, zerolog.Nop())
	}
	if !o.MayBeLate {
		o.Primary.Follow(config)
	}
	breakOnDoubt(config.ConnConfig)
	if o.NeverCancel {
		neverCancel(config.ConnConfig)
	}
	if o.PingAfter > 0 {
		config.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool {
			return p.IdleDuration > o.PingAfter
		}
	}
	maps.Copy(params, o.RuntimeParams)
}

// milliseconds rounds up: 0 would mean no limit.
func milliseconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Millisecond-1)/time.Millisecond), 10)
}
