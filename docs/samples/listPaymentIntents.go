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
	filter := daftar.ListFilter{Status: daftar.StatusSucceeded}
	for intent, err := range client.PaymentIntents(context.Background(), filter) { // page after page
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(intent.MerchantReference)
	}
}
