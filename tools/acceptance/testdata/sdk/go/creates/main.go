// Creates FROM TO: creates intents of the orders with these numbers, sixteen at a time, and prints what
// it was told of each.
package main

import (
	"context"
	"fmt"

	daftar "daftar/sdk/go"
	"merchant/parallel"
)

func main() {
	parallel.Run(func(client *daftar.Client, n int) (any, error) {
		reference := fmt.Sprint("order-", n)
		created, err := client.CreatePaymentIntent(context.Background(), daftar.CreatePaymentIntent{
			MerchantReference: reference, Amount: 5000, Currency: "LYD", Description: "Two coffees",
		})
		if err != nil {
			return nil, err
		}
		return map[string]any{
			"reference": reference, "uuid": created.Intent.UUID, "named": created.Intent.MerchantReference,
			"replayed": created.Replayed, "differs": created.Differs,
		}, nil
	})
}
