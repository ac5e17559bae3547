package locale_test

import (
	"testing"
	"time"

	"daftar/internal/locale"
)

func TestSecondsAgreeInNumber(t *testing.T) {
	t.Parallel()
	for n, want := range map[time.Duration][2]string{
		-time.Second:                       {"0 ثانية", "0 seconds"},
		0:                                  {"0 ثانية", "0 seconds"},
		time.Millisecond:                   {"ثانية واحدة", "1 second"},
		time.Second:                        {"ثانية واحدة", "1 second"},
		2 * time.Second:                    {"ثانيتين", "2 seconds"},
		3 * time.Second:                    {"3 ثوانٍ", "3 seconds"},
		10 * time.Second:                   {"10 ثوانٍ", "10 seconds"},
		11 * time.Second:                   {"11 ثانية", "11 seconds"},
		99 * time.Second:                   {"99 ثانية", "99 seconds"},
		100 * time.Second:                  {"100 ثانية", "100 seconds"},
		102 * time.Second:                  {"102 ثانية", "102 seconds"},
		103 * time.Second:                  {"103 ثوانٍ", "103 seconds"},
		110*time.Second + time.Millisecond: {"111 ثانية", "111 seconds"},
	} {
		for i, l := range []locale.Lang{locale.Arabic, locale.English} {
			if got := locale.SecondsText(l, n); got != want[i] {
				t.Errorf("%s: got %q, want %q", n, got, want[i])
			}
		}
	}
}

func TestCountdownBringsItsForms(t *testing.T) {
	t.Parallel()
	want := `<span data-count="8" data-one="ثانية واحدة" data-two="ثانيتين" ` +
		`data-few="# ثوانٍ" data-other="# ثانية">8 ثوانٍ</span>`
	if got := string(locale.CountdownHTML(locale.Arabic, 8*time.Second)); got != want {
		t.Errorf("got %s", got)
	}
}
