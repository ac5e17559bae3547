package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/rs/zerolog"
	"github.com/wneessen/go-mail"
	"golang.org/x/net/idna"

	"daftar/internal/postgres"
	"daftar/internal/queue"
	"daftar/internal/sealing"
	"daftar/internal/worker"
)

const (
	// pollEvery is how soon a new mail is noticed, and countEvery how often those that
	// wait are counted.
	pollEvery  = 2 * time.Second
	countEvery = time.Minute
	// longWait is how long a mail waits before it is counted: there are always some that were just queued.
	longWait = 5 * time.Minute
	// lease is how long a claimed mail belongs to one server.
	lease = 2*sendLimit + 2*queue.StoreLimit
	// giveUpAfter is for how long a mail is tried again.
	giveUpAfter = 48 * time.Hour
	// keptFor is how long the outcome of a mail is kept.
	keptFor = 30 * 24 * time.Hour
	// maxError bounds the text of a server's answer, in bytes.
	maxError = 300
)

// retry has the pauses between the tries to send a mail. The longest is that of RFC 5321, section 4.5.4.1: a
// mail server that is back gets what waited within half an hour.
var retry = worker.Backoff{First: 10 * time.Second, Longest: 30 * time.Minute}

// Config is what a Sender needs.
type Config struct {
	Settings

	Pool *pgxpool.Pool
	Key  sealing.Key
	Now  func() time.Time
	Log  zerolog.Logger
	// Registerer takes the metrics; nil keeps them to itself.
	Registerer prometheus.Registerer
}

// Sender sends what is queued. Run it once per server.
type Sender struct {
	config  Config
	tries   *prometheus.CounterVec
	waiting prometheus.Gauge
}

// NewSender makes a Sender and registers its metrics. It panics if they are registered
// already.
func NewSender(c Config) *Sender {
	register := promauto.With(c.Registerer) // nil: registered nowhere
	s := &Sender{
		config: c,
		tries: register.NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_mail_tries_total",
			Help: "Tries to send a mail: sent, pending (another try follows) or failed (it was the last).",
		}, []string{"outcome"}),
		waiting: register.NewGauge(prometheus.GaugeOpts{
			Name: "daftar_mail_waiting",
			Help: "Mails of all servers that have waited for more than five minutes to be sent.",
		}),
	}
	for _, state := range []State{Sent, Pending, Failed} {
		s.tries.WithLabelValues(string(state)) // so that a rate begins at zero
	}
	return s
}

// Run sends mails until ctx ends.
func (s *Sender) Run(ctx context.Context) {
	var counting sync.WaitGroup
	defer counting.Wait()
	counting.Go(func() {
		loop := queue.Loop{Poll: countEvery, Failing: "mails are not counted", Log: s.config.Log}
		loop.Repeat(ctx, s.measure)
	})
	queue.Loop{Poll: pollEvery, Failing: "mails cannot be sent", Log: s.config.Log}.Run(ctx, s.sendNext)
}

// claimed is a mail that this server sends.
type claimed struct {
	ID        uuid.UUID
	Sealed    []byte
	Attempts  int // with this one
	CreatedAt time.Time
}

var (
	waiting = queue.Table{
		Name: "mails", Key: "uuid", Due: "next_attempt_at", Lease: "next_attempt_at",
		Where: `state = 'pending'`, Set: `, attempts = attempts + 1`,
	}
	claimSQL   = waiting.Claim(1, `uuid, message, attempts, created_at`)
	putBackSQL = waiting.PutBack(`, error = $4`)
)

const (
	// A mail that was sent is marked as sent even if another server has claimed it since, so
	// that it is not sent again.
	endSQL = `
UPDATE mails
SET state = $3, error = $4, message = NULL, next_attempt_at = $5, finished_at = $5
WHERE uuid = $1
  AND state = 'pending'
  AND (next_attempt_at = $2 OR $3 = 'sent')`
	countSQL = `SELECT count(*) FROM mails WHERE state = 'pending' AND created_at < $1`
	sweepSQL = `DELETE FROM mails WHERE state <> 'pending' AND finished_at < $1`
)

