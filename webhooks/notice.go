package webhooks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/facts"
)

// Notice is the content of a webhook, as a merchant's server received it.
type Notice struct {
	Event             string
	At                time.Time
	Place             eventstore.Place
	Reference         string
	MerchantReference string
}

// maxNotice in bytes is larger than any body that this package sends.
const maxNotice = 1 << 16

// NoticeError is returned for a line that is no body of a webhook.
type NoticeError struct {
	Line int
	Err  error
}

func (e *NoticeError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *NoticeError) Unwrap() error { return e.Err }

// ReadNotices reads bodies of webhooks, one on each line, and counts those that it skips:
// tests, and types that this version does not know. The error is a *NoticeError or the
// reader's.
func ReadNotices(r io.Reader) (all []Notice, passed int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxNotice)
	number := 0
	for lines.Scan() {
		number++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		n, known, err := parseNotice(text)
		switch {
		case err != nil:
			return nil, 0, &NoticeError{number, err}
		case !known:
			passed++
		default:
			all = append(all, n)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, 0, &NoticeError{number + 1, lines.Err()}
	}
	return all, passed, lines.Err()
}

func parseNotice(text []byte) (n Notice, known bool, err error) {
	var b struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      struct {
			UUID              uuid.UUID `json:"uuid"`
			Reference         string    `json:"reference"`
			MerchantReference string    `json:"merchant_reference"`
			Sequence          int       `json:"sequence"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &b); err != nil {
		return n, false, err
	}
	if b.Type == "" {
		return n, false, errors.New("it has no type")
	}
	if _, known := facts.OfWebhook(b.Type); !known {
		return n, false, nil
	}
	if b.Data.UUID == uuid.Nil || b.Data.Sequence < 1 || b.Timestamp.IsZero() {
		return n, false, errors.New("it has no timestamp, data.uuid or data.sequence")
	}
	return Notice{
		Event: b.Type, At: b.Timestamp, Place: eventstore.Place{Stream: b.Data.UUID, Version: b.Data.Sequence},
		Reference: b.Data.Reference, MerchantReference: b.Data.MerchantReference,
	}, true, nil
}

// IsOf reports whether the notice has the content of the event's webhook.
func (n Notice) IsOf(e eventstore.Recorded) bool {
	m, err := messageOf(e)
	return err == nil && n.Place == e.Place() && n.Event == m.Event &&
		n.At.Equal(m.OccurredAt.Truncate(time.Microsecond))
}
