package moamalat_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/moamalat"
)

// stub returns an account with a gateway that always gives the same answer.
func stub(t *testing.T, status int, kind, body string) acquirer.Acquirer {
	t.Helper()
	return newAccount(t, moamalat.Config{URL: acquirertest.Answering(t, status, kind, body)})
}

func list(total string, rows ...string) string {
	const form = `{"Message":null,"Success":true,"TotalCountAllTransaction":%s,` +
		`"Transactions":[{"Date":"20/11/2026","DateTransactions":[%s]}]}`
	return fmt.Sprintf(form, total, strings.Join(rows, ","))
}

// row is a transaction of the list, with changes as "name":value.
func row(changes ...string) string {
	members := map[string]string{
		"Status":            `"Approved"`,
		"TransType":         `"Sale"`,
		"AmountTrxn":        `"1234500"`,
		"Currency":          `"LYD"`,
		"RRN":               `"632700000001"`,
		"MerchantReference": `"` + reference + `"`,
		"TransactionId":     `"1500001"`,
		"IsRefund":          "false",
	}
	for _, c := range changes {
		name, value, _ := strings.Cut(c, ":")
		members[name] = value
	}
	var written []string
	for name, value := range members {
		if value != "" {
			written = append(written, `"`+name+`":`+value)
		}
	}
	return "{" + strings.Join(written, ",") + "}"
}

func TestStatesFromLists(t *testing.T) {
	t.Parallel()
	var none acquirer.Paid
	sale := acquirer.Paid{Money: lyd(1_234_500), ProviderReference: "1500001"}
	const empty = `{"Message":"Transaction not found","Success":true,` +
		`"TotalCountAllTransaction":0,"Transactions":[]}`
	for _, tc := range []struct {
		name, body string
		want       acquirer.State
		paid       acquirer.Paid
		more       int
	}{
		{"not paid", empty, acquirer.StateNotFound, none, 0},
		{
			"not paid, in other words",
			`{"message":"transaction not found.","success":"True","totalCountAllTransaction":"0","transactions":null}`,
			acquirer.StateNotFound, none, 0,
		},
		{
			"another payment", list("1", row(`MerchantReference:"another0000000"`)),
			acquirer.StateNotFound, none, 0,
		},
		{
			"a longer reference", list("1", row(`MerchantReference:"`+reference+`0"`)),
			acquirer.StateNotFound, none, 0,
		},
		{"paid", list("1", row()), acquirer.StatePaid, sale, 0},
		{
			"paid, in capitals",
			list("1", row(`Status:"APPROVED"`, `TransType:"SALE"`,
				`MerchantReference:"`+strings.ToUpper(reference)+`"`)),
			acquirer.StatePaid, sale, 0,
		},
		{
			"in numbers",
			list(`"1"`, row("AmountTrxn:1234500", "Currency:434", "TransactionId:1500001", "TransType:1")),
			acquirer.StatePaid, sale, 0,
		},
		{"in dinars", list("1", row(`AmountTrxn:"1234.500"`)), acquirer.StatePaid, sale, 0},
		{"in dinars, shorter", list("1", row(`AmountTrxn:1234.5`, `Currency:"434"`)), acquirer.StatePaid, sale, 0},
		{
			"by the network's number", list("1", row("TransactionId:null")),
			acquirer.StatePaid, acquirer.Paid{Money: lyd(1_234_500), ProviderReference: "632700000001"}, 0,
		},
		{"a sale that was refunded", list("1", row("IsRefund:true")), acquirer.StatePaid, sale, 0},
		{
			"a sale and its refund",
			list("2", row(), row(`TransType:"Refund"`, "IsRefund:true", `TransactionId:"1500002"`)),
			acquirer.StatePaid, sale, 0,
		},
		{
			"a refund under the word sale",
			list("2", row(`TransactionId:"1500002"`, "IsRefund:true"), row()),
			acquirer.StatePaid, sale, 0,
		},
		{
			"a sale and its void",
			list("2", row(`TransType:"VoidSale"`, `TransactionId:"1500002"`), row()),
			acquirer.StatePaid, sale, 0,
		},
		{"twice", list("2", row(`TransactionId:"1500002"`), row()), acquirer.StatePaid, sale, 1},
		{"twice, one digit more", list("2", row(`TransactionId:"10500001"`), row()), acquirer.StatePaid, sale, 1},
		{
			"declined, then paid",
			list("2", row(`Status:"Declined"`, `TransactionId:"1500000"`), row()),
			acquirer.StatePaid, sale, 0,
		},
		{
			"paid, with an unknown word", list("2", row(), row(`Status:"Queued"`)),
			acquirer.StatePaid, sale, 0,
		},
		{"declined", list("1", row(`Status:"declined"`)), acquirer.StatePending, none, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			account := stub(t, 200, "application/json; charset=utf-8", tc.body)
			report, err := account.Inquire(t.Context(), refOf(somePayment()))
			if err != nil || report.State != tc.want || report.Reference != reference ||
				len(report.More) != tc.more || report.Reason != "" {
				t.Fatalf("report = %+v, %v; want %s", report, err, tc.want)
			}
			paid := acquirer.Paid{Money: report.Money, ProviderReference: report.ProviderReference}
			if tc.want == acquirer.StatePaid && paid != tc.paid {
				t.Errorf("paid = %+v, want %+v", paid, tc.paid)
			}
		})
	}
}

