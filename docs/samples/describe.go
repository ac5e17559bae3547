//go:build ignore

package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	response, err := http.Get(os.Getenv("DAFTAR_API_URL") + "/openapi.yaml")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
