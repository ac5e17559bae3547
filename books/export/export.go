package export

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
)

// Entry is an entry of the journal with the place of its event in the log.
type Entry struct {
	books.Entry
	Position int64
	At       time.Time // when the event was recorded
	Stream   uuid.UUID // the payment intent, or the provider account
}

// Head is what a journal says of itself.
type Head struct {
	Origin string // of the log, as its checkpoints have it
	Size   int64  // how many events the checkpoint covers
	Root   string // of their tree, in base64

	Organization uuid.UUID
	Mode         domain.Mode
	Applications []uuid.UUID // whose payments these are
	// The positions of the log after the first of which, and up to the second, its entries are.
	After, UpTo int64
}

func (h Head) lines() []string {
	applications := make([]string, len(h.Applications))
	for n, a := range h.Applications {
		applications[n] = a.String()
	}
	return []string{
		"Books made by Daftar from its log",
		"checkpoint " + strings.Join([]string{h.Origin, strconv.FormatInt(h.Size, 10), h.Root}, " "),
		"organisation " + h.Organization.String(),
		"mode " + string(h.Mode),
		"applications " + strings.Join(applications, " "),
		fmt.Sprintf("positions %d to %d", h.After+1, h.UpTo),
	}
}

// Format is the name of a form of files.
type Format string

// The forms.
const (
	Hledger   Format = "hledger" // which ledger reads, too
	Beancount Format = "beancount"
	CSV       Format = "csv" // a row for each line of an entry
)

// Formats are all of them.
func Formats() []Format { return []Format{Hledger, Beancount, CSV} }

// Writer writes a journal.
type Writer struct {
	out      io.Writer
	form     form
	declared map[string]bool
	err      error
}

// form is how a file in one of the forms is written.
type form struct {
	head, comment string
	name          func(string) string // of an account
	declaration   string              // of an account
	entry         func(w *Writer, e Entry)
}

var forms = map[Format]form{
	Hledger: {
		comment: "; ",
		head: "commodity LYD\n    format 1000.000 LYD\n" +
			"tag position\ntag recorded\ntag intent\ntag settlement\ntag reference\ntag value-date\n",
		name: func(a string) string { return a }, declaration: "account %s\n", entry: (*Writer).hledger,
	},
	Beancount: {
		comment: "; ", head: "option \"operating_currency\" \"LYD\"\n1970-01-01 commodity LYD\n",
		name: capitals, declaration: "1970-01-01 open %s LYD\n", entry: (*Writer).beancount,
	},
	CSV: {
		comment: "# ",
		head: "date,recorded_at,position,kind,about,uuid,reference,value_date," +
			"account,amount,currency\n",
		name: func(a string) string { return a }, entry: (*Writer).csv,
	},
}

// New writes the head of a journal. An error shows in Write.
func New(f Format, out io.Writer, h Head) *Writer {
	w := &Writer{out: out, form: forms[f], declared: map[string]bool{}}
	for _, line := range h.lines() {
		w.printf("%s%s\n", w.form.comment, line)
	}
	w.printf("%s", w.form.head)
	return w
}

// Write writes an entry, after the declarations of accounts that no entry before has used.
func (w *Writer) Write(e Entry) error {
	for _, l := range e.Lines {
		name := w.account(e, l)
		if w.form.declaration != "" && !w.declared[name] {
			w.printf(w.form.declaration, name)
		}
		w.declared[name] = true
	}
	w.form.entry(w, e)
	return w.err
}

func (w *Writer) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format, args...)
	}
}

func (w *Writer) account(e Entry, l books.Line) string {
	return w.form.name(l.Account.Name(e.Acquirer))
}

func (w *Writer) hledger(e Entry) {
	w.printf("\n%s %s\n", domain.DayOf(e.At), e.Kind)
	for _, f := range fieldsOf(e) {
		w.printf("    ; %s: %s\n", f.name, f.value)
	}
	for _, l := range e.Lines {
		w.printf("    %-36s  %16s LYD\n", w.account(e, l), Amount(l.Amount))
	}
}

func (w *Writer) beancount(e Entry) {
	w.printf("\n%s * \"%s\"\n", domain.DayOf(e.At), e.Kind)
	for _, f := range fieldsOf(e) {
		w.printf("  %s: \"%s\"\n", f.name, f.value)
	}
	for _, l := range e.Lines {
		w.printf("  %-36s  %16s LYD\n", w.account(e, l), Amount(l.Amount))
	}
}

func (w *Writer) csv(e Entry) {
	about, id := e.about()
	for _, l := range e.Lines {
		w.printf("%s,%s,%d,%s,%s,%s,%s,%s,%s,%s,LYD\n", domain.DayOf(e.At), recorded(e), e.Position, e.Kind,
			about, id, escape(e.Reference), valueDate(e), w.account(e, l), Amount(l.Amount))
	}
}

// field is what is known of an entry, apart from its date, kind and lines.
type field struct{ name, value string }

func fieldsOf(e Entry) []field {
	about, id := e.about()
	all := []field{
		{"position", strconv.FormatInt(e.Position, 10)}, {"recorded", recorded(e)}, {about, id.String()},
	}
	if e.Reference != "" {
		all = append(all, field{"reference", escape(e.Reference)})
	}
	if !e.ValueDate.IsZero() {
		all = append(all, field{"value-date", e.ValueDate.String()})
	}
	return all
}

func (e Entry) about() (what string, id uuid.UUID) {
	if e.Settlement != uuid.Nil {
		return "settlement", e.Settlement
	}
	return "intent", e.Stream
}

func recorded(e Entry) string { return e.At.UTC().Format("2006-01-02T15:04:05.000000Z") }

func valueDate(e Entry) string {
	if e.ValueDate.IsZero() {
		return ""
	}
	return e.ValueDate.String()
}
