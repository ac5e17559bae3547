package transparency_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"daftar/transparency"
)

// A kept checkpoint can be read after editors, shells and mail have changed it, and then is the
// note that was signed, to the byte.
func TestKeptCheckpointsAreReadAsPeopleKeepThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(3)
	w.grow(64)
	note := w.sign().Note
	known, err := transparency.Verifiers([]string{w.key.Public()})
	if err != nil {
		t.Fatal(err)
	}
	crlf := strings.ReplaceAll(note, "\n", "\r\n")
	var utf16le []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + crlf)) {
		utf16le = append(utf16le, byte(unit), byte(unit>>8))
	}
	for name, file := range map[string]string{
		"as it is":             note,
		"a line more":          note + "\n",
		"lines of blanks":      note + "\n \t\n\n",
		"no line end":          strings.TrimSuffix(note, "\n"),
		"CRLF":                 crlf,
		"CRLF and a line more": crlf + "\r\n",
		"CR alone":             strings.ReplaceAll(note, "\n", "\r"),
		"CRLF, twice":          strings.ReplaceAll(note, "\n", "\r\r\n"),
		"a byte order mark":    "\ufeff" + note + "\n",
		"UTF-16":               string(utf16le),
		"lines before":         "\n\n" + note,
		"set in":               "  " + strings.ReplaceAll(note, "\n", "  \n  "),
	} {
		c, err := transparency.ReadCheckpoint([]byte(file))
		if err != nil || c.Note != note {
			t.Errorf("%s: %q, %v", name, c.Note, err)
		}
		if _, err := transparency.OpenCheckpoint(c.Note, known); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	body, signatures, _ := strings.Cut(note, "\n\n")
	for file, says := range map[string]string{
		"":                                 "no origin, size, root and signature",
		body + "\n":                        "no origin, size, root and signature",
		body + "\n\n" + signatures + "x":   `"x\n" is no line of a signature`,
		strings.Replace(note, "—", "-", 1): "is no line of a signature",
		strings.Replace(note, "\n3\n", "\nthree\n", 1):   `"three" is no size`,
		strings.Replace(note, "pay", "p\x00y", 1):        "control characters",
		strings.Replace(note, "pay", "p\xffy", 1):        "not UTF-8",
		`{"checkpoint": "x"}`:                            "jq -r .checkpoint",
		`"` + strings.ReplaceAll(note, "\n", `\n`) + `"`: "it is JSON",
	} {
		_, err := transparency.ReadCheckpoint([]byte(file))
		if !errors.Is(err, transparency.ErrNotCheckpoint) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want it to say %q", file, err, says)
		}
	}
}

// A checkpoint of another key says nothing about the log: that is neither a finding nor a success.
func TestAnotherKeyIsNoFinding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 2 {
		w.fill(5)
		w.grow(64)
		w.sign()
	}
	before := w.key
	next, _, err := transparency.NewKey("pay.example.ly")
	if err != nil {
		t.Fatal(err)
	}
	w.key = next // as after a change of DAFTAR_TRANSPARENCY_KEY
	w.notary()
	w.fill(5)
	w.grow(64)
	w.sign()
	foreign := newWorld(t)
	foreign.fill(5)
	foreign.grow(64)
	strange := foreign.sign()
	var unsigned *transparency.NotSignedError
	for name, c := range map[string]struct {
		o    transparency.VerifyOptions
		size int64
	}{
		"the later key alone":  {transparency.VerifyOptions{Keys: []string{next.Public()}}, 5},
		"the former key alone": {transparency.VerifyOptions{Keys: []string{before.Public()}}, 15},
		"a stranger's":         {transparency.VerifyOptions{Keys: []string{foreign.key.Public()}}, 15},
		"a stranger's, kept":   {transparency.VerifyOptions{Kept: []transparency.Checkpoint{strange}}, 5},
		"kept, by the other": {transparency.VerifyOptions{Keys: []string{before.Public()},
			Kept: []transparency.Checkpoint{w.latest()}}, 15},
		"both keys, for once":   {transparency.VerifyOptions{Keys: []string{before.Public(), next.Public()}}, 0},
		"those of the database": {transparency.VerifyOptions{}, 0},
	} {
		r, err := transparency.Verify(t.Context(), w.pool, c.o)
		if c.size == 0 {
			if err != nil || !r.OK || r.Checkpoints != 3 {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
			continue
		}
		if !errors.As(err, &unsigned) || unsigned.Size != c.size || !errors.Is(err, transparency.ErrSignature) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	w.tamper(`UPDATE events SET payload = '{}' WHERE position = 7`)
	if r := w.verify(func(o *transparency.VerifyOptions) {
		o.Keys = []string{next.Public()}
	}); r.OK || r.Discrepancy.Position != 7 {
		t.Errorf("the change is found nevertheless: %+v", r)
	}
}
