package checkout_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

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

// recorded is what the events say was taken.
func (w *world) recorded(ctx context.Context) []taking {
	w.t.Helper()
	rows, err := w.pool.Query(ctx, `SELECT stream_id::text, (payload::json->>'amount')::bigint FROM events
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

// control asks the bank's control interface.
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

// exec changes the database as its owner, to bring about what takes long.
func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.OwnerPool(w.t).Exec(context.Background(), sql, args...); err != nil {
		w.t.Fatal(err)
	}
}

// due makes an attempt due, as the schedule would.
func (w *world) due(id domain.AttemptID) {
	w.t.Helper()
	w.exec(`UPDATE checkout_attempts SET ask_at = stage_since, busy_until = NULL WHERE attempt = $1`, id)
	w.Wake()
}

// row is what the table says of an attempt.
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

// whileIdle changes the row of an attempt that no server is asking about, by a
// statement with that condition: an answer under way would change what the test sets.
func (w *world) whileIdle(id domain.AttemptID, sql string) {
	w.t.Helper()
	owner := w.db.OwnerPool(w.t)
	w.eventually("nobody asks about the attempt", func() bool {
		tag, err := owner.Exec(context.Background(), sql, id)
		if err != nil {
			w.t.Fatal(err)
		}
		return tag.RowsAffected() == 1
	})
}
