//go:build long

package openapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/docs/npmtest"
)

// run is Newman's report on a collection.
type run struct {
	Run struct {
		Stats struct {
			Requests, Assertions struct{ Total, Failed int }
		}
		Failures []struct {
			Source struct{ Name string }
			Error  struct{ Name, Test, Message string }
		}
	}
}

// collection is the Postman collection that Portman makes from openapi.yaml and portman.yaml, once
// for all tests.
var collection struct {
	once sync.Once
	text []byte
}

func newCollection(t *testing.T, tools *npmtest.Tools) string {
	t.Helper()
	path := filepath.Join(tools.Work, "collection.json")
	collection.once.Do(func() {
		document, err := filepath.Abs(documentFile)
		if err != nil {
			t.Fatal(err)
		}
		ran := tools.Run("portman", "-l", document, "-c", tools.Path("portman.yaml"), "-o", path)
		// Portman ignores parts of the configuration that it does not understand.
		if ran.Exit != 0 || strings.Contains(ran.Output, "config file not provided") ||
			strings.Contains(ran.Output, "skipped") {
			t.Fatalf("portman: exit %d\n%s%s", ran.Exit, ran.Output, ran.Errors)
		}
		made, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		collection.text = intentsFirst(t, made)
	})
	if collection.text == nil {
		t.Fatal("there is no collection; an earlier test says why")
	}
	if err := os.WriteFile(path, collection.text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// intentsFirst moves the folder to the front that creates the intents for the others. Portman
// orders folders by the document's tags, which are in alphabetical order.
func intentsFirst(t *testing.T, text []byte) []byte {
	t.Helper()
	var whole map[string]json.RawMessage
	var folders []json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(whole["item"], &folders); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(folders, func(folder json.RawMessage) bool {
		var named struct{ Name string }
		return json.Unmarshal(folder, &named) == nil && named.Name == "Payment intents"
	})
	if at < 0 {
		t.Fatal("the collection has no payment intents")
	}
	folders = append([]json.RawMessage{folders[at]}, slices.Delete(slices.Clone(folders), at, at+1)...)
	var err error
	if whole["item"], err = json.Marshal(folders); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(whole); err != nil {
		t.Fatal(err)
	}
	return text
}

// newman runs the collection, or one folder of it, against an address.
func newman(t *testing.T, address string, variables map[string]string, folder ...string) run {
	t.Helper()
	tools := npmtest.Open(t, thirdParty)
	report := filepath.Join(tools.Work, "report.json")
	args := []string{
		"run", newCollection(t, tools), "--reporters", "json", "--reporter-json-export", report,
		"--timeout-request", "60000", "--ignore-redirects",
	}
	args = append(args, "--environment", environment(t, tools.Work, address, variables))
	for _, name := range folder {
		args = append(args, "--folder", name)
	}
	ran := tools.Run("newman", args...)
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("newman: exit %d, no report: %v\n%s%s", ran.Exit, err, ran.Output, ran.Errors)
	}
	var r run
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if (ran.Exit != 0) != (len(r.Run.Failures) > 0) {
		t.Errorf("newman: exit %d with %d failures", ran.Exit, len(r.Run.Failures))
	}
	return r
}

// environment writes the variables that portman.yaml uses.
func environment(t *testing.T, folder, address string, variables map[string]string) string {
	t.Helper()
	type variable struct {
		Key     string `json:"key"`
		Value   string `json:"value"`
		Enabled bool   `json:"enabled"`
	}
	values := []variable{{"baseUrl", address, true}}
	for key, value := range variables {
		values = append(values, variable{key, value, true})
	}
	text, err := json.Marshal(map[string]any{"name": "test", "values": values})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "environment.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// variables are those of a merchant, with a sibling, another organisation's application and a
// revoked token.
func (s *service) variables(t *testing.T) map[string]string {
	t.Helper()
	sibling, stranger := s.newApplication(t, s.merchant.organization), s.newMerchant(t)
	revoked, value, err := s.accounts.CreateToken(t.Context(), accounts.Operator("test"),
		s.merchant.organization, accounts.TokenDraft{Name: "Old server"})
	if err != nil {
		t.Fatal(err)
	}
	err = s.accounts.RevokeToken(t.Context(), accounts.Operator("test"), s.merchant.organization, revoked.ID)
	if err != nil {
		t.Fatal(err)
	}
	day := func(days int) string { return time.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339) }
	return map[string]string{
		"accessToken": s.merchant.token, "apiKey": s.merchant.apiKey, "siblingsKey": sibling.apiKey,
		"strangersKey": stranger.apiKey, "strangersToken": stranger.token, "revokedToken": value,
		"readingToken": s.newToken(t, s.merchant.organization, accounts.ScopeRead),
		"booksToken":   s.newToken(t, s.merchant.organization, accounts.ScopeBooks),
		"unknown":      strings.Repeat("0", 64),
		"tomorrow":     day(1), "yesterday": day(-1),
	}
}

// Portman and Newman, which know only openapi.yaml, get every answer that it describes, as it
// describes it; the witness between them finds the same.
func TestLongCollectionFromOpenAPI(t *testing.T) {
	t.Parallel()
	s := servePaid(t)
	w := observe(t, s, nil)
	r := newman(t, w.server.URL+httpapi.Prefix, s.variables(t))
	for _, f := range r.Run.Failures {
		t.Errorf("newman: %s: %s: %s", f.Source.Name, f.Error.Test, f.Error.Message)
	}
	stats := r.Run.Stats
	t.Logf("%d requests, %d assertions", stats.Requests.Total, stats.Assertions.Total)
	if stats.Requests.Total < 150 || stats.Requests.Failed > 0 || stats.Assertions.Total < 700 ||
		stats.Assertions.Failed > 0 {
		t.Errorf("newman's sums: %+v", stats)
	}
	w.mustFindNothing(t)
	w.mustHaveSeenAll(t, stats.Requests.Total)
}

// An answer that differs from openapi.yaml is found by Newman and by the witness, independently.
func TestLongCollectionFindsWrongAnswers(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	for name, plant := range wrongAnswers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := observe(t, s, plant.tamper)
			r := newman(t, w.server.URL+httpapi.Prefix, s.variables(t), "Payment intents")
			var said []string
			for _, f := range r.Run.Failures {
				said = append(said, f.Error.Test+": "+f.Error.Message)
			}
			mustSay(t, "newman", said, plant.newman)
			mustSay(t, "the witness", w.found(), plant.judge)
		})
	}
}
