//go:build ignore

package main

import (
	"context"
	"fmt"
	"log"

	daftar "daftar/sdk/go"
)

func main() {
	client, err := daftar.FromEnvironment(daftar.Config{})
	if err != nil {
		log.Fatal(err)
	}
	created, err := client.CreatePaymentIntent(context.Background(), daftar.CreatePaymentIntent{
		MerchantReference: "order-1001", // yours: keep it with the order before you ask
		Amount:            5000,         // 5.000 LYD
		Currency:          "LYD",
		Description:       "Two coffees",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.Intent.CheckoutURL) // the customer pays there
}
