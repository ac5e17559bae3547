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
	events, err := client.ListPaymentIntentEvents(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for _, event := range events {
		fmt.Println(event.Sequence, event.Type)
	}
}
