package checkout_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
)

// taking is money that was taken for an intent.
type taking struct {
	Intent string `json:"intent"`
	Amount int64  `json:"amount"`
}

func sorted(all []taking) []taking {
	slices.SortFunc(all, func(a, b taking) int {
		return cmp.Or(cmp.Compare(a.Intent, b.Intent), cmp.Compare(a.Amount, b.Amount))
	})
	return all
}

// taken is what the bank took.
func (w *world) taken() []taking {
	w.t.Helper()
	all := []taking{}
	w.control(http.MethodGet, "/control/ledger", "", &all)
	return sorted(all)
}

// recorded is the money that was taken, by the events.
func (w *world) recorded(ctx context.Context) []taking {
	w.t.Helper()
	rows, err := w.pool.Query(ctx, `
		SELECT stream_id::text, (payload::json->>'amount')::bigint
		FROM events
		WHERE type IN ('intent.succeeded', 'intent.late_succeeded', 'intent.duplicate_payment')`)
	if err != nil {
		w.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[taking])
	if err != nil {
		w.t.Fatal(err)
	}
	return sorted(append([]taking{}, all...))
}

// control sends a request to the bank's control interface.
func (w *world) control(method, path, body string, into any) {
	w.t.Helper()
	req, err := http.NewRequest(method, w.bankURL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		w.t.Fatalf("control %s: %d", path, res.StatusCode)
	}
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		w.t.Fatal(err)
	}
}

// settle decides a payment at the bank.
func (w *world) settle(id domain.AttemptID, outcome string) {
	w.t.Helper()
	var ignored any
	w.control(http.MethodPost, "/control/payments/"+string(id)+"/settle",
		fmt.Sprintf(`{"outcome":%q}`, outcome), &ignored)
}

// value reads one value from the database.
func value[T any](w *world, query string, args ...any) T {
	w.t.Helper()
	var v T
	if err := w.pool.QueryRow(context.Background(), query, args...).Scan(&v); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return v
}

// exec changes the database as its owner, for states that take long to reach.
func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.OwnerPool(w.t).Exec(context.Background(), sql, args...); err != nil {
		w.t.Fatal(err)
	}
}

// due makes an attempt due, as the schedule does.
func (w *world) due(id domain.AttemptID) {
	w.t.Helper()
	w.exec(`UPDATE checkout_attempts SET ask_at = stage_since, busy_until = NULL WHERE attempt = $1`, id)
	w.Wake()
}

// row is a part of an attempt's row.
type row struct {
	Stage   string
	AskAt   *time.Time
	Trouble string
}

func (w *world) row(id domain.AttemptID) row {
	w.t.Helper()
	rows, err := w.pool.Query(context.Background(),
		`SELECT stage, ask_at, trouble FROM checkout_attempts WHERE attempt = $1`, id)
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[row])
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) wantStage(id domain.AttemptID, want string) {
	w.t.Helper()
	w.eventually("the attempt is in stage "+want, func() bool { return w.row(id).Stage == want })
}

// lastAttempt is the attempt that began last.
func (w *world) lastAttempt(id domain.IntentID) domain.AttemptID {
	w.t.Helper()
	all := w.load(id).Attempts
	if len(all) == 0 {
		w.t.Fatal("no attempt has begun")
	}
	return all[len(all)-1].ID
}

// whileIdle changes the row of an attempt while no inquiry about it is under way, by a
// statement with that condition: the answer would overwrite what the test sets.
func (w *world) whileIdle(id domain.AttemptID, sql string) {
	w.t.Helper()
	owner := w.db.OwnerPool(w.t)
	w.eventually("no inquiry about the attempt is under way", func() bool {
		tag, err := owner.Exec(context.Background(), sql, id)
		if err != nil {
			w.t.Fatal(err)
		}
		return tag.RowsAffected() == 1
	})
}

// settleDown waits for the bank's notifications, then compares the bank's books with
// the events, and checks that the log and the database have no secrets.
func (w *world) settleDown() {
	t := w.t
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.bank.WaitNotified(ctx); err != nil {
		t.Error(err)
	}
	var taken []taking
	w.eventually("what the bank took is in the ledger", func() bool {
		taken = w.taken()
		if w.elsewhere != nil {
			taken = sorted(append(taken, w.elsewhere()...))
		}
		return gocmp.Equal(taken, w.recorded(ctx))
	})
	if diff := gocmp.Diff(taken, w.recorded(ctx)); diff != "" {
		t.Errorf("the bank's books and the ledger differ (-bank +ledger):\n%s", diff)
	}
	codes := []string{"111111", "222222", "912345678", "920000001", bankSecret}
	w.wantNoSecret("the log", w.log.String(), append(w.secrets(ctx), codes...))
	w.wantNoSecret("the database", w.storedText(ctx), codes)
}

// wantNoSecret checks that a text has none of the secrets. Six digits in the middle
// of an id may be there by chance.
func (w *world) wantNoSecret(place, text string, secrets []string) {
	w.t.Helper()
	for _, secret := range secrets {
		pattern := regexp.QuoteMeta(secret)
		if len(secret) <= 6 {
			pattern = `\b` + pattern + `\b`
		}
		if regexp.MustCompile(pattern).MatchString(text) {
			w.t.Errorf("%s: has the secret %q", place, secret)
		}
	}
}

// storedText is the text that the checkout and the ledger store about payers. Links and times are left
// out: their digits may equal a code by chance.
func (w *world) storedText(ctx context.Context) string {
	var text string
	err := w.pool.QueryRow(ctx, `
		SELECT (SELECT coalesce(string_agg(concat_ws(' ', payer, sent_to, trouble), ' '), '')
		        FROM checkout_attempts) ||
		       (SELECT coalesce(string_agg(coalesce(payload::json->>'payer', ''), ' '), '')
		        FROM events)`).Scan(&text)
	if err != nil {
		w.t.Error(err)
	}
	return text
}

// secrets are the checkout tokens.
func (w *world) secrets(ctx context.Context) []string {
	rows, err := w.pool.Query(ctx,
		`SELECT payload::json->>'checkout_token' FROM events WHERE type = 'intent.created'`)
	if err != nil {
		w.t.Error(err)
		return nil
	}
	tokens, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.t.Error(err)
	}
	return tokens
}
