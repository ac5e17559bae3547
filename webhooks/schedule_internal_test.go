package webhooks

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestScheduleIsThatOfStandardWebhooks(t *testing.T) {
	t.Parallel()
	var all time.Duration
	for _, after := range schedule {
		all += after
	}
	if want := 75*time.Hour + 35*time.Minute + 5*time.Second; len(schedule) != 10 || all != want {
		t.Errorf("%d tries in %s, want 10 in %s", len(schedule), all, want)
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		step   int
		asked  time.Duration
		chance float64
		want   time.Duration
	}{
		{"the shortest", 1, 0, 0, 4 * time.Second},
		{"the middle", 1, 0, 0.5, 5 * time.Second},
		{"the longest of the last", 9, 0, 1, 28*time.Hour + 48*time.Minute},
		{"asked for less than the schedule says", 2, time.Second, 0.9, 5 * time.Minute},
		{"asked for a little more", 2, 7 * time.Minute, 0.9, 7 * time.Minute},
		{"asked for far more", 2, time.Hour, 0.1, 10 * time.Minute},
	} {
		if got := wait(c.step, c.asked, c.chance); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		value string
		want  time.Duration
	}{
		{"", 0}, {"120", 2 * time.Minute}, {"-1", 0}, {"soon", 0}, {"99999999999999", 0},
		{"Sun, 01 Mar 2026 12:03:00 GMT", 3 * time.Minute},
		{"Sun, 01 Mar 2026 11:00:00 GMT", 0},
	} {
		if got := retryAfter(http.Header{"Retry-After": {c.value}}, now); got != c.want {
			t.Errorf("%q: %s, want %s", c.value, got, c.want)
		}
	}
}

// failed is the health after one more try that failed.
func (h health) failed(status int, at time.Time) health {
	return h.after(result{Status: status, Error: errorStatus}, at)
}

// answered is the health after one more try that succeeded.
func (h health) answered(took time.Duration, at time.Time) health {
	return h.after(result{Status: http.StatusOK, Duration: took}, at)
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var h health
	for range failuresToOpen - 1 {
		h = h.failed(500, now)
	}
	if h.open() || h.ProbeAt != nil {
		t.Fatalf("open one failure too early: %+v", h)
	}
	h = h.failed(500, now)
	for _, pause := range []int{1, 2, 4, 8, 16, 30, 30} {
		want := now.Add(time.Duration(pause) * time.Minute)
		if !h.open() || h.ProbeAt == nil || !h.ProbeAt.Equal(want) {
			t.Fatalf("next probe at %v, want %v", h.ProbeAt, want)
		}
		if straggler := h.failed(500, now); !straggler.ProbeAt.Equal(*h.ProbeAt) {
			t.Errorf("a try that was under way is taken for a probe")
		}
		now = *h.ProbeAt
		h = h.failed(500, now)
	}
	if h = h.answered(0, now); h != (health{}) {
		t.Errorf("after a success: %+v", h)
	}
}

func TestDisabling(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := health{}.failed(500, began)
	if h = h.failed(500, began.Add(5*24*time.Hour-time.Second)); h.DisabledAt != nil {
		t.Errorf("disabled before five days were over")
	}
	if broken := h.answered(0, began).failed(500, began.Add(6*24*time.Hour)); broken.DisabledAt != nil {
		t.Errorf("disabled although there was a success in between")
	}
	if h = h.failed(500, began.Add(5*24*time.Hour)); h.DisabledFor != "failing" {
		t.Errorf("not disabled after five days: %+v", h)
	}
	if h = h.answered(0, began); h.DisabledFor != "failing" {
		t.Errorf("enabled by a try that was under way")
	}
	if h := (health{}).failed(http.StatusGone, began); h.DisabledFor != "gone" {
		t.Errorf("not disabled by 410: %+v", h)
	}
}

// An endpoint that keeps answering slowly gets one webhook at a time, but without a pause,
// and is never disabled for it.
func TestSlowAnswersCount(t *testing.T) {
	t.Parallel()
	var h health
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for n := range 10_000 {
		if h.open() != (n >= failuresToOpen) {
			t.Fatalf("after %d slow answers open is %t", n, h.open())
		}
		at = at.Add(14 * time.Second)
		h = h.answered(14*time.Second, at)
	}
	if h.ProbeAt != nil || h.FailingSince != nil || h.DisabledAt != nil {
		t.Errorf("%+v", h)
	}
	if h = h.failed(500, at); h.ProbeAt == nil || h.FailingSince == nil {
		t.Errorf("a failure after slow answers leaves %+v", h)
	}
	if h = h.answered(time.Second, at); h != (health{}) {
		t.Errorf("a quick answer leaves %+v", h)
	}
}

func TestStorable(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"not UTF-8":           "a\xff\xfeb",
		"with NUL":            "a\x00b",
		"cut within a letter": "a" + strings.Repeat("ش", maxAnswer),
		"plain":               "ok",
	} {
		got := answerText([]byte(text))
		if !utf8.ValidString(got) || strings.Contains(got, "\x00") || len(got) > maxAnswer || got == "" {
			t.Errorf("%s: %d bytes, %.20q", name, len(got), got)
		}
	}
	tooLong := []byte(strings.Repeat("x", maxAnswer+1))
	if got := answerText(tooLong); len(got) != maxAnswer {
		t.Errorf("kept %d bytes, want %d", len(got), maxAnswer)
	}
}
