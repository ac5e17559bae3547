//go:build ignore

package main

import (
	"context"
	"fmt"
	"log"
	"os"

	daftar "daftar/sdk/go"
)

func main() {
	client, err := daftar.FromEnvironment(daftar.Config{})
	if err != nil {
		log.Fatal(err)
	}
	created, err := client.CreateRefund(context.Background(), os.Args[1], daftar.CreateRefund{
		RefundReference: "order-1001.refund-1", // yours: store it before you ask
		Amount:          daftar.Amount(1500),   // without it, all that is left
		Reason:          "One coffee was cold",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.Refund.Status) // pending, as a rule
}
