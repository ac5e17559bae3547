package httpapi_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/httpapi"
)

func TestExpiresAtAccepts(t *testing.T) {
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
		{"more than nanoseconds too", "2026-11-21T10:00:00.9999999999999999Z", at(10, 999_999_000)},
		{"comma before the fraction", "2026-11-21T10:00:00,5Z", at(10, 500_000_000)},
		{"comma and an offset", "2026-11-21T12:00:00,123456789+02:00", at(10, 123_456_000)},
		{"basic form", "20261121T100000Z", at(10, 0)},
		{"basic form with a fraction", "20261121T100000,25Z", at(10, 250_000_000)},
		{"basic form with an offset", "20261121T120000+0200", at(10, 0)},
		{"basic form without seconds", "20261121T1000Z", at(10, 0)},
		{"basic form in lower case", "20261121t100000z", at(10, 0)},
		{"basic date, extended time", "20261121T10:00:00Z", at(10, 0)},
		{"extended date, basic time", "2026-11-21T100000Z", at(10, 0)},
		{"ordinal date", "2026-325T10:00Z", at(10, 0)},
		{"ordinal date in basic form", "2026325T100000Z", at(10, 0)},
		{"last day of a leap year", "2028-366T10:00:00Z", time.Date(2028, 12, 31, 10, 0, 0, 0, time.UTC)},
		{"week date", "2026-W47-6T10:00Z", at(10, 0)},
		{"week date in basic form", "2026W476T100000Z", at(10, 0)},
		{"a week's Sunday is its last day", "2026-W47-7T10:00Z", time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)},
		{"first week begins in the year before", "2026-W01-1T10:00Z",
			time.Date(2025, 12, 29, 10, 0, 0, 0, time.UTC)},
		{"first week of a year that begins on a Friday", "2027-W01-1T10:00Z",
			time.Date(2027, 1, 4, 10, 0, 0, 0, time.UTC)},
		{"53rd week", "2026-W53-7T10:00Z", time.Date(2027, 1, 3, 10, 0, 0, 0, time.UTC)},
		{"minus sign (ISO 8601 3.2.1)", "2026-11-21T08:00:00\u221202:00", at(10, 0)},
		{"hyphens and minus", "2026\u201011\u201021T08:00:00\u22120200", at(10, 0)},
		{"end of the day", "2026-11-20T24:00:00Z", at(0, 0)},
		{"end of the day with zeros", "20261120T240000,000Z", at(0, 0)},
		{"end of the day with an offset", "2026-11-20T24:00+02:00", time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)},
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
		blank   = "The expires_at contains a blank: ISO 8601 has a T between date and time, and no blank anywhere."
		bracket = "The expires_at ends with a name in brackets, which ISO 8601 does not have: send it without."
		clock   = "The expires_at has no time of day: add it with its offset, such as T10:00:00Z."
		minutes = "The expires_at has no minutes."
		part    = "The expires_at has a fraction without seconds."
		digits  = "The expires_at must be written with the digits 0 to 9."
		offset  = "The expires_at must end with an offset from UTC: Z, or for example +02:00."
		nothing = "The expires_at is a date or time that does not exist."
	)
	for _, row := range []struct{ rule, sent, sentence string }{
		{"no offset", "2026-11-21T10:00:00", offset},
		{"no offset after a fraction", "2026-11-21T10:00:00.5", offset},
		{"date only", "2026-11-21", clock},
		{"space for T", "2026-11-21 10:00:00Z", blank},
		{"no minutes", "2026-11-21T10Z", minutes},
		{"a fraction without seconds", "2026-11-21T10:00.5Z", part},
		{"no seconds, no offset", "2026-11-21T10:00", offset},
		{"words", "tomorrow", form},
		{"a number", "1795255200", form},
		{"white space around", " 2026-11-21T10:00:00Z", blank},
		{"something after", "2026-11-21T10:00:00Z\\n", blank},
		{"empty fraction", "2026-11-21T10:00:00.Z", form},
		{"Arabic digits", "٢٠٢٦-١١-٢١T١٠:٠٠:٠٠Z", digits},
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
		{"space for T, no offset", "2026-11-21 10:00:00", blank},
		{"space before the offset", "2026-11-21T10:00:00 +02:00", blank},
		{"no-break space for T", "2026-11-21\u00a010:00:00Z", blank},
		{"zone in brackets", "2026-12-01T10:00:00+02:00[Africa/Tripoli]", bracket},
		{"zone in brackets, no offset", "2026-12-01T10:00:00[Africa/Tripoli]", bracket},
		{"calendar in brackets", "2026-12-01T10:00:00Z[u-ca=gregory]", bracket},
		{"basic date only", "20261201", clock},
		{"week date only", "2026-W49-2", clock},
		{"week without a day", "2026-W49T10:00Z", form},
		{"month without a day", "2026-12T10:00Z", form},
		{"basic form without an offset", "20261201T100000", offset},
		{"ordinal date without an offset", "2026-335T10:00", offset},
		{"no minutes and an offset", "20261201T10+02:00", minutes},
		{"a fraction of an hour", "2026-11-21T10,5Z", minutes},
		{"half a basic date", "2026-1201T10:00Z", form},
		{"day 0", "2026-000T10:00Z", nothing},
		{"day 366 of a common year", "2026-366T10:00Z", nothing},
		{"week 0", "2026-W00-1T10:00Z", nothing},
		{"week 53 of a year with 52", "2025-W53-1T10:00Z", nothing},
		{"week 54", "2026-W54-1T10:00Z", nothing},
		{"weekday 0", "2026-W49-0T10:00Z", nothing},
		{"weekday 8", "2026-W49-8T10:00Z", nothing},
		{"basic month 13", "20261301T100000Z", nothing},
		{"basic 30 February", "20260230T100000Z", nothing},
		{"after the end of the day", "2026-11-21T24:00:01Z", nothing},
		{"a fraction after the end of the day", "2026-11-21T24:00:00,000000001Z", nothing},
		{"minute after the end of the day", "2026-11-21T24:01Z", nothing},
		{"hour 25", "2026-11-21T25:00:00Z", nothing},
		{"end of the year 9999", "9999-12-31T24:00:00Z", nothing},
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
