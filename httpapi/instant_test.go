package httpapi_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/httpapi"
)

func TestExpiresAtTakes(t *testing.T) {
	t.Parallel()
	at := func(hour, nanos int) time.Time { return time.Date(2026, 11, 21, hour, 0, 0, nanos, time.UTC) }
	for _, row := range []struct {
		rule, sent string
		want       time.Time
	}{
		{"UTC", "2026-11-21T10:00:00Z", at(10, 0)},
		{"lower case (RFC 3339 5.6)", "2026-11-21t10:00:00z", at(10, 0)},
		{"no seconds", "2026-11-21T10:00Z", at(10, 0)},
		{"no seconds, with an offset", "2026-11-21T12:00+02:00", at(10, 0)},
		{"offset ahead", "2026-11-21T10:00:00+02:00", at(8, 0)},
		{"offset behind", "2026-11-21T10:00:00-05:30", time.Date(2026, 11, 21, 15, 30, 0, 0, time.UTC)},
		{"unknown local offset", "2026-11-21T10:00:00-00:00", at(10, 0)},
		{"basic offset", "2026-11-21T10:00:00+0200", at(8, 0)},
		{"hours only", "2026-11-21T10:00:00+02", at(8, 0)},
		{"one digit of fraction", "2026-11-21T10:00:00.5Z", at(10, 500_000_000)},
		{"microseconds", "2026-11-21T10:00:00.000001Z", at(10, 1000)},
		{"nanoseconds are cut off, not rounded", "2026-11-21T10:00:00.999999999Z", at(10, 999_999_000)},
		{"leap day", "2028-02-29T00:00:00Z", time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC)},
		{"last instant", "9999-12-31T23:59:59.999999Z", time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)},
		{"first instant", "0001-01-01T00:00:00Z", time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			c, err := httpapi.DecodeCreate([]byte(bodyWith("expires_at", `"`+row.sent+`"`)))
			if err != nil {
				t.Fatal(err)
			}
			if c.ExpiresAt == nil || !c.ExpiresAt.Equal(row.want) || c.ExpiresAt.Location() != time.UTC {
				t.Errorf("%s is read as %v, want %v", row.sent, c.ExpiresAt, row.want)
			}
		})
	}
}

func TestExpiresAtRefuses(t *testing.T) {
	t.Parallel()
	const (
		form    = "The expires_at must be an ISO 8601 date-time with an offset, such as 2026-11-21T10:00:00Z."
		offset  = "The expires_at must end with an offset from UTC: Z, or for example +02:00."
		nothing = "The expires_at is a date or time that does not exist."
	)
	for _, row := range []struct{ rule, sent, sentence string }{
		{"no offset", "2026-11-21T10:00:00", offset},
		{"no offset after a fraction", "2026-11-21T10:00:00.5", offset},
		{"date only", "2026-11-21", form},
		{"space for T", "2026-11-21 10:00:00Z", form},
		{"no minutes", "2026-11-21T10Z", form},
		{"a fraction without seconds", "2026-11-21T10:00.5Z", form},
		{"no seconds, no offset", "2026-11-21T10:00", offset},
		{"words", "tomorrow", form},
		{"a number", "1795255200", form},
		{"white space around", " 2026-11-21T10:00:00Z", form},
		{"something after", "2026-11-21T10:00:00Z\\n", form},
		{"empty fraction", "2026-11-21T10:00:00.Z", form},
		{"ten digits of fraction", "2026-11-21T10:00:00.0123456789Z", form},
		{"Arabic digits", "٢٠٢٦-١١-٢١T١٠:٠٠:٠٠Z", form},
		{"year 10000", "10000-01-01T00:00:00Z", form},
		{"signed year", "+02026-11-21T10:00:00Z", form},
		{"year 0", "0000-01-01T00:00:00Z", nothing},
		{"year 0 in UTC", "0001-01-01T00:00:00+01:00", nothing},
		{"year 10000 in UTC", "9999-12-31T23:30:00-01:00", nothing},
		{"month 13", "2026-13-01T00:00:00Z", nothing},
		{"month 0", "2026-00-01T00:00:00Z", nothing},
		{"30 February", "2026-02-30T00:00:00Z", nothing},
		{"29 February in a common year", "2026-02-29T00:00:00Z", nothing},
		{"31 November", "2026-11-31T00:00:00Z", nothing},
		{"hour 24", "2026-11-21T24:00:00Z", nothing},
		{"minute 60", "2026-11-21T10:60:00Z", nothing},
		{"leap second", "2016-12-31T23:59:60Z", nothing},
		{"offset of 24 hours", "2026-11-21T10:00:00+24:00", nothing},
		{"offset of 60 minutes", "2026-11-21T10:00:00+02:60", nothing},
		{"offset with half a minute's digits", "2026-11-21T10:00:00+02:0", form},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			_, err := httpapi.DecodeCreate([]byte(bodyWith("expires_at", `"`+row.sent+`"`)))
			var invalid *httpapi.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("got %v, want a violated field", err)
			}
			want := []httpapi.Violation{{Field: "expires_at", Sentences: []string{row.sentence}}}
			if diff := cmp.Diff(want, invalid.Violations); diff != "" {
				t.Error(diff)
			}
		})
	}
}
