package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/ledger"
	"daftar/projections"
)

// replayed is an intent's state after one of its events.
type replayed struct {
	Version    int             `json:"version"`
	Type       string          `json:"type"`
	RecordedAt time.Time       `json:"recorded_at"`
	Intent     json.RawMessage `json:"intent"`
	Changes    []change        `json:"changes"`

	event eventstore.Recorded
	actor string
}

// change is a field that an event changed; nil: it had, or has, no value.
type change struct {
	Field string  `json:"field"`
	Old   *string `json:"old"`
	New   *string `json:"new"`
}

func (p *program) replay(conf config, id domain.IntentID, events []eventstore.Recorded, atVersion int, at time.Time) error {
	states := []replayed{}
	before := domain.Blank(id)
	for _, r := range events {
		if !at.IsZero() && r.RecordedAt.After(at) {
			break
		}
		e, err := projections.Decode(r)
		if err != nil {
			return err
		}
		after := domain.Evolve(before, e)
		if atVersion == 0 || r.Version == atVersion {
			s, err := stateAfter(conf, r, before, after)
			if err != nil {
				return err
			}
			states = append(states, s)
		}
		before = after
	}
	switch {
	case len(states) == 0 && atVersion != 0:
		return fmt.Errorf("%s has %s: %w", id, counted(len(events)), ledger.ErrNotFound)
	case len(states) == 0:
		return fmt.Errorf("%s: no event that early: %w", id, ledger.ErrNotFound)
	case !at.IsZero():
		states = states[len(states)-1:]
	}
	return p.answer(map[string]any{"uuid": id.String(), "states": states}, p.replayText(id, states, !at.IsZero() || atVersion != 0))
}

func stateAfter(conf config, r eventstore.Recorded, before, after domain.Intent) (replayed, error) {
	from, err := origin(r)
	if err != nil {
		return replayed{}, err
	}
	shown, err := httpapi.AppendIntent(nil, projections.IntentOf(after), conf.publicURL)
	if err != nil {
		return replayed{}, err
	}
	return replayed{
		Version: r.Version, Type: r.Type, RecordedAt: r.RecordedAt, Intent: shown, Changes: changes(before, after),
		event: r, actor: from.Actor,
	}, nil
}

// replayText shows what each event changed, and where one state was asked for,
// all of that state.
func (p *program) replayText(id domain.IntentID, states []replayed, whole bool) string {
	paint := p.paint()
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n%s", paint.bold(id.String()), heading(paint))
	for _, s := range states {
		text.WriteString(eventLine(paint, strconv.Itoa(s.Version), s.event, s.actor))
		width := 0
		for _, c := range s.Changes {
			width = max(width, len([]rune(printable(c.Field))))
		}
		for _, c := range s.Changes {
			name := printable(c.Field)
			fmt.Fprintf(&text, "%s%s%s  %s → %s\n", indent, name, strings.Repeat(" ", width-len([]rune(name))),
				paint.old(shownValue(c.Old)), paint.fresh(shownValue(c.New)))
		}
	}
	if whole {
		fmt.Fprintf(&text, "\n%s\n", paint.bold("the intent then"))
		var shown bytes.Buffer
		if err := json.Indent(&shown, states[0].Intent, indent, "  "); err != nil {
			shown.Write(states[0].Intent)
		}
		for line := range strings.SplitSeq(indent+shown.String(), "\n") {
			text.WriteString(printable(line) + "\n")
		}
	}
	return text.String()
}

func shownValue(v *string) string {
	if v == nil {
		return "none"
	}
	return printable(*v)
}

// changes are the fields in which two states differ, in the order of the fields.
func changes(before, after domain.Intent) []change {
	old, fresh := fieldsOf(before), fieldsOf(after)
	all := []change{}
	for _, f := range fresh {
		c := change{Field: f.name, New: &f.value}
		if n := slices.IndexFunc(old, func(o field) bool { return o.name == f.name }); n >= 0 {
			c.Old = &old[n].value
		}
		if c.Old == nil || *c.Old != *c.New {
			all = append(all, c)
		}
	}
	for _, o := range old {
		if !slices.ContainsFunc(fresh, func(f field) bool { return f.name == o.name }) {
			all = append(all, change{Field: o.name, Old: &o.value})
		}
	}
	return all
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
		add("paid by", "attempt "+strconv.Itoa(1+slices.IndexFunc(i.Attempts, func(a domain.Attempt) bool { return a.ID == i.PaidBy })))
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
