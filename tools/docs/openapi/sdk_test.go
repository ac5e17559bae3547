package openapi_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"daftar/tools/docs/npmtest"
)

// sdk is the folder of the SDK for TypeScript.
const sdk = "../../../sdk/typescript/"

// The types of the SDK for TypeScript have every name of the description: a missing field is found
// without the generator. TestLongTypesOfTheSDKAreTrue compares everything.
func TestTypesOfTheSDKHaveEveryName(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(sdk + "src/schema.ts")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	property := regexp.MustCompile(`(?m)^ *"?([^":?\n]+)"?\??: `)
	for _, match := range property.FindAllStringSubmatch(string(text), -1) {
		declared[match[1]] = true
	}
	model := describe(t).model
	var names []string
	for path, item := range model.Paths.PathItems.FromOldest() {
		names = append(names, path)
		for _, operation := range item.GetOperations().FromOldest() {
			names = append(names, operation.OperationId)
			for _, parameter := range operation.Parameters {
				names = append(names, parameter.Name)
			}
		}
	}
	for name, schema := range model.Components.Schemas.FromOldest() {
		names = append(names, name)
		for field := range schema.Schema().Properties.FromOldest() {
			names = append(names, field)
		}
	}
	for _, name := range names {
		if !declared[name] {
			t.Errorf("sdk/typescript/src/schema.ts lacks %s; go generate ./docs writes it again", name)
		}
	}
	if len(names) < 80 {
		t.Errorf("%d names only", len(names))
	}
}

// The types of the SDK for Go are those of the description, and what lists its intents has every
// parameter.
func TestTypesOfTheSDKForGoAreTrue(t *testing.T) {
	t.Parallel()
	const folder = "../../../sdk/go/"
	c := exec.CommandContext(t.Context(), "go", "tool", "oapi-codegen",
		"-config", "../../sdk/go/types.config.yaml", "../../httpapi/openapi.yaml")
	c.Dir = ".." // paths in the configuration are from there
	var complaints bytes.Buffer
	c.Stderr = &complaints
	want, err := c.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("oapi-codegen: %v\n%s", err, complaints.String())
	}
	got, err := os.ReadFile(folder + "types.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("sdk/go/types.gen.go is stale; go generate ./docs writes it again")
	}
	filter, err := os.ReadFile(folder + "list.go")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := describe(t).model.Paths.PathItems.Get("/payment-intents")
	for _, parameter := range list.Get.Parameters {
		if parameter.In == "query" && !bytes.Contains(filter, []byte(`set("`+parameter.Name+`", `)) {
			t.Errorf("sdk/go/list.go lacks %s", parameter.Name)
		}
	}
}

// Node before 20.19 cannot require ESM: the SDK must not need it.
func TestSDKForTypeScriptIsRequired(t *testing.T) {
	t.Parallel()
	tools := npmtest.Open(t, sdk)
	said := tools.RunNode(nil, "--no-experimental-require-module",
		"-p", `Object.keys(require(process.argv[1])).sort().join(" ")`, tools.Path("."))
	imported := tools.RunNode(nil, "--input-type=module",
		"-e", `console.log(Object.keys(await import(process.argv[1])).sort().join(" "))`,
		tools.Path("dist/index.js"))
	if said.Exit != 0 || said.Output == "" || said.Output != imported.Output {
		t.Errorf("exit %d: required %q, imported %q\n%s", said.Exit, said.Output, imported.Output, said.Errors)
	}
}
