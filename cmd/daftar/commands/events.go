package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/locale"
	"daftar/internal/output"
	"daftar/ledger"
)

func (p *program) events() *cobra.Command {
	history := p.streamCommand("history U", "List the events of one intent", p.history)
	return cli.Group("events", "The ledger as it was written, for auditors",
		history, p.eventsReplay(), p.eventsTail(), p.eventsExport(), p.eventsRestore())
}

func (p *program) eventsReplay() *cobra.Command {
	var atVersion int
	var at time.Time
	var link bool
	c := p.streamCommand("replay U [--at-version N | --at TIME]",
		"Show the state of one intent after each of its events, and what each changed",
		func(id domain.IntentID, events []eventstore.Recorded) error {
			return p.replay(id, events, atVersion, at, link)
		})
	cli.Flag(c, &atVersion, "at-version", "only the state after event `N`", cli.Positive[int])
	cli.Flag(c, &at, "at", "only the state at this `time`, RFC 3339", cli.ParseTime)
	c.Flags().BoolVar(&link, "link", false,
		"show the secret part of the checkout's path on a terminal, too: who has it can open the page")
	c.MarkFlagsMutuallyExclusive("at-version", "at")
	return c
}

// streamCommand is a command on the events of the intent that the first argument
// names. An auditor's connection, with SELECT on events, suffices.
func (p *program) streamCommand(use, short string,
	do func(domain.IntentID, []eventstore.Recorded) error,
) *cobra.Command {
	var id domain.IntentID
	read := p.onDatabase(forCommands, func(ctx context.Context, s session) error {
		events, err := readIntent(ctx, s.pool, id)
		if err != nil {
			return err
		}
		return do(id, events)
	})
	return cli.Argument(cli.Command(use, short, read), &id, cli.ParseIntent)
}

func readIntent(ctx context.Context, pool *pgxpool.Pool, id domain.IntentID) ([]eventstore.Recorded, error) {
	events, err := eventstore.NewReader(pool).ReadStream(ctx, uuid.UUID(id))
	if err == nil && len(events) == 0 {
		err = fmt.Errorf("%s: %w", id, ledger.ErrNotFound)
	}
	return events, err
}

// Times are shown twice: in UTC, as the ledger stores them, and in the payers' time zone.
const (
	utcForm     = "2006-01-02 15:04:05.000Z"
	tripoliForm = "2006-01-02 15:04:05"
)

// eventText is an event for people, after its number.
type eventText struct {
	UTC     string `json:"-" label:"UTC"`
	Tripoli string `json:"-" label:"Libya's time"`
	Type    string `json:"-" label:"event"   style:"event" width:"24"`
	By      string `json:"-" label:"by"`
	Place   string `json:"-" below:""        style:"dim"`
	Found   string `json:"-" below:"proposed by:"`
	Line    string `json:"-" below:"line of the statement:"`
	Note    string `json:"-" below:"note:"`
}

func newEventText(e eventstore.Recorded) (eventText, eventstore.Metadata, error) {
	from, err := e.Origin()
	return eventText{
		UTC: e.RecordedAt.Format(utcForm), Tripoli: locale.Tripoli(e.RecordedAt).Format(tripoliForm),
		Type: e.Type, By: from.Actor, Found: from.ProposedBy, Line: from.Statement, Note: from.Note,
	}, from, err
}

// historyEntry is an event with its place, what a person said about it, and its
// payload.
type historyEntry struct {
	Position   int64     `json:"position"`
	Version    int       `json:"version"       label:""`
	Event      string    `json:"type"`
	RecordedAt time.Time `json:"recorded_at"`
	Actor      string    `json:"actor"`
	ProposedBy string    `json:"proposed_by,omitempty"`
	Statement  string    `json:"statement,omitempty"`
	Remark     string    `json:"note,omitempty"`
	eventText

	Data json.RawMessage `json:"data" below:""`
}

func (p *program) history(id domain.IntentID, events []eventstore.Recorded) error {
	entries := make([]historyEntry, len(events))
	for n, e := range events {
		text, from, err := newEventText(e)
		if err != nil {
			return err
		}
		text.Place = "position " + output.Count(e.Position)
		if from.RequestID != "" {
			text.Place += ", request " + from.RequestID
		}
		entries[n] = historyEntry{
			e.Position, e.Version, e.Type, e.RecordedAt, from.Actor, from.ProposedBy, from.Statement, from.Note,
			text, e.Payload,
		}
	}
	return p.Answer(struct {
		UUID   string         `json:"uuid"`
		Title  string         `json:"-"      label:"" style:"bold"`
		Events []historyEntry `json:"events" label:""`
	}{id.String(), id.String() + "  " + count(len(events), "event", "events"), entries})
}
