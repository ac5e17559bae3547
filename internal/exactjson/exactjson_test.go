package exactjson_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/internal/exactjson"
)

type file struct {
	ID     uuid.UUID         `json:"id"`
	At     time.Time         `json:"at"`
	Bytes  []byte            `json:"bytes"`
	Lines  []line            `json:"lines"`
	Hashes map[string]string `json:"hashes"`
}

type line struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

const whole = `{"id":"0194e2f4-7d3a-5c1e-9b0a-6f2d8c4e1a55","at":"2026-11-20T12:00:00.5Z","bytes":"AQI=",` +
	`"lines":[{"n":1,"text":"قهوة"}],"hashes":{"a":"b"}}`

func TestDecodeTakesWhatWasWritten(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"as written":    whole,
		"white space":   strings.ReplaceAll(whole, ",", " ,\n\t"),
		"escapes":       strings.Replace(whole, "ق", `\u0642`, 1),
		"another order": strings.Replace(whole, `"n":1,"text":"قهوة"`, `"text":"قهوة","n":1`, 1),
	} {
		var f file
		err := exactjson.Decode([]byte(text), &f)
		if err != nil || f.Lines[0].Text != "قهوة" || f.Bytes[1] != 2 {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
}

func TestDecodeRefusesEverythingElse(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"a name twice":              {`"n":1`, `"n":1,"n":1`},
		"a name twice in a map":     {`"a":"b"`, `"a":"b","a":"b"`},
		"a name twice by escapes":   {`"n":1`, `"n":1,"\u006e":1`},
		"a name in capitals":        {`"n":1`, `"N":1`},
		"an unknown name":           {`"n":1`, `"n":1,"m":2`},
		"a missing field":           {`"n":1,`, ``},
		"a missing list":            {`"lines":[{"n":1,"text":"قهوة"}],`, ``},
		"null for a list":           {`[{"n":1,"text":"قهوة"}]`, `null`},
		"null for a number":         {`"n":1`, `"n":null`},
		"null for a map":            {`{"a":"b"}`, `null`},
		"a string for a number":     {`"n":1`, `"n":"1"`},
		"a fraction":                {`"n":1`, `"n":1.5`},
		"another form of a uuid":    {`"0194e2f4-`, `"urn:uuid:0194e2f4-`},
		"a uuid in capitals":        {`0194e2f4`, `0194E2F4`},
		"a time with more digits":   {`.5Z`, `.50Z`},
		"base64 with stray bits":    {`AQI=`, `AQJ=`},
		"base64 with a line break":  {`AQI=`, `AQ\nI=`},
		"something after it":        {`"b"}}`, `"b"}} {}`},
		"half of it":                {`"hashes":{"a":"b"}}`, `"hashes":{"a":`},
		"a list":                    {`{"id"`, `[{"id"`},
		"text that is not UTF-8":    {`قهوة`, "\xff"},
		"one half of a surrogate":   {`قهوة`, `\ud83d`},
		"a comment":                 {`"n":1`, `"n":1/**/`},
		"nothing":                   {whole, ``},
		"null":                      {whole, `null`},
		"a byte order mark":         {`{"id"`, "\ufeff{\"id\""},
		"a list where one thing is": {`"قهوة"`, `["قهوة"]`},
	} {
		text := strings.Replace(whole, change[0], change[1], 1)
		if text == whole {
			t.Fatalf("%s: nothing was changed", name)
		}
		var f file
		if err := exactjson.Decode([]byte(text), &f); err == nil {
			t.Errorf("%s: %s is read as %+v", name, text, f)
		}
	}
}
