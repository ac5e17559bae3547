package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/ops"
	"daftar/internal/output"
	"daftar/ledger"
	"daftar/projections"
)

// replayed is an intent's state after one of its events.
type replayed struct {
	Version    int             `json:"version"     label:""`
	Event      string          `json:"type"`
	RecordedAt time.Time       `json:"recorded_at"`
	Intent     json.RawMessage `json:"intent"`
	Changes    []change        `json:"changes"`
	eventText

	Changed []output.Styled `json:"-" below:""`
}

// change is a field that an event changed; nil: it had, or has, no value.
type change struct {
	Field string  `json:"field"`
	Old   *string `json:"old"`
	New   *string `json:"new"`
}

func (p *program) replay(id domain.IntentID, events []eventstore.Recorded, atVersion int, at time.Time,
	link bool,
) error {
	states := []replayed{}
	before := domain.Blank(id)
	for _, r := range events {
		if !at.IsZero() && r.RecordedAt.After(at) {
			break
		}
		e, err := domain.Decode(r)
		if err != nil {
			return err
		}
		after := domain.Evolve(before, e)
		if atVersion == 0 || r.Version == atVersion {
			s, err := p.stateAfter(r, before, after, link)
			if err != nil {
				return err
			}
			states = append(states, s)
		}
		before = after
	}
	switch {
	case len(states) == 0 && atVersion != 0:
		return fmt.Errorf("%s has %s: %w", id, count(len(events), "event", "events"), ledger.ErrNotFound)
	case len(states) == 0:
		return fmt.Errorf("%s: no event that early: %w", id, ledger.ErrNotFound)
	case !at.IsZero():
		states = states[len(states)-1:]
	}
	answer := struct {
		UUID   string     `json:"uuid"`
		Title  string     `json:"-"      label:"" style:"bold"`
		States []replayed `json:"states" label:""`
	}{id.String(), id.String(), states}
	if at.IsZero() && atVersion == 0 {
		return p.Answer(answer)
	}
	// One state was asked for: all of it is shown.
	var whole bytes.Buffer
	if err := json.Indent(&whole, states[0].Intent, "", "  "); err != nil {
		return fmt.Errorf("show intent: %w", err)
	}
	return p.Answer(answer, append([]string{"the intent then"}, strings.Split(whole.String(), "\n")...)...)
}

// stateAfter has the path of the checkout in place of its address, which only the server
// knows. On a terminal the secret part of the path is left out unless link is set: others
// may see the screen.
func (p *program) stateAfter(r eventstore.Recorded, before, after domain.Intent,
	link bool,
) (replayed, error) {
	text, _, err := newEventText(r)
	if err != nil {
		return replayed{}, err
	}
	row := projections.IntentOf(after)
	if !link && ops.IsTerminal(p.Out) {
		row.CheckoutPath = path.Join(path.Dir(row.CheckoutPath), "…")
	}
	shown, err := httpapi.MarshalIntent(row, "")
	if err != nil {
		return replayed{}, err
	}
	text.Note, text.Found, text.Line = "", "", ""
	changed := changes(before, after)
	return replayed{
		Version: r.Version, Event: r.Type, RecordedAt: r.RecordedAt, Intent: shown,
		Changes: changed, Changed: p.changedLines(changed),
		eventText: text,
	}, nil
}

func (p *program) changedLines(changed []change) []output.Styled {
	width := 0
	for _, c := range changed {
		width = max(width, utf8.RuneCountInString(output.Printable(c.Field)))
	}
	lines := make([]output.Styled, len(changed))
	for n, c := range changed {
		old, now := p.Style("old", valueOrNone(c.Old)), p.Style("new", valueOrNone(c.New))
		lines[n] = output.Styled(fmt.Sprintf("%-*s  %s → %s", width, output.Printable(c.Field), old, now))
	}
	return lines
}

func valueOrNone(v *string) string {
	if v == nil {
		return "none"
	}
	return *v
}

// changes are the fields in which two states differ, in the order of the fields.
func changes(before, after domain.Intent) []change {
	all := []change{}
	for _, f := range fieldsOf(after) {
		all = append(all, change{Field: f.name, New: &f.value})
	}
	for _, f := range fieldsOf(before) {
		if n := slices.IndexFunc(all, func(c change) bool { return c.Field == f.name }); n >= 0 {
			all[n].Old = &f.value
		} else {
			all = append(all, change{Field: f.name, Old: &f.value})
		}
	}
	return slices.DeleteFunc(all, func(c change) bool {
		return c.Old != nil && c.New != nil && *c.Old == *c.New
	})
}

type field struct{ name, value string }

// fieldsOf are the parts of a state that have a value, under the API's names where
// it has one. The checkout token is left out: it opens the customer's page.
func fieldsOf(i domain.Intent) []field {
	var all []field
	add := func(name, value string) { all = append(all, field{name, value}) }
	quoted := func(name string, value *string) {
		if value != nil {
			add(name, strconv.Quote(*value))
		}
	}
	if !i.Exists() {
		return nil
	}
	add("status", string(i.Status))
	add("amount", i.Amount.String())
	add("description", strconv.Quote(i.Description))
	add("application", i.Application.String())
	add("merchant_reference", strconv.Quote(string(i.MerchantReference)))
	add("reference", string(i.Reference))
	quoted("customer.external_id", i.CustomerID)
	quoted("return_url", i.ReturnURL)
	for _, pair := range i.Metadata {
		quoted("metadata."+pair.Key, &pair.Value)
	}
	for n, a := range i.Attempts {
		add("attempt "+strconv.Itoa(n+1), attemptText(a))
	}
	if i.PaidBy != "" {
		n := slices.IndexFunc(i.Attempts, func(a domain.Attempt) bool { return a.ID == i.PaidBy })
		add("paid by", "attempt "+strconv.Itoa(1+n))
	}
	if i.Late {
		add("late", "true")
	}
	add("expires_at", i.ExpiresAt.UTC().Format(utcForm))
	add("created_at", i.CreatedAt.UTC().Format(utcForm))
	add("updated_at", i.UpdatedAt.UTC().Format(utcForm))
	return all
}

func attemptText(a domain.Attempt) string {
	text := fmt.Sprintf("%s, %s by %s", a.State, a.Method, a.Acquirer)
	if a.Payer != "" {
		text += ", " + a.Payer
	}
	if a.Reason != "" {
		text += ", " + a.Reason
	}
	return text + ", " + string(a.ID)
}
