package daftar_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	daftar "daftar/sdk/go"
)

func TestErrorsByStatus(t *testing.T) {
	t.Parallel()
	sentinels := []error{
		daftar.ErrAuthentication, daftar.ErrPermission, daftar.ErrNotFound, daftar.ErrConflict,
		daftar.ErrValidation, daftar.ErrRateLimit, daftar.ErrUnavailable,
	}
	for status, want := range map[int][]error{
		301: nil, 400: nil, 401: {daftar.ErrAuthentication}, 403: {daftar.ErrPermission}, 404: {daftar.ErrNotFound},
		405: nil, 408: {daftar.ErrUnavailable}, 409: {daftar.ErrConflict}, 413: nil, 422: {daftar.ErrValidation},
		429: {daftar.ErrRateLimit, daftar.ErrUnavailable},
		500: {daftar.ErrUnavailable}, 503: {daftar.ErrUnavailable},
	} {
		s := serve(t, says(status, `{"message":"No."}`))
		config := s.config()
		config.RetryFor = -1
		c, _ := client(t, config, 1)
		_, err := c.RetrieveRefund(context.Background(), uuid)
		var refused *daftar.APIError
		if !errors.As(err, &refused) || refused.Status != status || refused.RequestID == "" {
			t.Fatalf("%d: %v", status, err)
		}
		for _, sentinel := range sentinels {
			if errors.Is(err, sentinel) != slices.Contains(want, sentinel) {
				t.Errorf("%d is %v: %t", status, sentinel, errors.Is(err, sentinel))
			}
		}
		if text := fmt.Sprintf("daftar: %d: No. (request %s)", status, refused.RequestID); err.Error() != text {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// What an error says is read from whatever came, and never fails.
func TestWhatErrorsSay(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]daftar.APIError{
		`{"message":"Bad. (and 1 more error)","errors":{"amount":["Bad.","Low."],"metadata.k":["No text."]}}`: {
			Message: "Bad. (and 1 more error)",
			Errors:  map[string][]string{"amount": {"Bad.", "Low."}, "metadata.k": {"No text."}},
		},
		`{"error":"Invalid API key."}`:                          {Message: "Invalid API key."},
		`{"message":7,"error":"Seven."}`:                        {Message: "Seven."},
		`{"message":"Odd.","errors":{"a":["x"],"b":"no list"}}`: {Message: "Odd."},
		`{"message":"None.","errors":[]}`:                       {Message: "None."},
		`<html>`:                                                {Message: "The service answered 422."},
		``:                                                      {Message: "The service answered 422."},
		`null`:                                                  {Message: "The service answered 422."},
		`[1]`:                                                   {Message: "The service answered 422."},
	} {
		s := serve(t, says(422, body, "Retry-After", "7"))
		c, _ := client(t, s.config(), 1)
		_, err := c.CreatePaymentIntent(context.Background(), order)
		var got *daftar.APIError
		if !errors.As(err, &got) {
			t.Fatalf("%s: %v", body, err)
		}
		want.Status, want.RequestID, want.RetryAfter = 422, got.RequestID, 7*time.Second
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v, want %+v", body, *got, want)
		}
	}
}
