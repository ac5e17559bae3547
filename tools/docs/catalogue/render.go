package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const introduction = `# Events

<!-- Written by go generate ./docs from domain, books, eventstore and their comments; change those. -->

Every change in the life of a payment intent, and everything that is recorded of an organisation's account at
a provider, is an event in the table ` + "`events`" + `, and nothing else is the truth. An event is written
once and never changed; what it means never changes either. This page lists all that were ever written, in
every version.

| column | meaning |
|---|---|
| ` + "`position`" + ` | the event's place in the log: 1, 2, 3, without a gap, in the order of commits |
| ` + "`stream_id`" + ` | the uuid of what it happened to: a payment intent, or an account at a provider |
| ` + "`version`" + ` | the event's number within its stream, from 1 |
| ` + "`type`" + ` | its stored name, below |
| ` + "`schema_version`" + ` | the version of its payload |
| ` + "`payload`" + ` | JSON text with the fields below, byte for byte as written: ` +
	`proofs are over these bytes ([transparency.md](transparency.md)) |
| ` + "`metadata`" + ` | JSON text that says where the event comes from |
| ` + "`recorded_at`" + ` | when it was written, by the database's clock |

Types of events of intents begin with ` + "`intent.`" + `; a reader who follows payments passes over all
others. A reader should know each type and version that it acts on, and stop at one it does not know. Whose
a stream is, its first event says: ` + "`application`" + ` of an intent, ` +
	"`organization`" + ` of an account. Fields are
in the order of the tables; none is ever left out of a payload.

## Metadata

Fields without a value are left out.

`

// sets are the packages that define events.
var sets = []string{"domain", "books"}

// catalogue returns the text of docs/events.md for the module at root.
func catalogue(root string) ([]byte, error) {
	store, err := readPackage(filepath.Join(root, "eventstore"))
	if err != nil {
		return nil, err
	}
	metadata, err := store.fields("Metadata")
	if err != nil {
		return nil, err
	}
	var text, all bytes.Buffer
	text.WriteString(introduction)
	writeFields(&text, metadata)
	text.WriteString("\n## In this catalogue\n\n| event | versions | meaning |\n|---|---|---|\n")
	for _, set := range sets {
		source, err := readPackage(filepath.Join(root, set))
		if err != nil {
			return nil, err
		}
		events, err := source.events()
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", set, err)
		}
		for _, e := range events {
			numbers := make([]string, len(e.versions))
			for n, v := range e.versions {
				numbers[n] = fmt.Sprint(v.number)
			}
			fmt.Fprintf(&text, "| [`%s`](#%s) | %s | %s |\n", e.name, strings.ReplaceAll(e.name, ".", ""),
				strings.Join(numbers, ", "), e.meaning)
			if err := writeEvent(&all, e, filepath.Join(root, set, "testdata", "events")); err != nil {
				return nil, err
			}
		}
	}
	text.Write(all.Bytes())
	return text.Bytes(), nil
}

func writeEvent(to *bytes.Buffer, e event, goldens string) error {
	fmt.Fprintf(to, "\n## %s\n\n%s\n", e.name, wrap(e.meaning))
	for _, v := range e.versions {
		example, err := os.ReadFile(filepath.Join(goldens, fmt.Sprintf("%s.v%d.json", e.name, v.number)))
		if errors.Is(err, os.ErrNotExist) {
			continue // another event's struct has this version, and this event never had it
		}
		if err != nil {
			return fmt.Errorf("read example of %s: %w", e.name, err)
		}
		fmt.Fprintf(to, "\n### %s, version %d\n\n", e.name, v.number)
		writeFields(to, v.fields)
		fmt.Fprintf(to, "\n```json\n%s\n```\n", bytes.TrimSpace(example))
	}
	return nil
}

// wrap breaks a paragraph into lines of at most 110 columns.
func wrap(paragraph string) string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(paragraph) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > 110 {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n")
}

func writeFields(to *bytes.Buffer, fields []field) {
	to.WriteString("| field | type | meaning |\n|---|---|---|\n")
	for _, f := range fields {
		fmt.Fprintf(to, "| `%s` | %s | %s |\n", f.name, f.form, f.meaning)
	}
}
