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
	refund, err := client.RetrieveRefund(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(refund.Status)
}
