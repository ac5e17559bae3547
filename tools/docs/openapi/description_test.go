package openapi_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
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

// document is the text of openapi.yaml.
func document(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// described is openapi.yaml with its validators. They are created once, because that compiles every
// schema.
var described = sync.OnceValues(func() (*description, error) {
	text, err := os.ReadFile(documentFile)
	if err != nil {
		return nil, err
	}
	document, err := libopenapi.NewDocument(text)
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
	// mu is held during validation: both validators write to the schemas of their shared model
	// while they read them.
	mu        sync.Mutex
	validator validator.Validator
	schemas   schema_validation.SchemaValidator
}

func describe(t testing.TB) *description {
	t.Helper()
	d, err := described()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// fits reports whether a text is an instance of a schema, and why not.
func (d *description) fits(schema *base.SchemaProxy, text []byte) (bool, []*errors.ValidationError) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.schemas.ValidateSchemaBytesWithVersion(schema.Schema(), text, 3.1)
}

// faults returns the differences between an answer and its description.
func (d *description) faults(r *http.Request, status int, header http.Header, body []byte) (found []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	answer := &http.Response{
		StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}
	if ok, errs := d.validator.ValidateHttpResponse(r, answer); !ok {
		for _, e := range errs {
			found = append(found, fmt.Sprintf(
				"%s %s is answered with %d %s\nand that is not what openapi.yaml says: %s %s %v",
				r.Method, r.URL.Path, status, body, e.Message, e.Reason, e.SchemaValidationErrors))
		}
	}
	for name, h := range d.headers(r, status) {
		if h.Required && header.Get(name) == "" {
			found = append(found, fmt.Sprintf(
				"%s %s is answered with %d without the header %s", r.Method, r.URL.Path, status, name))
		}
	}
	return found
}

// allows reports whether the document allows a request.
func (d *description) allows(r *http.Request) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	sent := r.Clone(r.Context())
	// The proxy has sent the body; GetBody returns a copy.
	if r.GetBody != nil {
		sent.Body, _ = r.GetBody()
	}
	ok, _ := d.validator.ValidateHttpRequestSync(sent)
	return ok
}

// operation returns the operation of a request; nil if none is described.
func (d *description) operation(r *http.Request) *v3.Operation {
	for template, item := range d.model.Paths.PathItems.FromOldest() {
		operation, ok := item.GetOperations().Get(strings.ToLower(r.Method))
		if ok && matches(template, r.URL.Path) {
			return operation
		}
	}
	return nil
}

// headers are the headers that the document describes for an answer.
func (d *description) headers(r *http.Request, status int) map[string]*v3.Header {
	found := map[string]*v3.Header{}
	if operation := d.operation(r); operation != nil {
		if answer, ok := operation.Responses.Codes.Get(strconv.Itoa(status)); ok {
			maps.Insert(found, answer.Headers.FromOldest())
		}
	}
	return found
}

// described are the operations of the document for the path. The answer to any other method is
// described in each of them.
func (d *description) described(r *http.Request) (all []*http.Request) {
	for template, item := range d.model.Paths.PathItems.FromOldest() {
		if !matches(template, r.URL.Path) {
			continue
		}
		for method := range item.GetOperations().FromOldest() {
			one := r.Clone(r.Context())
			one.Method = strings.ToUpper(method)
			all = append(all, one)
		}
	}
	return all
}

// eachAnswer visits the operations and statuses that the document describes.
func (d *description) eachAnswer(visit func(operation, status string, answer *v3.Response)) {
	for _, item := range d.model.Paths.PathItems.FromOldest() {
		for _, operation := range item.GetOperations().FromOldest() {
			for status, answer := range operation.Responses.Codes.FromOldest() {
				visit(operation.OperationId, status, answer)
			}
		}
	}
}

// matches reports whether a path matches a template with parameters in braces.
func matches(template, path string) bool {
	parts, wanted := strings.Split(path, "/"), strings.Split(httpapi.Prefix+template, "/")
	return slices.EqualFunc(parts, wanted, func(part, want string) bool {
		return part == want || strings.HasPrefix(want, "{")
	})
}
