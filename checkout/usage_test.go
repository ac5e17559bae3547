package checkout_test

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer"
)

// oneNumber is a number in all forms in which people write it.
var oneNumber = []string{"0912345678", "+218912345678", "00218912345678", "912345678", "٠٩١٢٣٤٥٦٧٨",
	"091-234 5678"}

// Many links are used at once on three servers: start, four codes, give
// up, again. In any order, a number gets no more than six messages, and no
// more than ten codes go to the acquirer.
func TestANumberIsLimitedOverLinksTabsAndServers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var servers []*instance
	for range 3 {
		servers = append(servers, w.newInstance(zerolog.WarnLevel))
	}
	var all sync.WaitGroup
	for n, phone := range oneNumber {
		all.Go(func() {
			in := servers[n%len(servers)]
			for range 4 {
				i, ok := w.createLoose(in, domain.MinAmount)
				if !ok {
					return
				}
				in.ask(t, http.MethodPost, path(i)+"/attempts", wallet(phone))
				for range 4 {
					in.ask(t, http.MethodPost, path(i)+"/code", code("222222"))
				}
				in.ask(t, http.MethodPost, path(i)+"/give-up", nil)
			}
		})
	}
	all.Wait()
	messages, codes := w.acquirer.begun.Load()+w.acquirer.resent.Load(), w.acquirer.confirmed.Load()
	if messages > int64(payments.MessagesOfANumber) || codes > int64(payments.CodesOfANumber) || codes == 0 {
		t.Errorf("%d messages were sent and %d codes went to the acquirer, want at most %d and %d",
			messages, codes, payments.MessagesOfANumber, payments.CodesOfANumber)
	}
	i := w.create()
	refused := w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 429, "pay")
	contains(t, refused, "أُرسلت رموز كثيرة إلى هذا الرقم خلال الساعة الماضية.")
	if wait, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || wait < 1 || wait > 3660 {
		t.Errorf("Retry-After %q", refused.header.Get("Retry-After"))
	}
	w.wantHistory(i.ID, "created")
	if got := w.atBank(i).state(); got != "processing" {
		t.Errorf("by card the page shows %s", got)
	}
	w.want(w.submit(w.atCode(w.create(), "0923456789"), code("111111")), 200, "receipt")
}

// If others use up the limit after a request has passed the check, the claim refuses the request:
// the acquirer is not called, and the attempt fails.
func TestTheClaimCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.atCode(w.create(), "0912345678")
	w.exec(`
		CREATE FUNCTION use_up() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
		BEGIN
		    UPDATE checkout_usage SET used_at = array_fill(last_at, ARRAY[cardinality(used_at) + 5]);
		    RETURN NULL;
		END $$`)
	w.exec(`
		CREATE TRIGGER use_up AFTER INSERT ON events FOR EACH ROW
		WHEN (NEW.type = 'intent.attempt_started') EXECUTE FUNCTION use_up()`)
	i := w.create()
	page := w.want(w.submit(w.visit(path(i)), wallet("0912345678")), 200, "pay")
	contains(t, page, "أُرسلت رموز كثيرة خلال ساعة، فلم نرسل رمزًا هذه المرة.")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
	if got := w.acquirer.begun.Load(); got != 1 {
		t.Errorf("%d messages were sent, want only the first", got)
	}
	if got := w.counted(); got != 3*6 {
		t.Errorf("%d are counted, want six for each: a refusal counts nothing", got)
	}
	w.wantStage(w.lastAttempt(i.ID), "closed")
}

// counted is the sum of all counts, for numbers, intents and networks.
func (w *world) counted() int {
	w.t.Helper()
	return value[int](w, `SELECT coalesce(sum(cardinality(used_at)), 0) FROM checkout_usage`)
}

// subjects is the number of rows: the numbers, intents and networks with a count.
func (w *world) subjects() int {
	w.t.Helper()
	return value[int](w, `SELECT count(*) FROM checkout_usage`)
}

// ageUsage makes usage older by an interval.
func (w *world) ageUsage(kind, ago string) {
	w.t.Helper()
	w.exec(`
		UPDATE checkout_usage
		SET used_at = ARRAY(SELECT t - $2::interval FROM unnest(used_at) AS t)
		WHERE kind = $1`, kind, ago)
}

