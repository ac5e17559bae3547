// Package parallel is what the programs creates and refunds have in common.
package parallel

import (
	"encoding/json"
	"log"
	"os"
	"strconv"
	"sync"
	"time"

	daftar "daftar/sdk/go"
)

// Run calls do with the numbers from the first argument to the second, sixteen at a time, and prints what
// it returns, a line each.
func Run(do func(*daftar.Client, int) (any, error)) {
	client, err := daftar.FromEnvironment(daftar.Config{RetryFor: time.Minute})
	if err != nil {
		log.Fatal(err)
	}
	numbers := make(chan int)
	var running sync.WaitGroup
	var printing sync.Mutex
	for range 16 {
		running.Add(1)
		go func() {
			defer running.Done()
			for n := range numbers {
				told, err := do(client, n)
				printing.Lock()
				if err == nil {
					err = json.NewEncoder(os.Stdout).Encode(told)
				}
				printing.Unlock()
				if err != nil {
					log.Fatal(err)
				}
			}
		}()
	}
	for n := number(1); n < number(2); n++ {
		numbers <- n
	}
	close(numbers)
	running.Wait()
}

func number(argument int) int {
	n, err := strconv.Atoi(os.Args[argument])
	if err != nil {
		log.Fatal(err)
	}
	return n
}