// sendNext tries the mail that has waited longest. It returns false where none is due.
func (s *Sender) sendNext(ctx context.Context) (bool, error) {
	now := s.config.Now()
	until := now.Add(lease)
	claiming, cancel := context.WithTimeout(ctx, queue.StoreLimit)
	defer cancel()
	c, err := postgres.Find(claiming, s.config.Pool, "claim mail", nil,
		pgx.RowToStructByPos[claimed], claimSQL, now, until)
	if err != nil || c.ID == (uuid.UUID{}) {
		return false, err
	}
	failure := s.send(ctx, c)
	state, next, said := outcome(c, failure, s.config.Now())
	s.tries.WithLabelValues(string(state)).Inc()
	log := s.config.Log.With().Stringer("mail", c.ID).Int("attempt", c.Attempts).Logger()
	if failure != nil {
		log.Warn().Str("error", said).Str("state", string(state)).Msg("mail not sent")
	} else {
		log.Info().Msg("mail sent")
	}
	marking, cancel := queue.Finish(ctx, queue.StoreLimit, queue.WriteGrace)
	defer cancel()
	if state == Pending {
		err = postgres.One(s.config.Pool.Exec(marking, putBackSQL, c.ID, until, next, said))
	} else {
		err = postgres.One(s.config.Pool.Exec(marking, endSQL, c.ID, until, state, said, next))
	}
	switch {
	case errors.Is(err, postgres.ErrNotOne): // it was withdrawn, or the claim lapsed
		return true, fmt.Errorf("%w: mark mail %s: %w", queue.ErrRow, c.ID, err)
	case err != nil:
		return true, fmt.Errorf("mark mail: %w", err)
	}
	return true, nil
}

// outcome returns the state of a mail after an attempt, when it is tried again, and what
// the server said.
func outcome(c claimed, failure error, now time.Time) (State, time.Time, string) {
	if failure == nil {
		return Sent, now, ""
	}
	// The library adds the address, which the reader knows.
	said, _, _ := strings.Cut(failure.Error(), ", affected ")
	said = strings.ToValidUTF8(strings.Map(oneLine, said[:min(len(said), maxError)]), "")
	next := now.Add(retry.Pause(c.Attempts - 1))
	refusal, refused := errors.AsType[*mail.SendError](failure)
	if refused && refusal.ErrorCode() >= 500 || next.Sub(c.CreatedAt) > giveUpAfter {
		return Failed, now, said
	}
	return Pending, next, said
}

// oneLine replaces control characters with spaces: PostgreSQL or a page refuses them.
func oneLine(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

func (s *Sender) send(ctx context.Context, c claimed) error {
	sending, cancel := queue.Finish(ctx, sendLimit, queue.StopGrace)
	defer cancel()
	text, err := s.config.Key.Open(c.Sealed, c.ID[:])
	if err != nil {
		return err
	}
	var m Message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return fmt.Errorf("read mail: %w", err)
	}
	letter, err := s.compose(c.ID, m)
	if err != nil {
		return err
	}
	client, err := s.config.client(sending)
	if err != nil {
		return err
	}
	if err := client.DialAndSendWithContext(sending, letter); err != nil && !letter.IsDelivered() {
		return s.config.explain(err)
	}
	return nil
}

// compose writes the mail. All input is encoded, or checked to be one address.
func (s *Sender) compose(id uuid.UUID, m Message) (*mail.Msg, error) {
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	from := s.config.From
	letter.FromMailAddress(&from)
	at := strings.LastIndexByte(m.To, '@') + 1
	domain, err := idna.Lookup.ToASCII(m.To[at:])
	if err != nil {
		return nil, fmt.Errorf("write mail: %w", err)
	}
	if err := letter.To(m.To[:at] + domain); err != nil {
		return nil, fmt.Errorf("write mail: %w", err)
	}
	letter.Subject(m.Subject)
	letter.SetDate()
	letter.SetMessageIDWithValue(id.String() + from.Address[strings.LastIndexByte(from.Address, '@'):])
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		letter.SetGenHeaderPreformatted("List-Unsubscribe", "<"+m.Unsubscribe+">")
		letter.SetGenHeaderPreformatted("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	letter.SetBodyString(mail.TypeTextPlain, m.Text)
	letter.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	return letter, nil
}

// measure counts the mails that have waited for long, and deletes those that were finished long ago.
func (s *Sender) measure(ctx context.Context) error {
	n, err := postgres.Find(ctx, s.config.Pool, "count mails", nil, pgx.RowTo[int], countSQL,
		s.config.Now().Add(-longWait))
	if err != nil {
		return err
	}
	s.waiting.Set(float64(n))
	if _, err := s.config.Pool.Exec(ctx, sweepSQL, s.config.Now().Add(-keptFor)); err != nil {
		return fmt.Errorf("delete old mails: %w", err)
	}
	return nil
}
