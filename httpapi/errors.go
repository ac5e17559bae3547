package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/payments/refunds"
	"daftar/projections"
)

// Refusals that are decided in this package.
var (
	errForbidden       = errors.New("intent of another application")
	errRefundForbidden = errors.New("refund of another application")
	errNoRoute         = errors.New("no such path")
	errNoMethod        = errors.New("method not allowed")
	errSlowBody        = errors.New("body did not arrive in time")
	errBodyTooLarge    = errors.New("body too large")
	errNotJSON         = errors.New("content type is not JSON")
	errEncoded         = errors.New("content encoding is not supported")
	errTooMany         = errors.New("rate limit reached")
	errPanic           = errors.New("panic")
	errBeingChanged    = errors.New("the intent is just being changed")

	errTooManyListeners = errors.New("too many requests wait for webhooks")
)

// scopeError refuses a request that needs a scope which its access token does not have.
type scopeError struct{ needs accounts.Scope }

func (e *scopeError) Error() string { return fmt.Sprintf("access token without the scope %q", e.needs) }

// conflictError refuses a request in words that depend on it.
type conflictError struct {
	error

	sentence string
}

func (e *conflictError) Unwrap() error { return e.error }

// row is the answer to one kind of error. The error's own text is for the log; the caller
// reads the sentence.
type row struct {
	is         error
	status     int
	level      zerolog.Level
	sentence   string
	retryAfter int // seconds; 0 sends no header
	// name is the member of the body that holds the sentence.
	name string
}

const (
	inMessage = "message"
	// inError is for the two refusals of an API key, as the specification requires.
	inError = "error"
)

const (
	sentenceOverloaded = "The service is busy. Nothing was done; please try again."
	sentenceGuesses    = "Too many requests with wrong access tokens came from your network. " +
		"Please check yours, and try again."
	sentenceUnavailable = "The service is not available at the moment. Please send the same request again."
)

// table has the answers to errors; the first row that matches counts. An error that is not in it
// and not transient is a fault of this service.
var table = []row{
	{accounts.ErrUnauthenticated, http.StatusUnauthorized, zerolog.InfoLevel,
		"Unauthenticated.", 0, inMessage},
	{accounts.ErrMissingAPIKey, http.StatusUnauthorized, zerolog.InfoLevel,
		"Missing X-API-Key header.", 0, inError},
	{accounts.ErrInvalidAPIKey, http.StatusUnauthorized, zerolog.InfoLevel,
		"Invalid API key or inactive application.", 0, inError},
	{errForbidden, http.StatusForbidden, zerolog.InfoLevel,
		"This payment intent belongs to another application.", 0, inMessage},
	{errRefundForbidden, http.StatusForbidden, zerolog.InfoLevel,
		"This refund belongs to another application.", 0, inMessage},
	{refunds.ErrNoRefund, http.StatusNotFound, zerolog.DebugLevel,
		"Not found.", 0, inMessage},
	{refunds.ErrNothingLeft, http.StatusConflict, zerolog.DebugLevel,
		"Nothing is left to refund of this payment.", 0, inMessage},
	{refunds.ErrNothingPaid, http.StatusConflict, zerolog.DebugLevel,
		"This payment intent is not paid.", 0, inMessage},
	{refunds.ErrGivenBack, http.StatusConflict, zerolog.DebugLevel,
		"Someone recorded that this money went back in another way.", 0, inMessage},
	{ledger.ErrNotFound, http.StatusNotFound, zerolog.DebugLevel,
		"Not found.", 0, inMessage},
	{errNoRoute, http.StatusNotFound, zerolog.DebugLevel,
		"Not found.", 0, inMessage},
	{errNoMethod, http.StatusMethodNotAllowed, zerolog.DebugLevel,
		"Method not allowed.", 0, inMessage},
	{errSlowBody, http.StatusRequestTimeout, zerolog.DebugLevel,
		"The body did not arrive in time.", 0, inMessage},
	{ledger.ErrContention, http.StatusConflict, zerolog.WarnLevel,
		"This merchant_reference is being changed by other requests. Please try again.", 0, inMessage},
	{domain.RefusedAttemptOpen, http.StatusConflict, zerolog.DebugLevel,
		"A payment attempt is under way. Please try again when it has ended.", 0, inMessage},
	{domain.RefusedPaid, http.StatusConflict, zerolog.DebugLevel,
		"This payment intent is paid.", 0, inMessage},
	{errBodyTooLarge, http.StatusRequestEntityTooLarge, zerolog.DebugLevel,
		"The body must be at most 128 KiB.", 0, inMessage},
	{errNotJSON, http.StatusUnsupportedMediaType, zerolog.DebugLevel,
		"The Content-Type must be application/json, in UTF-8.", 0, inMessage},
	{errEncoded, http.StatusUnsupportedMediaType, zerolog.DebugLevel,
		"The body must be sent without a Content-Encoding.", 0, inMessage},
	{errTooMany, http.StatusTooManyRequests, zerolog.DebugLevel,
		"Too many requests. Please slow down.", 1, inMessage},
	{errTooManyListeners, http.StatusTooManyRequests, zerolog.DebugLevel,
		"Too many requests are waiting for webhooks. Please try again when one has ended.",
		retryListening, inMessage},
	{errBeingChanged, http.StatusServiceUnavailable, zerolog.WarnLevel,
		"This payment intent is just being changed. Please try again.", 1, inMessage},
	{projections.ErrBehind, http.StatusServiceUnavailable, zerolog.WarnLevel,
		sentenceOverloaded, 1, inMessage},
	{eventstore.ErrOverloaded, http.StatusServiceUnavailable, zerolog.WarnLevel,
		sentenceOverloaded, 1, inMessage},
	{ledger.ErrStaleCredential, http.StatusServiceUnavailable, zerolog.WarnLevel,
		sentenceOverloaded, 1, inMessage},
	{accounts.ErrStaleCredential, http.StatusServiceUnavailable, zerolog.WarnLevel,
		sentenceOverloaded, 1, inMessage},
	{eventstore.ErrOutcomeUnknown, http.StatusServiceUnavailable, zerolog.ErrorLevel,
		"It is not known yet whether this was done. Please send the same request again: it is never done twice.",
		1, inMessage},
	// The caller went away; nobody reads the answer.
	{context.Canceled, http.StatusServiceUnavailable, zerolog.DebugLevel,
		sentenceUnavailable, 1, inMessage},
}

