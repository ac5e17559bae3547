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
	// The SDKs are for shops, not for accountants' software.
	request, err := http.NewRequest(http.MethodGet, os.Getenv("DAFTAR_API_URL")+"/books/journal?limit=1000", nil)
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
	var answer struct {
		Data []struct {
			Kind  string
			Lines []struct {
				Account string
				Amount  int
			}
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	for _, entry := range answer.Data {
		for _, line := range entry.Lines {
			fmt.Println(entry.Kind, line.Account, line.Amount)
		}
	}
}
