package output_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/output"
)

// What would control a terminal is escaped; Arabic text is left alone.
func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "",
		"مقهى الميدان، قَهوة ٣":         "مقهى الميدان، قَهوة ٣",
		"می\u200cخواهم \u200fA\u061c1":  "می\u200cخواهم \u200fA\u061c1", // joiners and marks of direction
		"a\nb\tc\r":                     `a\nb\tc\r`,
		"\x1b]0;title\x07":              `\x1b]0;title\a`,
		"\x1b]52;c;cm0=\x1b\\":          `\x1b]52;c;cm0=\x1b\`,
		"\u009b31m\u0090q\x7f":          `\u009b31m\u0090q\x7f`,
		"\x9b31m":                       `\x9b31m`, // C1 in eight bits is no UTF-8
		"pay\u202egpj.exe\u2066\u2069":  `pay\u202egpj.exe\u2066\u2069`,
		"\u202a\u202b\u202c\u202d":      `\u202a\u202b\u202c\u202d`,
		"\u2028\u2029\ufeff\U000e0041b": `\u2028\u2029\ufeff\U000e0041b`,
		`\x1b as text, twice printable`: `\x1b as text, twice printable`,
	} {
		got := output.Printable(text)
		if got != want || output.Printable(got) != want {
			t.Errorf("%+q: %s, want %s", text, got, want)
		}
	}
}

type row struct {
	Name   string     `json:"name"  label:"name" style:"event"`
	Count  int64      `json:"count" label:"count"`
	At     *time.Time `json:"at"    label:"at"`
	Secret string     `json:"secret"`
	Note   string     `json:"note"  below:"note:"`
	Lines  []string   `json:"-"     below:"" style:"dim"`
}

type inner struct {
	UUID  string `json:"uuid"  label:"thing"`
	Ready bool   `json:"ready" label:"is ready"`
}

type answer struct {
	Thing inner `json:"thing"`
	*nothing
	Ratio float64        `json:"ratio" label:"ratio"`
	More  map[string]any `json:"more" label:"more"`
	Alone string         `json:"alone" label:"" style:"bold"`
	Rows  []row          `json:"rows"  label:""`
}

type nothing struct {
	Absent string `json:"absent" label:"absent"`
}

func example() answer {
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.FixedZone("", 2*60*60))
	return answer{
		Thing: inner{"7ac3", true}, Ratio: 1.25, More: map[string]any{"a": "\x1b"}, Alone: "so",
		Rows: []row{
			{
				Name: "قهوة", Count: 1234567, At: &at, Secret: "x",
				Note: "\u202ey", Lines: []string{"one", "two"},
			},
			{Name: "a\x1bb"},
		},
	}
}

// A list of texts is one value, also of what writes itself; an empty one is none.
func TestListsOfTexts(t *testing.T) {
	t.Parallel()
	type network struct {
		Name string         `json:"name" label:"name"`
		Of   []netip.Prefix `json:"of"   label:"of"   none:"any"`
	}
	type answer struct {
		Networks []netip.Prefix `json:"networks" label:"networks"`
		None     []netip.Prefix `json:"none"     label:"none"     none:"any"`
		Scopes   []string       `json:"scopes"   label:"scopes"`
		Rows     []network      `json:"rows"     label:""`
	}
	both := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::/32")}
	var out bytes.Buffer
	p := output.Printer{Out: &out}
	err := p.Answer(answer{both, nil, []string{"a", "b\x1b"}, []network{{"x", both[:1]}, {"y", nil}}})
	want := "networks  10.0.0.0/8, 2001:db8::/32\nnone      any\nscopes    a, b\\x1b\n" +
		"name  of\nx     10.0.0.0/8\ny     any\n"
	if err != nil || out.String() != want {
		t.Errorf("%v:\n%s\nwant\n%s", err, out.String(), want)
	}
}

func TestAnswerForPeople(t *testing.T) {
	t.Parallel()
	const want = `thing     7ac3
is ready  yes
ratio     1.2
more      {"a":"\u001b"}
so
name    count      at
قهوة    1,234,567  2026-11-20T12:00:00Z
     note: \u202ey
     one
     two
a\x1bb  0          -
The end.
No second line:\nthis is no line.
`
	var out bytes.Buffer
	p := output.Printer{Out: &out}
	if err := p.Answer(example(), "The end.", "No second line:\nthis is no line."); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Colours do not move the columns.
func TestColours(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := output.Printer{Out: &out, Colours: true}
	if err := p.Named("rows", example().Rows[1:]); err != nil {
		t.Fatal(err)
	}
	const want = "\x1b[1mname\x1b[0m    \x1b[1mcount\x1b[0m  \x1b[1mat\x1b[0m\n" +
		"\x1b[36ma\\x1bb\x1b[0m  0      -\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if got := p.Style("old", "\x1b"); got != "\x1b[31m\\x1b\x1b[0m" {
		t.Errorf("styled %q", got)
	}
}

// JSON has every value exactly, with escapes for what a terminal would interpret.
func TestAnswerForPrograms(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := output.Printer{Out: &out, JSON: true}
	text := "قهوة <&> \x00\x1b\u009b\u202e\x7f\U000e0041\u200f"
	if err := p.Named("text", text, "not for programs"); err != nil {
		t.Fatal(err)
	}
	const want = `{"text":"قهوة <&> \u0000\u001b\u009b\u202e\u007f\udb40\udc41` + "\u200f\"}\n"
	if out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
	var back struct{ Text string }
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back.Text != text {
		t.Errorf("read back %q, %v", back.Text, err)
	}
}

// For people a sentence says that a list is empty; programs get an empty list, never null.
func TestEmptyLists(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		json      bool
		list      []row
		sentences []string
		want      string
	}{
		{false, nil, nil, "No access tokens.\n"},
		{false, []row{}, []string{"No one has come yet."}, "No one has come yet.\n"},
		{true, nil, nil, `{"access_tokens":[]}` + "\n"},
		{true, []row{}, []string{"No one has come yet."}, `{"access_tokens":[]}` + "\n"},
	} {
		var out bytes.Buffer
		p := output.Printer{Out: &out, JSON: c.json}
		if err := p.Named("access_tokens", c.list, c.sentences...); err != nil || out.String() != c.want {
			t.Errorf("%+v: %q, %v", c, out.String(), err)
		}
	}
}

// A stream of rows has no heading, and a message or an error cannot pass for two.
func TestRowsAndMessages(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := output.Printer{Out: &out, Err: &out}
	if err := p.Row(row{Name: "one", Count: 2}); err != nil {
		t.Fatal(err)
	}
	p.Notef("%s is taken", "a\nb")
	p.Error("daftar", errors.New("two things:\n\n\tfirst\x1b\ndaftar: all is well"))
	const want = "one  2  -\n" +
		`a\nb is taken` + "\n" +
		"daftar: two things:\n" +
		"        first" + `\x1b` + "\n" +
		"        daftar: all is well\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriterFails(t *testing.T) {
	t.Parallel()
	for _, forPrograms := range []bool{true, false} {
		p := output.Printer{Out: failing{}, JSON: forPrograms}
		if p.Answer(inner{}) == nil || p.Row(inner{}) == nil {
			t.Errorf("JSON %t: no error", forPrograms)
		}
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 1234567: "1,234,567",
	} {
		if got := output.Count(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
