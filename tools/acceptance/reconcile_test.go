package acceptance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
)

// compared is the answer of reconcile.
type compared struct {
	Acquirer          string
	OK                bool
	Statement, Ledger struct {
		Count  int
		Amount int64
	}
	Difference int64
	Matched    int
	Counts     map[string]int
	Findings   []struct {
		Kind      string
		Line      *int
		Attempt   string
		Intent    *string
		Statement *int64 `json:"statement_amount"`
		Ledger    *int64 `json:"ledger_amount"`
	}
}

// recordPayments records payments of an application through the sandbox, an hour apart.
func recordPayments(t *testing.T, db *pgtest.DB,
	app string, from time.Time, amounts ...int64,
) []domain.AttemptID {
	t.Helper()
	pool := db.Pool(t)
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	var ids []domain.AttemptID
	for n, amount := range amounts {
		at, random := from.Add(time.Duration(n)*time.Hour), uuid.New()
		id, money := domain.NewAttemptID(random), domain.Money{Minor: amount, Currency: domain.LYD}
		events := []domain.Event{
			domain.Created{At: at, CheckoutToken: "t", ExpiresAt: at.Add(time.Hour), Terms: domain.Terms{
				Application:       domain.ApplicationID(uuid.MustParse(app)),
				MerchantReference: domain.MerchantReference(id), Reference: "r", Amount: money, Description: "d",
			}},
			domain.AttemptStarted{At: at, Attempt: id, Acquirer: "sandbox", Method: "wallet"},
			domain.Succeeded{At: at, Attempt: id, Amount: money, ProviderReference: "SBX-" + string(id[:8])},
		}
		a := eventstore.Append{
			Stream: random, Row: projections.IntentOf(domain.Fold(domain.IntentID(random), events)),
		}
		for _, e := range events {
			encoded, err := domain.EncodeEvent(e)
			if err != nil {
				t.Fatal(err)
			}
			a.Events = append(a.Events, eventstore.Event(encoded))
		}
		if _, err := store.Append(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := store.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ids
}

// A statement is compared with the ledger; scripts use the exit code, people the list.
func TestReconcile(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	ours, other := newShop(t, env), newShop(t, env)
	noon := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	paid := recordPayments(t, db, ours.app, noon, 5000, 12_500, 7000)
	theirs := recordPayments(t, db, other.app, noon.Add(3*time.Hour), 9000)
	write := func(lines ...string) string {
		path := filepath.Join(t.TempDir(), "statement.csv")
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	line := func(id domain.AttemptID, amount string) string {
		return string(id) + "," + amount + ",2026-11-20 12:00,paid"
	}
	const head = "id,amount,taken_at,state"
	all := write(head, line(paid[0], "5000"), line(paid[1], "12500"), line(paid[2], "7000"),
		line(theirs[0], "9000"))
	if r := answer[compared](t, env, "reconcile", "--acquirer", "sandbox", "--file", all); !r.OK ||
		r.Matched != 4 || r.Ledger.Amount != 33_500 || r.Findings == nil {
		t.Errorf("all of it: %+v", r)
	}
	own := write(head, line(paid[0], "5000"), line(paid[1], "12501"), line("zzzzzzzzzzzzzzzzzzzzzzzzzz", "100"))
	for _, scope := range [][]string{{"--app", ours.app}, {"--org", ours.org}} {
		args := append([]string{"reconcile", "--acquirer", "sandbox", "--file", own}, scope...)
		r := call(t, env, append(args, "--json")...)
		var c compared
		if err := json.Unmarshal([]byte(r.out), &c); err != nil || r.code != 1 {
			t.Fatalf("exit %d, %v: %s%s", r.code, err, r.out, r.errors)
		}
		if c.OK || c.Matched != 1 || c.Difference != 12_501+100-12_500-7000 || len(c.Findings) != 3 ||
			c.Counts["missing_in_statement"] != 1 ||
			c.Counts["missing_in_ledger"] != 1 || c.Counts["amount_differs"] != 1 {
			t.Errorf("%v: %+v", scope, c)
		}
		f := c.Findings[0]
		if f.Kind != "missing_in_statement" || f.Attempt != string(paid[2]) || f.Line != nil ||
			f.Statement != nil || *f.Ledger != 7000 || f.Intent == nil {
			t.Errorf("the first is %+v", f)
		}
		text := call(t, env, args...)
		for _, sentence := range []string{
			"not in the statement", "not in the ledger", "amounts differ", "12.501", "-6.899 LYD",
		} {
			if text.code != 1 || !strings.Contains(text.out, sentence) {
				t.Errorf("exit %d, for people without %q: %s", text.code, sentence, text.out)
			}
		}
		if strings.Contains(r.out+text.out, string(theirs[0])) {
			t.Error("it has what is another's")
		}
	}
	text, err := os.ReadFile(all)
	if err != nil {
		t.Fatal(err)
	}
	for input, code := range map[string]int{
		string(text):                         0,
		"\ufeff" + string(text):              0,
		head + "\n":                          1,
		"":                                   2,
		head + "\nabc,5.5,2026-11-20,paid\n": 2,
	} {
		r := callWith(t, env, input, "reconcile", "--acquirer", "sandbox", "--file", "-",
			"--from", "2026-11-20", "--to", "2026-11-20")
		if r.code != code || code == 2 && !strings.Contains(r.errors, "standard input: ") {
			t.Errorf("exit %d, want %d, of %q: %s%s", r.code, code, input, r.out, r.errors)
		}
	}
	// As in docs/acquirers.md: the reference in a narrative, a column of credits, a fee.
	bank := write("Bank of Tripoli", "Date,Narrative,Debit,Credit",
		"20/11/2026,P2M "+strings.ToUpper(string(paid[0]))+" SHOP,,5.000", "20/11/2026,FEE,1.000,",
		"20/11/2026,P2M/"+string(paid[1])+",,\"12.500 LYD\"",
		"20/11/2026,P2M "+string(paid[2])+",,7",
		"Total,,1.000,24.500")
	if r := answer[compared](t, env, "reconcile", "--acquirer", "sandbox", "--app", ours.app, "--unit", "dinars",
		"--file", bank, "--columns", "reference=Narrative,amount=Credit,status="); !r.OK || r.Matched != 3 {
		t.Errorf("a bank's file: %+v", r)
	}
	const moamalat = "MerchantReference,AmountTrxn,TxnDate"
	undated := write("id,amount", "abc,5000")
	comma := write("invoice_no,amount,date", "abc,\"1,234\",2026-11-20")
	for args, code := range map[string]int{
		"--acquirer sandbox --file " + all + " --from 2026-11-20 --to 2026-11-20": 0,
		// nothing on either side
		"--acquirer sandbox --file " + all + " --from 2026-11-21 --to 2026-11-22":        0,
		"--acquirer sandbox --file " + own + " --columns reference=,amount=amount":       2,
		"--acquirer sandbox --file " + own + " --unit dinars --app " + ours.app:          1,
		"--acquirer sandbox --file " + own + " --app " + uuid.NewString():                1,
		"--acquirer sandbox --file " + own + " --app " + ours.app + " --org " + ours.org: 2,
		"--acquirer moneybag --file " + own:                                              2,
		"--acquirer sandbox --file " + own + ".not-there":                                2,
		"--acquirer sandbox --file " + own + " --from yesterday":                         2,
		"--acquirer sandbox --file " + own + " --from 2026-11-22 --to 2026-11-20":        2,
		"--acquirer sandbox --file " + own + " --columns colour=red":                     2,
		"--acquirer sandbox --file " + own + " --unit pounds":                            2,
		"--acquirer sandbox --file " + write(head, "abc,5.5,2026-11-20,paid"):            2,
		"--acquirer sandbox": 2,
		"--acquirer sandbox --file " + undated + " --from 2026-11-19 --to 2026-11-19": 1,
		"--acquirer sandbox --file " + undated:                                        2,
		"--acquirer moamalat --file " + write(moamalat, "abc,5000,20/11/2026"):        1,
		"--acquirer moamalat --file " + write(moamalat) + " --from 2026-11-20":        2,
		"--acquirer plutu --file " + comma + " --json=true":                           2,
	} {
		r := call(t, env, append([]string{"reconcile"}, strings.Fields(args)...)...)
		if r.code != code || code == 2 && r.out != "" {
			t.Errorf("%s: exit %d, want %d: %s%s", args, r.code, code, r.out, r.errors)
		}
	}
	r := call(t, env, "reconcile", "--acquirer", "sandbox", "--file", write(head, "abc,5.5,2026-11-20,paid"))
	if !strings.Contains(r.errors, `line 2: column "amount": "5.5"`) {
		t.Errorf("a bad amount: %s", r.errors)
	}
}