// The limits are over a sliding hour: only usage older than an hour no longer counts.
func TestLimitsHoldInAnyHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	start := func() int { return w.post(path(w.create())+"/attempts", wallet("0912345678")).status }
	begin := func(times int) {
		for range times {
			if got := start(); got != http.StatusSeeOther {
				t.Errorf("within the limit: %d", got)
			}
		}
	}
	begin(2)
	w.ageUsage("message", "50 minutes")
	begin(payments.MessagesOfANumber - 2)
	if got := start(); got != http.StatusTooManyRequests {
		t.Errorf("one too many: %d", got)
	}
	w.ageUsage("message", "9 minutes")
	if got := start(); got != http.StatusTooManyRequests {
		t.Errorf("after 59 minutes: %d", got)
	}
	w.ageUsage("message", "2 minutes")
	begin(2)
	if got := start(); got != http.StatusTooManyRequests {
		t.Errorf("one too many again: %d", got)
	}
}

// A network and an intent have limits too, which do not affect others.
func TestANetworkIsLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	from := func(address string, i domain.Intent, phone string) shown {
		return w.send(http.MethodPost, path(i)+"/attempts", wallet(phone), func(r *http.Request) {
			r.Header.Set("X-Forwarded-For", address)
		})
	}
	const network, neighbour = "2001:db8:1:2:3::4", "2001:db8:1:2:ffff::9"
	i := w.create()
	w.want303(from(network, i, "0912345678"))
	w.exec(`UPDATE checkout_usage SET used_at = array_fill(last_at, ARRAY[$1::int])`,
		payments.MessagesOfANetwork)
	w.button(i, "/give-up")
	for _, s := range []shown{
		from(neighbour, w.create(), "0923456789"), // another link and number
		from("203.0.113.7", i, "0923456789"),      // another number and network
	} {
		contains(t, w.want(s, 429, "pay"), "أُرسلت رموز كثيرة خلال الساعة الماضية.")
	}
	w.want303(from("203.0.113.7", w.create(), "0923456789"))
}

// Messages that were not sent do not count, nor do those of paid attempts.
func TestUsageIsGivenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	begin := func(context.Context, acquirer.Payment) (acquirer.Begun, error) { return nil, acquirer.ErrNotSent }
	w.acquirer.begin.Store(&begin)
	for range 3 {
		w.want(w.submit(w.visit(path(w.create())), wallet("0912345678")), 200, "pay")
	}
	w.acquirer.begin.Store(nil)
	for range payments.MessagesOfANumber + 2 {
		i := w.create()
		w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
		w.wantStage(w.lastAttempt(i.ID), "closed")
	}
	hung := w.create() // paid, although the answer was lost
	w.want(w.submit(w.atCode(hung, "0920000001"), code("111111")), 200, "processing")
	w.until(hung, "receipt")
	w.wantStage(w.lastAttempt(hung.ID), "closed")
	if got, rows := w.counted(), w.subjects(); got != 0 || rows != 0 {
		t.Errorf("%d are still counted, in %d rows", got, rows)
	}
	lost := func(context.Context, acquirer.Payment) (acquirer.Begun, error) { return nil, errLost }
	w.acquirer.begin.Store(&lost)
	w.want303(w.post(path(w.create())+"/attempts", wallet("0912345678")))
	w.acquirer.begin.Store(nil)
	if got := w.counted(); got != 3 {
		t.Errorf("a message that may have been sent is counted %d times, "+
			"want for its number, intent and network", got)
	}
	w.ageUsage("message", "61 minutes")
	w.exec(`UPDATE checkout_usage SET last_at = last_at - interval '61 minutes'`)
	w.later(0) // a server deletes them when it starts, and then from time to time
	w.eventually("no row is kept that no longer counts", func() bool { return w.subjects() == 0 })
}

