//go:build long

package acceptance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planSettings make PostgreSQL log the plan of every statement, including those in triggers, with
// the rows that each step read. Plans are generic, as after a few executions, and no table is
// analysed.
var planSettings = map[string]string{
	"autovacuum":                         "off",
	"plan_cache_mode":                    "force_generic_plan",
	"session_preload_libraries":          "auto_explain",
	"auto_explain.log_min_duration":      "0",
	"auto_explain.log_analyze":           "on",
	"auto_explain.log_timing":            "off",
	"auto_explain.log_format":            "json",
	"auto_explain.log_nested_statements": "on",
	"logging_collector":                  "on",
	"log_destination":                    "jsonlog",
	"log_directory":                      "log",
	"log_filename":                       "plans.log",
	"log_rotation_age":                   "0",
	"log_rotation_size":                  "0",
	"log_min_messages":                   "log",
}

// readWhole are the tables that a statement may scan completely, and why.
var readWhole = map[string]string{
	"access_tokens":            "some for each organisation",
	"acquirer_accounts":        "some for each application",
	"applications":             "one for each shop",
	"consumer_offsets":         "one for each group",
	"credential_epoch":         "one row",
	"goose_db_version":         "one for each migration",
	"organizations":            "one for each merchant",
	"parked_events":            "an operator sees to each",
	"projection_runs":          "one for each rebuild",
	"transparency_keys":        "one for each key",
	"transparency_posts":       "one for each destination",
	"transparency_sealed_keys": "one for each key",
	"transparency_tree":        "one row",
	"unknown_noticed":          "one for each outcome that was unknown for an hour, for a month",
	"webhook_endpoints":        "one for each shop",
}

// sweeps delete expired rows every few minutes from tables that keep nothing longer, run once at the
// start of a server, or read a part of the log, from a position to another.
var sweeps = []string{
	"INSERT INTO consumer_offsets (consumer_group, position, updated_at)\nSELECT",
	"DELETE FROM checkout_usage WHERE last_at <", "DELETE FROM mails WHERE state <> 'pending'",
	"DELETE FROM sessions WHERE expires_at <", "DELETE FROM sign_in_failures WHERE last_at <",
	"SELECT e.position, e.stream_id, e.version, e.type, e.schema_version, e.payload, e.recorded_at\nFROM events",
}

// wastedRows is how many rows a step may discard: fewer than any filled table has.
const wastedRows = 2000

// loggedPlan is the logged plan of a statement.
type loggedPlan struct {
	application string
	transaction string   // its virtual id; a batch of statements is one
	Text        string   `json:"Query Text"`
	Plan        planNode `json:"Plan"`
}

// planNode is a step of a plan.
type planNode struct {
	Type      string     `json:"Node Type"`
	Relation  string     `json:"Relation Name"`
	Index     string     `json:"Index Name"`
	Condition string     `json:"Index Cond"`
	Rows      float64    `json:"Actual Rows"`
	Loops     float64    `json:"Actual Loops"`
	Filtered  float64    `json:"Rows Removed by Filter"`
	Rechecked float64    `json:"Rows Removed by Index Recheck"`
	Plans     []planNode `json:"Plans"`
}

func (n planNode) each(visit func(planNode)) {
	visit(n)
	for _, below := range n.Plans {
		below.each(visit)
	}
}

// complaint describes what is wrong with a plan, or is "".
func (p loggedPlan) complaint() (found string) {
	for _, s := range sweeps {
		if strings.HasPrefix(strings.TrimSpace(p.Text), s) {
			return ""
		}
	}
	p.Plan.each(func(n planNode) {
		switch {
		case readWhole[n.Relation] != "" || strings.HasPrefix(n.Relation, "pg_"):
		case n.Type == "Seq Scan":
			found = fmt.Sprintf("%s is read from end to end (%.0f rows)", n.Relation, (n.Rows+n.Filtered)*n.Loops)
		case strings.Contains(n.Type, "Index") && n.Condition == "" && n.Rows*n.Loops > wastedRows:
			found = fmt.Sprintf("index %s is read from end to end (%.0f rows)", n.Index, n.Rows*n.Loops)
		case (n.Filtered+n.Rechecked)*n.Loops > wastedRows:
			found = fmt.Sprintf("%.0f rows of %s%s are read for nothing",
				(n.Filtered+n.Rechecked)*n.Loops, n.Relation, n.Index)
		}
	})
	return found
}

// planLog is the log of a cluster so far, in complete lines.
func planLog(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data", "log", "plans.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text[:bytes.LastIndexByte(text, '\n')+1])
}

// loggedPlans are the plans of the servers' statements in a log.
func loggedPlans(t *testing.T, text string) []loggedPlan {
	t.Helper()
	var plans []loggedPlan
	for line := range strings.Lines(text) {
		var entry struct {
			Message     string `json:"message"`
			Application string `json:"application_name"`
			Transaction string `json:"vxid"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		_, plan, is := strings.Cut(entry.Message, "plan:\n")
		if !is || !strings.HasPrefix(entry.Application, "daftar") || entry.Application == "daftar migrate" {
			continue
		}
		p := loggedPlan{application: entry.Application, transaction: entry.Transaction}
		if err := json.Unmarshal([]byte(plan), &p); err != nil {
			t.Fatalf("%s: %v", plan, err)
		}
		plans = append(plans, p)
	}
	return plans
}

// Which plans count as reading too much.
func TestLongComplaintsAboutPlans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"Plan": {"Node Type": "Limit", "Plans": [{"Node Type": "Seq Scan",
			"Relation Name": "intents", "Actual Rows": 1,
			"Actual Loops": 1}]}}`: "intents is read from end to end",
		`{"Plan": {"Node Type": "Seq Scan",
			"Relation Name": "consumer_offsets", "Actual Rows": 5, "Actual Loops": 1}}`: "",
		`{"Plan": {"Node Type": "Index Scan",
			"Relation Name": "intents", "Index Name": "intents_pkey",
			"Index Cond": "(uuid = e.id)", "Actual Rows": 1, "Actual Loops": 9999}}`: "",
		`{"Plan": {"Node Type": "Index Scan",
			"Relation Name": "intents", "Index Name": "intents_pkey",
			"Actual Rows": 9999, "Actual Loops": 1}}`: "index intents_pkey is read from end to end",
		`{"Plan": {"Node Type": "Index Scan",
			"Relation Name": "intents", "Index Cond": "x",
			"Rows Removed by Filter": 99, "Actual Loops": 99}}`: "rows of intents are read for nothing",
		`{"Query Text": "\nDELETE FROM checkout_usage WHERE last_at < $1",
			"Plan": {"Node Type": "Seq Scan", "Relation Name": "checkout_usage"}}`: "",
	} {
		var p loggedPlan
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.complaint(); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
