package facts_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/facts"
)

// sample is an event of a golden file of the domain, with the fields of the file.
type sample struct {
	domain.Event

	fields struct {
		Attempt           domain.AttemptID
		Amount            int64
		Currency          domain.Currency
		ProviderReference string `json:"provider_reference"`
		Refund            uuid.UUID
	}
}

// stored are the events of the golden files by their stored names.
func stored(t *testing.T) map[string][]sample {
	t.Helper()
	files, err := filepath.Glob("../domain/testdata/events/*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]sample{}
	for _, file := range files {
		parts := strings.Split(filepath.Base(file), ".") // intent.name.v1[.variant].json
		version, err := strconv.Atoi(strings.TrimPrefix(parts[2], "v"))
		if err != nil {
			t.Fatal(err)
		}
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := parts[0] + "." + parts[1]
		s := domain.StoredEvent{Type: name, SchemaVersion: version, Payload: payload}
		var one sample
		if one.Event, err = domain.DecodeEvent(s); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(payload, &one.fields); err != nil {
			t.Fatal(err)
		}
		all[name] = append(all[name], one)
	}
	return all
}

// sealed are the names of the types that are events.
func sealed(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../domain/*.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv != nil && f.Name.Name == "stored" {
				names[f.Recv.List[0].Type.(*ast.Ident).Name] = true
			}
		}
	}
	return names
}

// Every event of the sealed set has a stored form and one row, under its stored name.
func TestEveryEventHasARow(t *testing.T) {
	t.Parallel()
	of, missing := map[string]string{}, sealed(t)
	for name, events := range stored(t) {
		for _, e := range events {
			goName := reflect.TypeOf(e.Event).Name()
			of[name] = goName
			delete(missing, goName)
			if k := facts.Of(e.Event); k.Stored != name {
				t.Errorf("%s is stored as %s, and its row says %s", goName, name, k.Stored)
			}
		}
	}
	for goName := range missing {
		t.Errorf("%s has no golden file in domain/testdata/events", goName)
	}
	for _, name := range facts.Stored() {
		if of[name] == "" {
			t.Errorf("%s has two rows, or is no event", name)
		}
		delete(of, name)
	}
	if _, known := facts.Named("intent.of_a_later_release"); known {
		t.Error("an unknown name has a row")
	}
}

var webhookType = regexp.MustCompile(`^payment_intent\.[a-z_]+$`)

// A row says all that it must, and nothing that its events do not bear out.
func TestEveryRowIsComplete(t *testing.T) {
	t.Parallel()
	meanings := map[string]int{}
	for _, k := range facts.Webhooks() {
		meanings[k.Webhook]++
		if slices.Contains([]string{k.Meaning.Arabic, k.Meaning.English, k.Name.Arabic, k.Name.English}, "") {
			t.Errorf("%s is %+v and means %+v", k.Webhook, k.Name, k.Meaning)
		}
	}
	colours := map[string]bool{"ok": true, "wait": true, "late": true, "off": true}
	for name, events := range stored(t) {
		k, _ := facts.Named(name)
		if !webhookType.MatchString(k.Webhook) || meanings[k.Webhook] != 1 {
			t.Errorf("%s has the webhook %q, which has %d meanings", name, k.Webhook, meanings[k.Webhook])
		}
		if k.Late && k.Money != facts.Received {
			t.Errorf("%s is late, and no money came in", name)
		}
		for _, e := range events {
			title, details := facts.Title(e.Event), k.Details(e.Event)
			if title.Arabic == "" || title.English == "" || !colours[title.Colour] {
				t.Errorf("%s has the words %+v", name, title)
			}
			if k.Money != facts.NoMoney && (details.Attempt == "" || details.Amount.Minor <= 0) {
				t.Errorf("%s moves %v of attempt %q", name, details.Amount, details.Attempt)
			}
			if k.Refund && (details.Refund == domain.RefundID{} || details.Amount.Minor <= 0) {
				t.Errorf("%s is about refund %s of %v", name, details.Refund, details.Amount)
			}
			want := facts.Details{
				Attempt:           e.fields.Attempt,
				Amount:            domain.Money{Minor: e.fields.Amount, Currency: e.fields.Currency},
				ProviderReference: e.fields.ProviderReference, Refund: domain.RefundID(e.fields.Refund),
			}
			got := facts.Details{
				Attempt: details.Attempt, Amount: details.Amount,
				ProviderReference: details.ProviderReference, Refund: details.Refund,
			}
			if got != want {
				t.Errorf("%s tells %+v, its file %+v", name, got, want)
			}
			statuses(t, k, e.Event)
		}
	}
}

// statuses holds what a row says of the status to what the domain makes of the event.
func statuses(t *testing.T, k *facts.Kind, e domain.Event) {
	t.Helper()
	for _, before := range domain.Statuses() {
		want := before
		if k.Leaves != "" {
			want = k.Leaves
		}
		got := domain.Evolve(domain.Intent{Version: 1, Status: before}, e).Status
		if got != want {
			t.Errorf("%s leads from %s to %s, its row says %s", k.Stored, before, got, want)
		}
	}
}