// Payers of a network who pay at once, and messages and inquiries about them, leave nothing counted.
func TestUsageOfPayersAtOnceIsGivenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	servers := []*instance{w.newInstance(zerolog.WarnLevel), w.newInstance(zerolog.WarnLevel)}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for k := range 4 {
				if i, ok := w.createLoose(servers[n%2], domain.MinAmount); ok {
					phone := "0912345" + strconv.Itoa(100+10*n+k)
					servers[n%2].ask(t, http.MethodPost, path(i)+"/attempts", wallet(phone))
					servers[k%2].ask(t, http.MethodPost, path(i)+"/code", code("111111"))
				}
			}
		})
	}
	all.Wait()
	if got := w.acquirer.confirmed.Load(); got != 8*4 {
		t.Errorf("%d codes went to the acquirer, want %d", got, 8*4)
	}
	w.eventually("nothing is counted", func() bool { return w.subjects() == 0 })
}

// However many payers of a network have not paid within the hour, the row that the next one changes is
// small: equal times take almost no space.
func TestUsageOfANetworkStaysSmall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.atCode(w.create(), "0912345678")
	w.exec(`
		UPDATE checkout_usage
		SET used_at = ARRAY(
		    SELECT last_at - ago * interval '1 minute'
		    FROM generate_series(49, 0, -1) AS ago
		    CROSS JOIN generate_series(1, 10)
		)`)
	w.atCode(w.create(), "0923456789")
	var counted, bytes, parts int
	if err := w.pool.QueryRow(t.Context(), `
		SELECT cardinality(used_at), pg_column_size(used_at),
		       (SELECT count(*) FROM unnest(used_at) AS t WHERE t <> date_trunc('minute', t))
		FROM checkout_usage
		ORDER BY 1 DESC
		LIMIT 1`).Scan(&counted, &bytes, &parts); err != nil {
		t.Fatal(err)
	}
	if counted != 501 || bytes > 500 || parts > 0 {
		t.Errorf("%d times take %d bytes, %d are within a minute; want 501 whole minutes in 500 bytes at most",
			counted, bytes, parts)
	}
}

// New codes count as messages too, and the page shows when the next one can be sent.
func TestNewCodesAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.atCode(i, "0912345678")
	attempt := w.lastAttempt(i.ID)
	for range payments.MessagesOfANumber - 1 {
		w.ageCode(attempt, 31*time.Second)
		w.want(w.button(i, "/resend"), 200, "otp")
	}
	w.ageCode(attempt, 31*time.Second)
	page := w.want(w.post(path(i)+"/resend", nil), 429, "otp")
	page.document.with(t, "a", "href", "#resend")
	if got := w.acquirer.resent.Load() + w.acquirer.begun.Load(); got != int64(payments.MessagesOfANumber) {
		t.Errorf("%d messages were sent, want %d", got, payments.MessagesOfANumber)
	}
	w.exec(`
		INSERT INTO checkout_usage
		SELECT subject, 'code', array_fill(last_at, ARRAY[$1::int]), last_at
		FROM checkout_usage`, payments.CodesOfANumber)
	w.want(w.post(path(i)+"/code", code("111111")), 429, "otp").document.with(t, "p", "id", "otp-problem")
	if got := w.acquirer.confirmed.Load(); got != 0 {
		t.Errorf("%d codes went to the acquirer", got)
	}
	w.want(w.button(i, "/give-up"), 200, "pay")
	w.atBank(i)
}

// However often attempts are given up, the intent has few events, and can be paid.
func TestAnIntentStaysShortAndPayable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	for range domain.FreeAttempts {
		w.atBank(i)
		w.want(w.button(i, "/give-up"), 200, "pay")
	}
	events := len(w.history(i.ID))
	for range 3 {
		answer := w.follow(w.want303(w.post(path(i)+"/attempts", card())))
		page := w.want(answer, 200, "pay")
		forms := len(page.document.all("form"))
		if got := detail(t, page); got != "limited" || forms != 0 {
			t.Errorf("the page shows %q, and %d forms", got, forms)
		}
	}
	if got := len(w.history(i.ID)); got != events || got != 1+2*domain.FreeAttempts {
		t.Errorf("%d events, %d before", got, events)
	}
	w.later(domain.AttemptWait + time.Minute)
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
}
