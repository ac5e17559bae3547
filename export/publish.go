package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The headers of a message, for consumers that filter without reading bodies. The
// numbers are decimal, the time is RFC 3339.
const (
	headerPosition      = "Daftar-Position"
	headerStream        = "Daftar-Stream"
	headerVersion       = "Daftar-Version"
	headerType          = "Daftar-Type"
	headerSchemaVersion = "Daftar-Schema-Version"
	headerRecordedAt    = "Daftar-Recorded-At"
)

// headerWatermillID is where the NATSMarshaler of watermill-nats v2, with which
// consumers may read, expects the identity. To it all other headers are metadata.
const headerWatermillID = "_watermill_message_uuid"

// outgoing is an event to be published.
type outgoing struct {
	position int64
	msg      *nats.Msg
}

// id identifies the event, see message.
func (o outgoing) id() string { return o.msg.Header.Get(jetstream.MsgIDHeader) }

// InFlight bounds the messages that are sent and not yet acknowledged.
const InFlight = 512

var (
	// errConnection says that NATS did not answer.
	errConnection = errors.New("NATS is out of reach")
	// errRefused says that the stream did not take a message.
	errRefused = errors.New("the stream refused")
	// errWrongSequence says that the stream does not end right before the message.
	errWrongSequence = errors.New("the stream ends at another position")
	// ErrDiverged says that the stream and the log contradict each other.
	ErrDiverged = errors.New("the stream holds something else than the log")
)

// send publishes events and waits until JetStream has them on disk or in memory,
// as the stream is configured. After an error the first of them may be stored, without
// gaps. Errors: errConnection, errRefused, errWrongSequence, ErrDiverged.
func (x *NATS) send(ctx context.Context, batch []outgoing) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(x.link.Load().ctx, cancel)() // then no acknowledgement will arrive

	inbox := x.conn.NewInbox()
	answers, err := x.conn.SubscribeSync(inbox + ".*")
	if err != nil {
		return fmt.Errorf("%w: %w", errConnection, err)
	}
	defer func() { _ = answers.Unsubscribe() }() // fails with the connection
	acknowledged := 0
	for n, out := range batch {
		if n-acknowledged == InFlight {
			if err := x.acknowledgement(ctx, answers, batch); err != nil {
				return err
			}
			acknowledged++
		}
		out.msg.Reply = inbox + "." + strconv.Itoa(n)
		if err := x.conn.PublishMsg(out.msg); err != nil {
			if errors.Is(err, nats.ErrMaxPayload) {
				return fmt.Errorf("position %d: %w", out.position, err) // the event's fault
			}
			return fmt.Errorf("%w: position %d: %w", errConnection, out.position, err)
		}
	}
	for ; acknowledged < len(batch); acknowledged++ {
		if err := x.acknowledgement(ctx, answers, batch); err != nil {
			return err
		}
	}
	x.metrics.position.Set(float64(batch[len(batch)-1].position))
	return nil
}

// answer is JetStream's answer to a message.
type answer struct {
	Error     *jetstream.APIError `json:"error"`
	Stream    string              `json:"stream"`
	Sequence  int64               `json:"seq"`
	Duplicate bool                `json:"duplicate"`
}

// acknowledgement waits for the next acknowledgement, of any message.
func (x *NATS) acknowledgement(ctx context.Context, answers *nats.Subscription, batch []outgoing) error {
	msg, err := answers.NextMsgWithContext(ctx)
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%w: no stream listens to %s", errRefused, batch[0].msg.Subject)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errConnection, err)
	}
	n, err := strconv.Atoi(msg.Subject[strings.LastIndexByte(msg.Subject, '.')+1:])
	if err != nil || n < 0 || n >= len(batch) {
		return fmt.Errorf("%w: an answer to nothing that was asked", errRefused)
	}
	position := batch[n].position
	var a answer
	if err := json.Unmarshal(msg.Data, &a); err != nil {
		return fmt.Errorf("%w position %d: %w", errRefused, position, err)
	}
	switch {
	case a.Error != nil && isWrongSequence(a.Error):
		return fmt.Errorf("%w: position %d: %w", errWrongSequence, position, a.Error)
	case a.Error != nil:
		return fmt.Errorf("%w position %d: %w", errRefused, position, a.Error)
	case a.Stream != x.config.Stream:
		return fmt.Errorf("%w: the stream %s took position %d", ErrDiverged, a.Stream, position)
	case a.Sequence != position:
		return fmt.Errorf("%w: position %d is at sequence %d", ErrDiverged, position, a.Sequence)
	}
	x.metrics.published.Inc()
	if a.Duplicate {
		x.metrics.duplicates.Inc()
	}
	return nil
}

// isWrongSequence reports whether a message was refused because the stream does not end right
// before it.
func isWrongSequence(e *jetstream.APIError) bool {
	return e.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		e.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}
