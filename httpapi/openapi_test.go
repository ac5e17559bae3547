package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/errors"
	"github.com/pb33f/libopenapi-validator/schema_validation"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"daftar/httpapi"
)

// described is the document that is served, and what checks against it. The
// validator is made once: it compiles every schema.
var described = sync.OnceValues(func() (*description, error) {
	document, err := libopenapi.NewDocument(httpapi.OpenAPI())
	if err != nil {
		return nil, err
	}
	model, err := document.BuildV3Model()
	if err != nil {
		return nil, err
	}
	v, errs := validator.NewValidator(document, config.WithFormatAssertions())
	if len(errs) > 0 {
		return nil, fmt.Errorf("make validator: %v", errs)
	}
	schemas := schema_validation.NewSchemaValidator(config.WithFormatAssertions())
	return &description{model: model.Model, validator: v, schemas: schemas}, nil
})

type description struct {
	model v3.Document
	// mu is held by whoever validates: both validators write into the schemas of
	// the one model while they read them.
	mu        sync.Mutex
	validator validator.Validator
	schemas   schema_validation.SchemaValidator
}

// fits says whether a text is an instance of a schema, and why not.
func (d *description) fits(schema *base.SchemaProxy, text []byte) (bool, []*errors.ValidationError) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.schemas.ValidateSchemaBytesWithVersion(schema.Schema(), text, 3.1)
}

func describe(t testing.TB) *description {
	t.Helper()
	d, err := described()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// check holds an answer to what the document says of it.
func (d *description) check(t testing.TB, r *http.Request, status int, header http.Header, body []byte) {
	t.Helper()
	for _, fault := range d.faults(r, status, header, body) {
		t.Error(fault)
	}
}

// faults are what an answer has against what the document says of it.
func (d *description) faults(r *http.Request, status int, header http.Header, body []byte) (found []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	answer := &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewReader(body)), Request: r}
	if ok, errs := d.validator.ValidateHttpResponse(r, answer); !ok {
		for _, e := range errs {
			found = append(found, fmt.Sprintf("%s %s is answered with %d %s\nand that is not what openapi.yaml says: %s %s %v",
				r.Method, r.URL.Path, status, body, e.Message, e.Reason, e.SchemaValidationErrors))
		}
	}
	for name, h := range d.headers(r, status) {
		if h.Required && header.Get(name) == "" {
			found = append(found, fmt.Sprintf("%s %s is answered with %d without the header %s", r.Method, r.URL.Path, status, name))
		}
	}
	return found
}

// headers are those that the document promises for an answer.
func (d *description) headers(r *http.Request, status int) map[string]*v3.Header {
	found := map[string]*v3.Header{}
	for path, item := range d.model.Paths.PathItems.FromOldest() {
		operation, ok := item.GetOperations().Get(lower(r.Method))
		if !ok || !matches(path, r.URL.Path) {
			continue
		}
		answer, ok := operation.Responses.Codes.Get(strconv.Itoa(status))
		if !ok {
			continue
		}
		maps.Insert(found, answer.Headers.FromOldest())
	}
	return found
}

func lower(method string) string { return string(bytes.ToLower([]byte(method))) }

func matches(template, path string) bool {
	if template == "/payment-intents/{uuid}" {
		return len(path) > len(httpapi.Prefix+"/payment-intents/") && path[:len(httpapi.Prefix+"/payment-intents/")] == httpapi.Prefix+"/payment-intents/"
	}
	return path == httpapi.Prefix+template
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

// Every example is an instance of the schema beside it, and every JSON answer
// has one.
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
			var value any
			if err := example.Value.Decode(&value); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
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

// An example request must be one that the service takes.
func TestOpenAPIRequestsAreTaken(t *testing.T) {
	t.Parallel()
	item, _ := describe(t).model.Paths.PathItems.Get("/payment-intents")
	content, _ := item.Post.RequestBody.Content.Get("application/json")
	for name, example := range content.Examples.FromOldest() {
		var value any
		if err := example.Value.Decode(&value); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := httpapi.DecodeCreate(text); err != nil {
			t.Errorf("example %s: %v", name, err)
		}
	}
}

// Whatever the error table can say is described.
func TestOpenAPIDescribesEveryError(t *testing.T) {
	t.Parallel()
	d := describe(t)
	for _, row := range errorRows {
		r := httptest.NewRequest(http.MethodPost, httpapi.Prefix+"/payment-intents", nil)
		if row.status == http.StatusForbidden || row.status == http.StatusNotFound {
			r = httptest.NewRequest(http.MethodGet, httpapi.Prefix+"/payment-intents/8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11", nil)
		}
		status, header, body := httpapi.AnswerTo(row.err)
		header.Set("Content-Type", "application/json")
		header.Set("X-Request-Id", "id-1")
		if status == http.StatusMethodNotAllowed {
			header.Set("Allow", "POST")
		}
		d.check(t, r, status, header, []byte(body))
	}
}

// The validator must see a field too many or too few, or the checks above
// would say nothing.
func TestOpenAPISchemasAreStrict(t *testing.T) {
	t.Parallel()
	full, err := httpapi.AppendIntent([]byte(`{"data":`), anIntent(), "https://pay.example")
	if err != nil {
		t.Fatal(err)
	}
	full = append(full, '}')
	d := describe(t)
	proxy, _ := d.model.Components.Schemas.Get("PaymentIntentAnswer")
	fits := func(text []byte) bool {
		ok, _ := d.fits(proxy, text)
		return ok
	}
	if !fits(full) {
		t.Fatalf("a good answer does not fit: %s", full)
	}
	var answer struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal(full, &answer); err != nil {
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
