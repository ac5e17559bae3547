package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// response is an answer of the bank.
type response exchange.Answer

// ask sends a request and reads its answer. Errors begin with doing.
func ask[T any](
	ctx context.Context, s *Sandbox, doing, method, path string, body any, read func(response) (T, error),
) (T, error) {
	var none T
	res, err := s.client.Do(ctx, exchange.Request{
		Method: method, Path: path, JSON: body, Header: map[string]string{"Authorization": "Bearer " + s.secret},
	})
	if err != nil {
		return none, fmt.Errorf("%s: %w", doing, err)
	}
	if response(res).isProblem(http.StatusUnauthorized, errorSecretRefused, "") {
		return none, fmt.Errorf("%s: %w", doing, acquirer.ErrAccount)
	}
	answer, err := read(response(res))
	if err != nil {
		return none, fmt.Errorf("%s: %w", doing, err)
	}
	return answer, nil
}

// askAbout sends a request about the payment of an attempt, at its path.
func askAbout[T any](
	ctx context.Context, s *Sandbox, doing, method string, attempt domain.AttemptID, call string, body any,
	read func(response, domain.AttemptID) (T, error),
) (T, error) {
	if !isAttempt(attempt) {
		var none T
		return none, fmt.Errorf("%s: %w: attempt id is malformed", doing, acquirer.ErrNotSent)
	}
	return ask(ctx, s, doing, method, "/v1/payments/"+string(attempt)+call, body, func(r response) (T, error) {
		return read(r, attempt)
	})
}

// payment reads an answer about the attempt, which must have one of the statuses.
func (r response) payment(attempt domain.AttemptID, statuses ...int) (paymentAnswer, error) {
	if !slices.Contains(statuses, r.Status) {
		return paymentAnswer{}, fmt.Errorf("answer has the status %d", r.Status)
	}
	var answer paymentAnswer
	if err := exchange.Answer(r).Decode(&answer); err != nil {
		return paymentAnswer{}, err
	}
	if answer.ID != string(attempt) {
		return paymentAnswer{}, errors.New("answer is about another payment")
	}
	return answer, nil
}

// isProblem reports whether the bank itself reports this problem of the attempt. The same
// status from a wrong address or a gateway has no such body.
func (r response) isProblem(status int, code string, attempt domain.AttemptID) bool {
	var problem problemAnswer
	return r.Status == status && json.Unmarshal(r.Body, &problem) == nil &&
		problem.Error == code && problem.ID == string(attempt)
}
