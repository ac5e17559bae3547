package daftar_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	daftar "daftar/sdk/go"
)

// A customer buys, and goes on to the payment page.
func ExampleClient_CreatePaymentIntent() {
	var apiKey, accessToken string
	buy := func(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
		client, err := daftar.NewClient(daftar.Config{
			BaseURL: "https://pay.example.ly/api/v1", APIKey: apiKey, AccessToken: accessToken,
		}) // or daftar.FromEnvironment: DAFTAR_API_URL, DAFTAR_API_KEY, DAFTAR_ACCESS_TOKEN
		if err != nil {
			return err
		}
		created, err := client.CreatePaymentIntent(ctx, daftar.CreatePaymentIntent{
			MerchantReference: "order-1001", // yours; it prevents duplicates
			Amount:            5000,         // 5.000 LYD
			Currency:          "LYD",
			Description:       "Order 1001",
			ReturnURL:         "https://shop.example.ly/orders/1001",
		})
		if err != nil {
			return err
		}
		http.Redirect(w, r, created.Intent.CheckoutURL, http.StatusSeeOther)
		return nil
	}
	_ = buy
}

// A part of the money goes back.
func ExampleClient_CreateRefund() {
	var ctx context.Context
	var client *daftar.Client
	var order struct{ Intent string }
	giveBack := func() error {
		given, err := client.CreateRefund(ctx, order.Intent, daftar.CreateRefund{
			RefundReference: "order-1001.refund-1", // yours; it prevents that money goes back twice
			Amount:          daftar.Amount(1500),   // without it, all that is left
			Reason:          "One coffee was cold",
		})
		if err == nil && len(given.Differs) > 0 {
			err = fmt.Errorf("this reference is that of another refund: it differs in %v", given.Differs)
		}
		return err
	}
	_ = giveBack
}

func ExampleVerifyWebhook() {
	var secret string
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		event, err := daftar.VerifyWebhook(body, r.Header, secret)
		if errors.Is(err, daftar.ErrSignature) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = event
	}
	_ = receive
}

func ExampleAPIError() {
	var err error
	var refused *daftar.APIError
	switch {
	case errors.Is(err, daftar.ErrConflict):
		// this money cannot go back
	case errors.As(err, &refused):
		fmt.Printf("%d: %s (request %s)\n", refused.Status, refused.Message, refused.RequestID)
	}
}

// The code of the README is that of the examples above, which the compiler has read.
func TestReadme(t *testing.T) {
	t.Parallel()
	compiled := read(t, "example_test.go")
	indent := regexp.MustCompile(`(?m)^\t+`)
	flat := indent.ReplaceAllString(compiled, "")
	blocks := regexp.MustCompile("(?s)\n```go\n(.*?\n)```\n").FindAllStringSubmatch(read(t, "README.md"), -1)
	for _, block := range blocks {
		if !strings.Contains(flat, indent.ReplaceAllString(block[1], "")) {
			t.Errorf("no example has\n%s", block[1])
		}
	}
	if len(blocks) != 4 {
		t.Errorf("%d blocks", len(blocks))
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
