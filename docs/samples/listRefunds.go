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
	refunds, err := client.ListRefunds(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for _, refund := range refunds {
		fmt.Println(refund.Amount, refund.Status)
	}
}
