// Contract does what a merchant does, and prints what came of it: contract.php prints the same.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	daftar "daftar/sdk/go"
)

const none = "00000000-0000-4000-8000-000000000000"

var (
	ctx    = context.Background()
	client = connect(daftar.Config{})
	order  = daftar.CreatePaymentIntent{
		MerchantReference: "order-1", Amount: 5000, Currency: "LYD", Description: "قهوة",
		Customer: &daftar.Customer{ExternalID: "customer-77"},
		Metadata: map[string]string{"branch": "طرابلس"}, ReturnURL: "https://shop.example/orders/1",
	}
)

func connect(c daftar.Config) *daftar.Client { return must(daftar.FromEnvironment(c)) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func text(value any) string { return string(must(json.Marshal(value))) }

func told(replayed bool, differs []string) string {
	return fmt.Sprintf("replayed %t, differs %s", replayed, text(append([]string{}, differs...)))
}

// kinds are the errors by their names in the other languages. What is of two kinds has the first.
var kinds = []struct {
	is   error
	name string
}{
	{daftar.ErrAuthentication, "Authentication"},
	{daftar.ErrPermission, "Permission"},
	{daftar.ErrNotFound, "NotFound"},
	{daftar.ErrConflict, "Conflict"},
	{daftar.ErrValidation, "Validation"},
	{daftar.ErrRateLimit, "RateLimit"},
	{daftar.ErrUnavailable, "Unavailable"},
}

func fails[T any](what string, _ T, err error) {
	var argument *daftar.ArgumentError
	var refused *daftar.APIError
	var lost *daftar.ConnectionError
	said, id := "no error", ""
	switch {
	case errors.As(err, &argument):
		said = "argument"
	case errors.As(err, &refused):
		kind := "Api"
		for _, one := range kinds {
			if kind == "Api" && errors.Is(err, one.is) {
				kind = one.name
			}
		}
		said, id = fmt.Sprintf("%s %d %s", kind, refused.Status, refused.Message), refused.RequestID
		for _, field := range slices.Sorted(maps.Keys(refused.Errors)) {
			said += " " + field
		}
	case errors.As(err, &lost):
		said, id = "Connection", lost.RequestID
	}
	if id != "" {
		said += ", with request id"
	}
	fmt.Printf("%s: %s\n", what, said)
}

func main() {
	intents()
	refunds()
	refusals()
}

func intents() {
	first := must(client.CreatePaymentIntent(ctx, order))
	intent := first.Intent
	fmt.Printf("first: %s, %s, %d, %s, %s\n", told(first.Replayed, first.Differs), intent.Status, intent.Amount,
		intent.Customer.ExternalID, text(intent.Metadata))
	again := must(client.CreatePaymentIntent(ctx, order))
	fmt.Printf("again: %s\n", told(again.Replayed, again.Differs))
	changed := order
	changed.Amount, changed.Description = 9000, "شاي"
	other := must(client.CreatePaymentIntent(ctx, changed))
	fmt.Printf("other: %s, %d\n", told(other.Replayed, other.Differs), other.Intent.Amount)
	same := "another"
	if reflect.DeepEqual(*must(client.RetrievePaymentIntent(ctx, intent.UUID)), intent) {
		same = "the same"
	}
	fmt.Printf("retrieved: %s\n", same)

	for n := 1; n <= 3; n++ {
		listed := order
		listed.MerchantReference = fmt.Sprint("listed-", n)
		listed.Customer = &daftar.Customer{ExternalID: "customer-88"}
		must(client.CreatePaymentIntent(ctx, listed))
	}
	filter := daftar.ListFilter{CustomerExternalID: "customer-88", Limit: 2}
	page := must(client.ListPaymentIntents(ctx, filter))
	var all []daftar.PaymentIntent
	var references []string
	for one, err := range client.PaymentIntents(ctx, filter) {
		all = append(all, must(one, err))
		references = append(references, one.MerchantReference)
	}
	more := ""
	if page.NextCursor != "" {
		more = " and more"
	}
	fmt.Printf("listed: %d%s, %s\n", len(page.Data), more, strings.Join(references, " "))
	ended := must(client.ExpirePaymentIntent(ctx, all[0].UUID))
	endedAgain := must(client.ExpirePaymentIntent(ctx, all[0].UUID))
	fmt.Printf("expired: %s, %s\n", ended.Status, endedAgain.Status)
	var events []string
	for _, one := range must(client.ListPaymentIntentEvents(ctx, all[0].UUID)) {
		what := string(one.Reason)
		if one.Amount != 0 {
			what = fmt.Sprint(one.Amount)
		}
		events = append(events, fmt.Sprintf("%d %s %s", one.Sequence, one.Type, what))
	}
	fmt.Printf("events: %s\n", strings.Join(events, ", "))
	found, err := client.ListPaymentIntents(ctx, daftar.ListFilter{Limit: -1})
	fails("filter", found, err)
	expired, err := client.ExpirePaymentIntent(ctx, none)
	fails("expire", expired, err)
	seen, err := client.ListPaymentIntentEvents(ctx, os.Getenv("OTHERS"))
	fails("events of others", seen, err)
}

func refunds() {
	paid := os.Getenv("PAID")
	part := daftar.CreateRefund{RefundReference: "refund-1", Amount: daftar.Amount(1500), Reason: "برد"}
	given := must(client.CreateRefund(ctx, paid, part))
	refund := given.Refund
	failure := "null"
	if refund.FailureReason != "" {
		failure = text(refund.FailureReason)
	}
	fmt.Printf("refund: %s, %s, %d %s, %s, %s\n",
		told(given.Replayed, given.Differs), refund.Status, refund.Amount,
		refund.Currency, refund.Reason, failure)
	again := must(client.CreateRefund(ctx, paid, part))
	fmt.Printf("refund again: %s\n", told(again.Replayed, again.Differs))
	unpaid := must(client.CreatePaymentIntent(ctx, order)).Intent.UUID
	part.Amount = daftar.Amount(900)
	elsewhere := must(client.CreateRefund(ctx, unpaid, part))
	whose := "another"
	if elsewhere.Refund.PaymentIntent == paid {
		whose = "the first"
	}
	fmt.Printf("refund elsewhere: %s, %s\n", told(elsewhere.Replayed, elsewhere.Differs), whose)
	var references []string
	for _, one := range must(client.ListRefunds(ctx, paid)) {
		references = append(references, one.RefundReference)
	}
	fmt.Printf("refunds: %s, %s\n", strings.Join(references, " "),
		must(client.RetrieveRefund(ctx, refund.UUID)).RefundReference)
	second := daftar.CreateRefund{RefundReference: "refund-2"}
	tooMuch := second
	tooMuch.Amount = daftar.Amount(3501)
	created, err := client.CreateRefund(ctx, paid, tooMuch)
	fails("refund too much", created, err)
	created, err = client.CreateRefund(ctx, unpaid, second)
	fails("refund unpaid", created, err)
	created, err = client.CreateRefund(ctx, os.Getenv("OTHERS"), second)
	fails("refund of others", created, err)
	found, err := client.RetrieveRefund(ctx, none)
	fails("no refund", found, err)
	found, err = client.RetrieveRefund(ctx, "refund-1")
	fails("no uuid of a refund", found, err)
}

func refusals() {
	intent := must(client.CreatePaymentIntent(ctx, order)).Intent.UUID
	found, err := client.RetrievePaymentIntent(ctx, none)
	fails("unknown", found, err)
	found, err = client.RetrievePaymentIntent(ctx, os.Getenv("OTHERS"))
	fails("others", found, err)
	found, err = connect(daftar.Config{APIKey: "pk_wrong"}).RetrievePaymentIntent(ctx, intent)
	fails("key", found, err)
	found, err = connect(daftar.Config{AccessToken: "at_wrong"}).RetrievePaymentIntent(ctx, intent)
	fails("token", found, err)
	// Metadata is text in Go: the second field that is wrong is another than in the other languages.
	invalid := order
	invalid.MerchantReference, invalid.Amount = "order-2", 1
	invalid.Metadata = map[string]string{"k": strings.Repeat("x", 256)}
	created, err := client.CreatePaymentIntent(ctx, invalid)
	fails("fields", created, err)
	found, err = client.RetrievePaymentIntent(ctx, "../payment-intents")
	fails("no uuid", found, err)
	made, err := daftar.FromEnvironment(daftar.Config{BaseURL: "pay.example"})
	fails("no address", made, err)
	made, err = daftar.FromEnvironment(daftar.Config{AccessToken: os.Getenv("DAFTAR_ACCESS_TOKEN") + "\n"})
	fails("line end", made, err)
	nowhere := connect(daftar.Config{BaseURL: os.Getenv("NOWHERE"), RetryFor: -1})
	created, err = nowhere.CreatePaymentIntent(ctx, order)
	fails("nobody", created, err)
	created, err = connect(daftar.Config{BaseURL: os.Getenv("REDIRECT")}).CreatePaymentIntent(ctx, order)
	fails("redirect", created, err)
}
