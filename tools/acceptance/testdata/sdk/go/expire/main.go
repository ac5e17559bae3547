// Expire UUID: cancels an intent.
package main

import (
	"context"
	"log"
	"os"

	daftar "daftar/sdk/go"
)

func main() {
	client, err := daftar.FromEnvironment(daftar.Config{})
	if err == nil {
		_, err = client.ExpirePaymentIntent(context.Background(), os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}
