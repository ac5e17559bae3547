package daftar

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// What an [APIError] is, for [errors.Is].
var (
	// ErrAuthentication is 401: the API key or the access token is missing, wrong, revoked or expired.
	ErrAuthentication = errors.New("daftar: authentication failed")
	// ErrPermission is 403: it is of another application, or the access token lacks the scope for it.
	ErrPermission = errors.New("daftar: not permitted")
	// ErrNotFound is 404: there is no intent or refund with this uuid.
	ErrNotFound = errors.New("daftar: not found")
	// ErrConflict is 409: the intent is not in a state in which this can be done.
	ErrConflict = errors.New("daftar: conflict")
	// ErrValidation is 422: fields violate their constraints; [APIError.Errors] has them.
	ErrValidation = errors.New("daftar: invalid fields")
	// ErrRateLimit is 429, however often it was tried. It is ErrUnavailable, too.
	ErrRateLimit = errors.New("daftar: too many requests")
	// ErrUnavailable is 5xx, 408 and 429, however often it was tried: the service is overloaded or away,
	// or the application sends too many requests. Send the same request again later: it is never done
	// twice.
	ErrUnavailable = errors.New("daftar: service unavailable")
)

// ErrSignature says that a webhook does not come from Daftar, or is too old. Answer 401.
var ErrSignature = errors.New("daftar: webhook refused")

// APIError is an answer of the API that is an error.
type APIError struct {
	Status  int    // of HTTP
	Message string // a sentence for people
	// Errors has what is wrong, by the dotted path of the field. Only ErrValidation has any.
	Errors     map[string][]string
	RequestID  string        // to quote when asking for help
	RetryAfter time.Duration // when to try again; zero where the service did not say
}

func (e *APIError) Error() string {
	return fmt.Sprintf("daftar: %d: %s (request %s)", e.Status, e.Message, e.RequestID)
}

// Is reports whether target is the sentinel for the status.
func (e *APIError) Is(target error) bool {
	switch target {
	case ErrAuthentication:
		return e.Status == http.StatusUnauthorized
	case ErrPermission:
		return e.Status == http.StatusForbidden
	case ErrNotFound:
		return e.Status == http.StatusNotFound
	case ErrConflict:
		return e.Status == http.StatusConflict
	case ErrValidation:
		return e.Status == http.StatusUnprocessableEntity
	case ErrRateLimit:
		return e.Status == http.StatusTooManyRequests
	case ErrUnavailable:
		return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests ||
			e.Status >= http.StatusInternalServerError
	}
	return false
}

// ConnectionError says that no answer of the API came, however often it was asked. It is not known
// whether the request was carried out. Send the same one again: it is never done twice.
type ConnectionError struct {
	RequestID string // the id that the requests carried, to quote when asking for help
	Err       error  // why; the caller's context where that ended the request
}

func (e *ConnectionError) Error() string {
	return fmt.Sprintf("daftar: no answer: %v (request %s)", e.Err, e.RequestID)
}

func (e *ConnectionError) Unwrap() error { return e.Err }

// ArgumentError says that an argument is wrong. Nothing was sent.
type ArgumentError struct {
	Message string
}

func (e *ArgumentError) Error() string { return "daftar: " + e.Message }

func wrong(format string, arguments ...any) error {
	return &ArgumentError{Message: fmt.Sprintf(format, arguments...)}
}