// An answer that cannot be understood is an unknown outcome: neither a state nor "not sent" nor
// a refused account.
func TestUnreadableAnswers(t *testing.T) {
	t.Parallel()
	const kind = "application/json"
	for _, tc := range []struct {
		name   string
		status int
		kind   string
		body   string
	}{
		{"a fault", 500, kind, list("1", row())},
		{"a gateway's page", 502, "text/html", "<html>Bad Gateway</html>"},
		{"a page instead of an answer", 200, "text/html", "<html>Welcome</html>"},
		{"a redirect", 302, kind, list("1", row())},
		{"no JSON", 200, kind, "<html>"},
		{"nothing", 200, kind, ""},
		{"half an answer", 200, kind, list("1", row())[:200]},
		{"a name twice", 200, kind, `{"Success":true,"Success":true,"TotalCountAllTransaction":0}`},
		{"an unknown refusal", 200, kind, `{"Message":"CUBEEX1:No","Success":false}`},
		{"a refusal without words", 200, kind, `{"Message":null,"Success":false}`},
		{"no verdict", 200, kind, `{"TotalCountAllTransaction":0,"Transactions":[]}`},
		{
			"a 404 of something else", 404, kind,
			`{"Message":"Transaction not found","Success":true,"TotalCountAllTransaction":0}`,
		},
		{"a 401 of something else", 401, kind, `{"Message":"Unauthorized"}`},
		{"a 403", 403, kind, `{"Message":"Authentication failed."}`},
		{"no count", 200, kind, `{"Message":"Transaction not found","Success":true,"Transactions":[]}`},
		{"a count that is none", 200, kind, `{"Success":true,"TotalCountAllTransaction":"many","Transactions":[]}`},
		{
			"an empty list for another reason", 200, kind,
			`{"Message":"Try later","Success":true,"TotalCountAllTransaction":0,"Transactions":[]}`,
		},
		{"more than it shows", 200, kind, `{"Success":true,"TotalCountAllTransaction":1,"Transactions":[]}`},
		{"always one more", 200, kind, list("2", row(`MerchantReference:"another0000000"`))},
		{"an unknown status", 200, kind, list("1", row(`Status:"Settled"`))},
		{"an unknown type", 200, kind, list("1", row(`TransType:"Capture"`))},
		{"no type", 200, kind, list("1", row("TransType:"))},
		{"a void without its sale", 200, kind, list("1", row(`TransType:"Void Sale"`))},
		{"no amount", 200, kind, list("1", row("AmountTrxn:null"))},
		{"no amount, declined", 200, kind, list("1", row(`Status:"Declined"`, "AmountTrxn:"))},
		{"an amount with an exponent", 200, kind, list("1", row("AmountTrxn:1e6"))},
		{"an amount of four decimals", 200, kind, list("1", row(`AmountTrxn:"1.2345"`))},
		{"another currency", 200, kind, list("1", row(`Currency:"USD"`))},
		{"no number", 200, kind, list("1", row("TransactionId:null", `RRN:""`))},
		{"a structure for a text", 200, kind, list("1", row("Status:{}"))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			report, err := stub(t, tc.status, tc.kind, tc.body).Inquire(t.Context(), refOf(somePayment()))
			if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrAccount) {
				t.Errorf("inquiry = %+v, %v; want an unknown outcome", report, err)
			}
			// Such an answer does not report a refund either.
			ref := refOf(somePayment())
			ref.ProviderReference = "1500001"
			_, err = stub(t, tc.status, tc.kind, tc.body).Refund(t.Context(), ref, ref.Money)
			if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrAccount) {
				t.Errorf("refund: %v; want an unknown outcome", err)
			}
		})
	}
}

func TestTheGatewaysOwnWordsRefuseTheAccount(t *testing.T) {
	t.Parallel()
	for status, body := range map[int]string{
		401: `{"Message":"Authentication failed.","StackTrace":null}`,
		200: `{"Message":"CUBEEX5212216:Authentication Failed","Success":false}`,
	} {
		a := stub(t, status, "application/json", body)
		if err := a.Check(t.Context(), nil); !errors.Is(err, acquirer.ErrAccount) {
			t.Errorf("%d: %v, want ErrAccount", status, err)
		}
	}
}
