package main_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	bench "daftar/tools/bench"
	"daftar/tools/bench/figures"
)

// The first second, in which pgbench warms up, and the seconds after the wanted ones are
// not counted.
func TestReportsOfPgbench(t *testing.T) {
	t.Parallel()
	const output = `pgbench: warning: something
progress: 1.0 s, 50.0 tps, lat 7.6 ms stddev 3.1, 0 failed
progress: 2.0 s, 100.0 tps, lat 7.6 ms stddev 3.1, 0 failed, lag 0.1 ms
progress: 3.5 s, 200.0 tps, lat 7.6 ms stddev 3.1, 0 failed
progress: 4.0 s, 1000.0 tps, lat 7.6 ms stddev 3.1, 0 failed
`
	for _, c := range []struct {
		wanted int
		want   bench.Reports
	}{
		{2, bench.Reports{Reports: 4, Seconds: 2.5, Transactions: 400, Marks: []bool{true, false}}},
		{3, bench.Reports{Reports: 4, Seconds: 3, Transactions: 900, Marks: []bool{true, false}}},
		{4, bench.Reports{Reports: 4, Seconds: 3, Transactions: 900, Marks: []bool{true}}}, // one is missing
	} {
		c.want.Other = "pgbench: warning: something\n"
		got, err := bench.ReadReports(output, c.wanted)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%d seconds: %s", c.wanted, diff)
		}
	}
	if _, err := bench.ReadReports("progress: 1.0.0 s, 50.0 tps\n", 1); err == nil {
		t.Error("a time that is not a number: no error")
	}
}

// Of the transactions in pgbench's logs those count that ended in the window.
func TestLogsOfPgbench(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "log")
	for name, text := range map[string]string{
		".1":   "0 1 900 0 1000 500000\n0 2 500 0 1001 500000\n",
		".1.1": "1 1 300 0 1001 999999 12\n1 2 100 0 1003 0 12\n",
	} {
		if err := os.WriteFile(prefix+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := bench.ReadLogs(prefix, time.Unix(1001, 0), time.Unix(1002, 0))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{300 * time.Microsecond, 500 * time.Microsecond}, got); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(prefix+".2", []byte("0 1 skipped\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bench.ReadLogs(prefix, time.Unix(0, 0), time.Unix(2000, 0)); err == nil {
		t.Error("a malformed line: no error")
	}
}

// The reference writes events of the size of ours, so that both measure the same amount of
// data.
func TestReferencePayloadIsOfTheSizeOfOurs(t *testing.T) {
	t.Parallel()
	ours, err := bench.StoredPayload()
	if err != nil {
		t.Fatal(err)
	}
	// Ours has no metadata.
	if a, b := len(ours), len(bench.ReferencePayload); math.Abs(float64(a-b)) > float64(b)/10 {
		t.Errorf("an event of ours has %d bytes, one of the reference %d:\n%s\n%s",
			a, b, ours, bench.ReferencePayload)
	}
}

func TestGrownBy(t *testing.T) {
	t.Parallel()
	before := []figures.Relation{{Table: "events", Bytes: 1000}, {Table: "tokens", Bytes: 500}}
	after := []figures.Relation{
		{Table: "attempts", Bytes: 100}, {Table: "events", Bytes: 3000},
		{Table: "events", Index: "events_pkey", Bytes: 400}, {Table: "tokens", Bytes: 500},
	}
	want := []figures.Relation{
		{Table: "attempts", Bytes: 10}, {Table: "events", Bytes: 200},
		{Table: "events", Index: "events_pkey", Bytes: 40},
	}
	if diff := cmp.Diff(want, bench.GrownBy(before, after, 10)); diff != "" {
		t.Error(diff)
	}
}
