package openapi_test

import (
	"encoding/json"
	"fmt"
	"testing"

	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"go.yaml.in/yaml/v4"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

// inJSON returns an example of the document as it would be sent.
func inJSON(t *testing.T, example *yaml.Node) []byte {
	t.Helper()
	var value any
	if err := example.Decode(&value); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestOpenAPIIsValid(t *testing.T) {
	t.Parallel()
	d := describe(t)
	d.mu.Lock()
	defer d.mu.Unlock()
	if ok, errs := d.validator.ValidateDocument(); !ok {
		for _, e := range errs {
			t.Error(e.Message, e.Reason, e.SchemaValidationErrors)
		}
	}
}

// Every example is an instance of the schema next to it, and every JSON answer has one.
func TestOpenAPIExamplesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	d := describe(t)
	count := 0
	check := func(where string, content *v3.MediaType) {
		if content.Examples == nil || content.Examples.Len() == 0 {
			t.Errorf("%s has no example", where)
			return
		}
		for name, example := range content.Examples.FromOldest() {
			text := inJSON(t, example.Value)
			if ok, errs := d.fits(content.Schema, text); !ok {
				t.Errorf("%s: example %s does not fit: %v", where, name, errs[0].SchemaValidationErrors)
			}
			count++
		}
	}
	for path, item := range d.model.Paths.PathItems.FromOldest() {
		for method, operation := range item.GetOperations().FromOldest() {
			if operation.RequestBody != nil {
				for _, content := range operation.RequestBody.Content.FromOldest() {
					check(method+" "+path, content)
				}
			}
			for code, answer := range operation.Responses.Codes.FromOldest() {
				if content, ok := answer.Content.Get("application/json"); ok {
					check(fmt.Sprint(method, " ", path, " ", code), content)
				}
			}
		}
	}
	if count < 30 {
		t.Errorf("only %d examples were looked at", count)
	}
}

// The service must accept an example request.
func TestOpenAPIRequestsAreTaken(t *testing.T) {
	t.Parallel()
	item, _ := describe(t).model.Paths.PathItems.Get("/payment-intents")
	content, _ := item.Post.RequestBody.Content.Get("application/json")
	for name, example := range content.Examples.FromOldest() {
		if _, err := httpapi.DecodeCreate(inJSON(t, example.Value)); err != nil {
			t.Errorf("example %s: %v", name, err)
		}
	}
}

// The validator must reject a missing or additional field; otherwise the checks above would prove
// nothing.
func TestOpenAPISchemasAreStrict(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	_, full := observe(t, s, nil).send(t, s.merchant, "POST", "/payment-intents",
		bodyWith("customer", `{"external_id":"c"}`), nil)
	d := describe(t)
	proxy, _ := d.model.Components.Schemas.Get("PaymentIntentAnswer")
	fits := func(text []byte) bool {
		ok, _ := d.fits(proxy, text)
		return ok
	}
	if !fits([]byte(full)) {
		t.Fatalf("a good answer does not fit: %s", full)
	}
	var answer struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal([]byte(full), &answer); err != nil {
		t.Fatal(err)
	}
	for name, value := range answer.Data {
		delete(answer.Data, name)
		if text, _ := json.Marshal(answer); fits(text) {
			t.Errorf("an intent without %s fits", name)
		}
		answer.Data[name] = value
	}
	answer.Data["client_secret"] = "x"
	if text, _ := json.Marshal(answer); fits(text) {
		t.Error("an intent with a stray field fits")
	}
}