// rowOf finds the row of an error, or makes one.
func rowOf(err error) row {
	for _, r := range table {
		if errors.Is(err, r.is) {
			return r
		}
	}
	if beyond, ok := errors.AsType[*scopeError](err); ok {
		return row{err, http.StatusForbidden, zerolog.InfoLevel,
			fmt.Sprintf("This needs an access token with the scope %q.", beyond.needs), 0, inMessage}
	}
	if conflict, ok := errors.AsType[*conflictError](err); ok {
		return row{err, http.StatusConflict, zerolog.DebugLevel, conflict.sentence, 0, inMessage}
	}
	if malformed, ok := errors.AsType[*MalformedError](err); ok {
		return row{err, http.StatusBadRequest, zerolog.DebugLevel, malformed.Sentence, 0, inMessage}
	}
	if invalid, ok := errors.AsType[*InvalidError](err); ok {
		return row{err, http.StatusUnprocessableEntity, zerolog.DebugLevel, invalid.Message(), 0, inMessage}
	}
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		return row{err, http.StatusTooManyRequests, zerolog.DebugLevel, sentenceGuesses,
			atLeastOne(throttled.RetryAfter.Seconds()), inMessage}
	}
	if ledger.IsTransient(err) {
		return row{err, http.StatusServiceUnavailable, zerolog.WarnLevel, sentenceUnavailable, 1, inMessage}
	}
	return row{err, http.StatusInternalServerError, zerolog.ErrorLevel,
		"Something went wrong on our side.", 0, inMessage}
}

// answerTo makes the answer to an error, and returns the level at which to log it.
func answerTo(err error) (answer, zerolog.Level) {
	r := rowOf(err)
	a := answer{status: r.status, header: http.Header{}}
	if r.retryAfter > 0 {
		a.header.Set("Retry-After", strconv.Itoa(r.retryAfter))
	}
	if r.status == http.StatusUnauthorized {
		a.header.Set(headerChallenge, challenge)
	}
	if beyond, ok := errors.AsType[*scopeError](err); ok {
		a.header.Set(headerChallenge, challengeOfScope(beyond.needs))
	}
	if limited, ok := errors.AsType[*limitedError](err); ok {
		a.header.Set("Retry-After", strconv.Itoa(limited.retryAfter))
		if limited.log {
			r.level = zerolog.WarnLevel
		}
	}
	var violations []Violation
	if invalid, ok := errors.AsType[*InvalidError](err); ok {
		violations = invalid.Violations
	}
	a.body = errorBody(r.name, r.sentence, violations)
	return a, r.level
}

// refusal is the body of an answer to an error. One of the first two is set.
type refusal struct {
	Message string     `json:"message,omitzero"`
	Error   string     `json:"error,omitzero"`
	Errors  violations `json:"errors,omitempty"`
}

// violations are sentences by field, in the order in which the fields are documented.
type violations []Violation

// MarshalJSONTo implements json.MarshalerTo.
func (all violations) MarshalJSONTo(text *jsontext.Encoder) error {
	if err := text.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, v := range all {
		if err := text.WriteToken(jsontext.String(v.Field)); err != nil {
			return fmt.Errorf("write name of field: %w", err)
		}
		if err := json.MarshalEncode(text, v.Sentences); err != nil {
			return fmt.Errorf("write sentences: %w", err)
		}
	}
	return text.WriteToken(jsontext.EndObject)
}

// errorBody writes {"message": …} and, where fields are violated, "errors".
func errorBody(name, sentence string, fields []Violation) []byte {
	body := refusal{Message: sentence, Errors: fields}
	if name == inError {
		body.Message, body.Error = "", sentence
	}
	text, err := json.Marshal(body)
	if err != nil {
		// Fields and sentences are made of text that was checked to be UTF-8.
		panic(fmt.Sprintf("httpapi: write error body: %v", err))
	}
	return text
}
