package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// Test numbers from the documentation of the card schemes.
var cards = []string{
	"4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "4222222222222",
	"378282246310005", "3782 822463 10005", "5555555555554444", "2223003122003222",
	"6200000000000005", "6304000000000000", "6011000000000000001",
}

// A card number is redacted in every part of a line, and the line stays JSON.
func TestCardNumbersDoNotReachTheLog(t *testing.T) {
	t.Parallel()
	for _, card := range cards {
		bare := strings.NewReplacer(" ", "", "-", "").Replace(card)
		for name, say := range map[string]func(*zerolog.Event){
			"message":       func(e *zerolog.Event) { e.Msg("typed " + card) },
			"message alone": func(e *zerolog.Event) { e.Msg(card) },
			"field":         func(e *zerolog.Event) { e.Str("phone", card).Msg("refused") },
			"field's name":  func(e *zerolog.Event) { e.Str(card, "x").Msg("refused") },
			"error": func(e *zerolog.Event) {
				e.Err(fmt.Errorf("read %q: %w", card, errors.New("no phone"))).Msg("refused")
			},
			"bytes": func(e *zerolog.Event) { e.Bytes("body", []byte("otp="+card+"&x=1")).Msg("refused") },
			"raw JSON number": func(e *zerolog.Event) {
				e.RawJSON("body", []byte(`{"pan":`+bare+`,"n":[1,`+bare+`]}`)).Msg("refused")
			},
			"after a new line":  func(e *zerolog.Event) { e.Msg("card\n" + card + "\n") },
			"after a tab":       func(e *zerolog.Event) { e.Msg("card\t" + card) },
			"after Arabic":      func(e *zerolog.Event) { e.Msg("بطاقة" + card + "رقم") },
			"after a telephone": func(e *zerolog.Event) { e.Msg("0912345678 " + card + " 12") },
			"twice":             func(e *zerolog.Event) { e.Msg(card + " " + card + "," + card) },
			"panic": func(e *zerolog.Event) {
				e.Interface("panic", "bad otp "+card).Bytes("stack", []byte("f(0x1)")).Msg("panic")
			},
		} {
			var out bytes.Buffer
			log := NewLog(&out, zerolog.DebugLevel)
			say(log.Warn()) //nolint:zerologlint // it is sent by each
			if !json.Valid(out.Bytes()) {
				t.Errorf("%s: %s is no JSON", name, out.String())
			}
			if strings.Contains(out.String(), card) || strings.Contains(out.String(), bare) ||
				!strings.Contains(out.String(), "[card number]") {
				t.Errorf("%s: the log has %s", name, out.String())
			}
		}
	}
}

// Credentials are redacted, too: a merchant may write one into an address, whose path is
// logged.
func TestCredentialsDoNotReachTheLog(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		"pk_" + strings.Repeat("0a", 32),
		"pk_" + strings.Repeat("0a", 31),
		"at_" + strings.Repeat("aZ0", 12),
		"whsec_" + strings.Repeat("a+/Z", 8),
		"whsec_abcdefghijklmnopqrstuv%2Bxyz",
		"PRIVATE+KEY+pay.example+f00d+QUJD/RA=",
	} {
		for _, text := range []string{
			value, "/api/v1/" + value + "/x", "Bearer " + value + ".",
			"x=" + value + "&y", "\n" + value, "(" + value + ")",
		} {
			var out bytes.Buffer
			log := NewLog(&out, zerolog.DebugLevel)
			log.Debug().Str("path", text).Err(fmt.Errorf("read %q", text)).Msg("request")
			if !json.Valid(out.Bytes()) || strings.Contains(out.String(), value[len(value)-6:]) ||
				!strings.Contains(out.String(), "[credential]") {
				t.Errorf("%q: the log has %s", text, out.String())
			}
		}
	}
}

// Numbers that operators need are not redacted.
func TestOtherNumbersReachTheLog(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"4111111111111112",                     // its check digit is wrong
		"411111111111", "41111111111111111111", // too short, too long
		"0000000000000000",
		"4111.1111.1111.1111", "4111  1111 1111 1111",
		"a4111111111111111", "4111111111111111f", // of a hexadecimal id
		"41111111-1111-4111-8111-111111111111", "11111111-4111-4111-1111-111111111111",
		"2026-11-22T10:11:12.123456789Z", "127.0.0.1:8080", "0912345678", "+218912345678",
		"pk_short", "created_at_the_time", "what_was_said_in_the_meantime_of_this_very_long_name", "whsec_…",
		`quoted "text" \ with 12 escapes`, "",
	} {
		var out bytes.Buffer
		log := NewLog(&out, zerolog.InfoLevel)
		log.Info().Str("id", text).Msg("seen")
		var line struct{ ID string }
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.ID != text {
			t.Errorf("%q became %q (%v)", text, line.ID, err)
		}
	}
}

// Every line of JSON stays valid, and a text with too few digits for a card number is not
// changed.
func FuzzLogStaysJSON(f *testing.F) {
	for _, card := range cards {
		f.Add(card, card+"\\")
	}
	f.Add("\x00\"\\u0034", "41111111-1111-4111-8111-111111111111 4111111111111111")
	f.Fuzz(func(t *testing.T, key, text string) {
		var out, plain bytes.Buffer
		log := NewLog(&out, zerolog.InfoLevel)
		log.Info().Str(key, text).Interface(text, []any{1, text, 4111111111111111}).Msg(text)
		if !json.Valid(out.Bytes()) || strings.Contains(out.String(), "4111111111111111]") {
			t.Errorf("%q, %q give %s", key, text, out.String())
		}
		line := fmt.Sprintf("%q:%q", key, text)
		if _, err := (redactingWriter{&plain}).Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		digits := 0
		for _, r := range line {
			if '0' <= r && r <= '9' {
				digits++
			}
		}
		if digits < 13 && plain.String() != line {
			t.Errorf("%s became %s", line, plain.String())
		}
	})
}

// A usual line costs little: each request logs one.
func BenchmarkUsualLine(b *testing.B) {
	line := []byte(`{"level":"info","part":"api","route":"/api/v1/payment-intents/{uuid}","method":"GET",` +
		`"status":200,"ms":1.234,"request_id":"01936d2e-7c1a-7bbb-8def-0123456789ab",` +
		`"client":"203.0.113.77","time":"2026-11-22T10:11:12.123456789Z","message":"request"}` + "\n")
	w := redactingWriter{io.Discard}
	for b.Loop() {
		if _, err := w.Write(line); err != nil {
			b.Fatal(err)
		}
	}
}
