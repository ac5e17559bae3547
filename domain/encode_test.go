package domain_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"daftar/domain"
)

// Ledgers contain bytes of encoding/json without HTML escapes. Whatever a merchant sends, the
// encoder must write the same bytes.
func TestTextsAreEncodedAsBefore(t *testing.T) {
	t.Parallel()
	asBefore := func(t *rapid.T, s string) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		return string(bytes.TrimSpace(b.Bytes()))
	}
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.OneOf(rapid.String(),
			rapid.StringOfN(rapid.RuneFrom([]rune("a\u2028\u2029\u007f\b\f\v\x01<>&\"\\/\u00a0\ufeffط")), 0, 8, -1))
		pair := domain.MetadataPair{Key: texts.Draw(t, "key"), Value: texts.Draw(t, "value")}
		got, err := domain.Metadata{pair}.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if want := "{" + asBefore(t, pair.Key) + ":" + asBefore(t, pair.Value) + "}"; string(got) != want {
			t.Fatalf("written as %s, was %s", got, want)
		}
		e := created()
		e.Description = pair.Value
		stored, err := domain.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		if want := `"description":` + asBefore(t, pair.Value) + `,`; !bytes.Contains(stored.Payload, []byte(want)) {
			t.Fatalf("%s lacks %s", stored.Payload, want)
		}
	})
}
