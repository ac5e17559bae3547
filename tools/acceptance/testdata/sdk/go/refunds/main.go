// Refunds FROM TO INTENT...: gives money of the intents back, in refunds with these numbers, sixteen at a
// time, and prints what it was told of each. No two refunds have the same amount.
package main

import (
	"context"
	"fmt"
	"os"

	daftar "daftar/sdk/go"
	"merchant/parallel"
)

func main() {
	intents := os.Args[3:]
	parallel.Run(func(client *daftar.Client, n int) (any, error) {
		reference := fmt.Sprint("refund-", n)
		created, err := client.CreateRefund(context.Background(), intents[n%len(intents)],
			daftar.CreateRefund{RefundReference: reference, Amount: daftar.Amount(int64(100 + n))})
		if err != nil {
			return nil, err
		}
		refund := created.Refund
		return map[string]any{
			"reference": reference, "uuid": refund.UUID, "named": refund.RefundReference,
			"intent": refund.PaymentIntent, "amount": refund.Amount,
			"replayed": created.Replayed, "differs": created.Differs,
		}, nil
	})
}
