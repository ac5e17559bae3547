//go:build long

package openapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"daftar/httpapi"
	"daftar/tools/docs/npmtest"
)

// The Postman collection of the documentation works from its first request to its last, with only
// the credentials filled in, and has every operation.
func TestLongPostmanCollectionWorks(t *testing.T) {
	t.Parallel()
	s := servePaid(t)
	w := observe(t, s, nil)
	tools := npmtest.Open(t, thirdParty)
	collection, err := filepath.Abs("../../../docs/site/documents/postman.json")
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(tools.Work, "report.json")
	ran := tools.Run("newman", "run", collection, "--reporters", "json", "--reporter-json-export", report,
		"--timeout-request", "60000", "--ignore-redirects",
		"--env-var", "baseUrl="+w.server.URL+httpapi.Prefix,
		"--env-var", "apiKey="+s.merchant.apiKey,
		"--env-var", "accessToken="+s.merchant.token)
	text, err := os.ReadFile(report)
	if err != nil || ran.Exit != 0 {
		t.Fatalf("newman: exit %d: %v\n%s%s", ran.Exit, err, ran.Output, ran.Errors)
	}
	var r struct {
		Run struct {
			Executions []struct {
				Item     struct{ Name string }
				Response struct{ Code int }
			}
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	for _, one := range r.Run.Executions {
		if one.Response.Code/100 != 2 {
			t.Errorf("%s: %d", one.Item.Name, one.Response.Code)
		}
	}
	for path, item := range describe(t).model.Paths.PathItems.FromOldest() {
		for method, operation := range item.GetOperations().FromOldest() {
			if seen := w.count(operation.OperationId); seen == 0 {
				t.Errorf("%s %s was not sent", method, path)
			}
		}
	}
	w.mustFindNothing(t)
}

// count is how often an operation succeeded.
func (w *witness) count(operation string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[operation+" 200"] + w.seen[operation+" 201"]
}
