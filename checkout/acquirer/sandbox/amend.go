package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"
)

// Resend implements acquirer.Acquirer.
func (s *Sandbox) Resend(ctx context.Context, attempt domain.AttemptID) (acquirer.CodeSent, error) {
	if !isAttempt(attempt) {
		return acquirer.CodeSent{}, fmt.Errorf("resend code: %w: attempt id is malformed", acquirer.ErrNotSent)
	}
	res, err := s.exchange(ctx, http.MethodPost, "/v1/payments/"+string(attempt)+"/resend", nil)
	if err != nil {
		return acquirer.CodeSent{}, fmt.Errorf("resend code: %w", err)
	}
	sent, err := readResent(res, attempt)
	if err != nil {
		return acquirer.CodeSent{}, fmt.Errorf("resend code: %w", err)
	}
	return sent, nil
}

func readResent(res response, attempt domain.AttemptID) (acquirer.CodeSent, error) {
	if res.isProblem(http.StatusConflict, errorNoCodeWanted, attempt) {
		return acquirer.CodeSent{}, acquirer.ErrNoCodeWanted
	}
	said, err := res.payment(attempt, http.StatusOK)
	if err != nil {
		return acquirer.CodeSent{}, err
	}
	sent, ok := said.Next.codeSent()
	if said.State != statePending || !ok {
		return acquirer.CodeSent{}, errors.New("answer has no new code")
	}
	return sent, nil
}

// Cancel implements acquirer.Acquirer.
func (s *Sandbox) Cancel(ctx context.Context, attempt domain.AttemptID) (acquirer.Report, error) {
	if !isAttempt(attempt) {
		return acquirer.Report{}, fmt.Errorf("cancel payment: %w: attempt id is malformed", acquirer.ErrNotSent)
	}
	res, err := s.exchange(ctx, http.MethodPost, "/v1/payments/"+string(attempt)+"/cancel", nil)
	if err != nil {
		return acquirer.Report{}, fmt.Errorf("cancel payment: %w", err)
	}
	report, err := readReport(res, attempt)
	if err != nil {
		return acquirer.Report{}, fmt.Errorf("cancel payment: %w", err)
	}
	return report, nil
}

// codeSent is the step in which a code is wanted; false: it is another one.
func (n nextStep) codeSent() (acquirer.CodeSent, bool) {
	return acquirer.CodeSent{SentTo: n.SentTo, Digits: n.Digits, ValidFor: time.Duration(n.ValidFor) * time.Second},
		n.Kind == "code" && n.Digits > 0
}
