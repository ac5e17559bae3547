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
	intent, err := client.RetrievePaymentIntent(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(intent.Status) // fulfil the order only when it is succeeded
}
