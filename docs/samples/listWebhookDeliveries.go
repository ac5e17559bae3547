//go:build ignore

package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	// The SDKs leave this to daftar listen.
	address := os.Getenv("DAFTAR_API_URL") + "/webhook-deliveries?after=" + os.Args[1]
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-API-Key", os.Getenv("DAFTAR_API_KEY"))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("DAFTAR_ACCESS_TOKEN"))
	request.Header.Set("Accept", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Data []struct{ Type string } }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	for _, webhook := range answer.Data {
		fmt.Println(webhook.Type)
	}
}
