package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/web"
)

// Times are shown twice: as the ledger has them, and on the clock of those who
// paid.
const (
	utcForm     = "2006-01-02 15:04:05.000Z"
	tripoliForm = "2006-01-02 15:04:05"
	// eventForm has the version, UTC, Tripoli, the event and who caused it in
	// columns; details stand below, where the times begin.
	eventForm = "%3s  %-24s  %-19s  %s  %s\n"
	typeWidth = 24
	indent    = "     "
)

// heading names the columns of eventForm. Colours would count as characters, so
// that what is coloured is filled up first.
func heading(paint paint) string {
	return paint.bold(strings.TrimRight(fmt.Sprintf(eventForm, "", "UTC", "Tripoli", fmt.Sprintf("%-*s", typeWidth, "event"), "by"), "\n")) + "\n"
}

func eventLine(paint paint, number string, e eventstore.Recorded, actor string) string {
	return fmt.Sprintf(eventForm, number, e.RecordedAt.Format(utcForm), web.Tripoli(e.RecordedAt).Format(tripoliForm),
		paint.event(fmt.Sprintf("%-*s", typeWidth, printable(e.Type))), printable(actor))
}

// origin reads where an event comes from.
func origin(e eventstore.Recorded) (eventstore.Metadata, error) {
	var m eventstore.Metadata
	if err := json.Unmarshal(e.Metadata, &m); err != nil {
		return m, fmt.Errorf("read metadata at position %d: %w", e.Position, err)
	}
	return m, nil
}

func (p *program) history(id domain.IntentID, events []eventstore.Recorded) error {
	type entry struct {
		Position   int64           `json:"position"`
		Version    int             `json:"version"`
		Type       string          `json:"type"`
		RecordedAt time.Time       `json:"recorded_at"`
		Actor      string          `json:"actor"`
		Note       string          `json:"note,omitempty"`
		Data       json.RawMessage `json:"data"`
	}
	entries := make([]entry, len(events))
	paint := p.paint()
	var text strings.Builder
	fmt.Fprintf(&text, "%s  %s\n\n%s", paint.bold(id.String()), counted(len(events)), heading(paint))
	for n, e := range events {
		from, err := origin(e)
		if err != nil {
			return err
		}
		entries[n] = entry{
			Position: e.Position, Version: e.Version, Type: e.Type, RecordedAt: e.RecordedAt, Actor: from.Actor,
			Note: from.Note, Data: e.Payload,
		}
		text.WriteString(eventLine(paint, fmt.Sprint(e.Version), e, from.Actor))
		text.WriteString(details(paint, e, from))
	}
	return p.answer(map[string]any{"uuid": id.String(), "events": entries}, text.String())
}

// details are the lines below an event: its place, what a person said about it,
// and its payload as stored.
func details(paint paint, e eventstore.Recorded, from eventstore.Metadata) string {
	var b strings.Builder
	place := "position " + grouped(e.Position)
	if from.RequestID != "" {
		place += ", request " + printable(from.RequestID)
	}
	fmt.Fprintf(&b, "%s%s\n", indent, paint.dim(place))
	if from.Note != "" {
		fmt.Fprintf(&b, "%snote: %s\n", indent, printable(from.Note))
	}
	fmt.Fprintf(&b, "%s%s\n", indent, printable(string(e.Payload)))
	return b.String()
}

func counted(n int) string {
	if n == 1 {
		return "1 event"
	}
	return grouped(int64(n)) + " events"
}
