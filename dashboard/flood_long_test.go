//go:build long

package dashboard_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard"
)

// While 300 connections of one /48 send wrong passwords, with the real cost of hashing, 99 of
// 100 other users sign in within two seconds. If a sign-in takes more than 60 ms without the
// flood, there are proportionally fewer connections, because the race detector and a busy
// machine make everything slow. Not parallel: this measures.
func TestLongMeasuredSignInsUnderAFlood(t *testing.T) {
	const most, signIns, limit = 300, 200, 2 * time.Second
	w := newWorld(t, func(c *dashboard.Config) {
		key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
		if err != nil {
			t.Fatal(err)
		}
		c.People = people.New(c.Pool, c.Accounts, people.Options{SecretKey: key})
	})
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	answers := make(map[int]int)
	timed := func(from string, who accounts.Role) time.Duration {
		t.Helper()
		start := time.Now()
		status, err := signInFrom(t.Context(), transport, w.server.URL, from, w.ours.email(who), password)
		if err != nil {
			t.Fatal(err)
		}
		answers[status]++
		return time.Since(start)
	}
	var quiet []time.Duration
	for n := range 9 {
		quiet = append(quiet, timed(fmt.Sprintf("198.51.100.%d", n+1), accounts.Roles[n%3]))
	}
	slices.Sort(quiet)
	clear(answers)
	connections := min(most, int(most*60*time.Millisecond/quiet[len(quiet)/2]))
	var said bytes.Buffer
	attacker := exec.CommandContext(t.Context(), program)
	attacker.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", floodOrder, connections, w.server.URL))
	attacker.Stdout, attacker.Stderr = &said, os.Stderr
	end, err := attacker.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := attacker.Start(); err != nil {
		t.Fatal(err)
	}
	var took []time.Duration
	for n := range signIns {
		took = append(took, timed(fmt.Sprintf("192.0.2.%d", n+1), accounts.Roles[n%3]))
	}
	_ = end.Close()
	if err := attacker.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(took)
	within, _ := slices.BinarySearch(took, limit)
	t.Logf("%d connections, %v for a sign-in without them; "+
		"others: %v, median %v, 99th percentile %v, slowest %v\n%s", connections, quiet[len(quiet)/2],
		answers, took[signIns/2], took[signIns*99/100], took[signIns-1], said.String())
	if answers[http.StatusSeeOther]*100 < signIns*99 || within*100 < signIns*99 {
		t.Errorf("of %d others %d signed in, and %d had their answer within %v", signIns,
			answers[http.StatusSeeOther], within, limit)
	}
}
