//go:build long

package openapi_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"daftar/tools/docs/npmtest"
)

// The types of the SDK for TypeScript are those of the description, including comments.
func TestLongTypesOfTheSDKAreTrue(t *testing.T) {
	t.Parallel()
	tools := npmtest.Open(t, sdk)
	made := tools.Run("openapi-typescript", tools.Path("../../httpapi/openapi.yaml"), "--output", "schema.ts")
	if made.Exit != 0 {
		t.Fatalf("openapi-typescript: exit %d\n%s%s", made.Exit, made.Output, made.Errors)
	}
	want, err := os.ReadFile(filepath.Join(tools.Work, "schema.ts"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(tools.Path("src/schema.ts"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("sdk/typescript/src/schema.ts is stale; go generate ./docs writes it again")
	}
}
