package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/plaintext"
)

// The kinds of failure in the log of tries, next to those of TLS.
const (
	errorStatus   = "status"   // an answer that is not 2xx
	errorRedirect = "redirect" // 3xx; never followed
	errorRefused  = "refused"  // by the guard: not an address that webhooks go to
	errorName     = "dns"
	errorConnect  = "connect"
	errorTimeout  = "timeout"
	errorBroken   = "broken" // the connection, or what came through it
)

type result struct {
	Signed   time.Time // the time in its headers; zero: nothing was sent
	Status   int       // 0: no answer
	Duration time.Duration
	Error    string // empty: delivered
	Answer   string
	Asked    time.Duration // Retry-After
}

func (r result) delivered() bool { return r.Error == "" }

func (r result) slow() bool { return r.delivered() && r.Duration >= slowAnswer }

// signer signs with one application's secret.
type signer struct {
	hook   *standardwebhooks.Webhook
	sealed []byte // the secret, as the database had it
}

// signerOf signs with an application's present secret, which is not older than what the
// database had as sealed.
func signerOf(ctx context.Context, a *accounts.Accounts, id domain.ApplicationID,
	sealed []byte,
) (signer, error) {
	secret, err := a.WebhookSecret(ctx, id)
	if err != nil {
		return signer{}, err
	}
	hook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		// The library's error may show a part of the secret.
		return signer{}, errors.New("the webhook secret cannot be used")
	}
	return signer{hook, sealed}, nil
}

// headers are those of Standard Webhooks, signed now.
func (s signer) headers(m message, body []byte, now time.Time) (http.Header, error) {
	id := m.ID.WebhookID()
	signature, err := s.hook.Sign(id, now, body)
	if err != nil {
		return nil, fmt.Errorf("sign webhook: %w", err)
	}
	h := http.Header{}
	h.Set(standardwebhooks.HeaderWebhookID, id)
	h.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	h.Set(standardwebhooks.HeaderWebhookSignature, signature)
	h.Set("Content-Type", "application/json")
	return h, nil
}

// sender sends one delivery at a time, any number of times at once.
type sender struct {
	guard  Guard
	client *http.Client
	agent  string
	limit  time.Duration
	now    func() time.Time
}

// send makes one try. An error means that no try was made: the context ended, or the
// message could not be signed.
func (s sender) send(ctx context.Context, to string, by signer, m message) (result, error) {
	text, signed := m.body(), s.now()
	headers, err := by.headers(m, text, signed)
	if err != nil {
		return result{}, err
	}
	headers.Set("User-Agent", s.agent)

	began := time.Now()
	trying, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	request, err := http.NewRequestWithContext(trying, http.MethodPost, to, bytes.NewReader(text))
	if err != nil {
		return result{Signed: signed, Error: errorRefused}, nil
	}
	if _, err := s.guard.checkForm(request.URL); err != nil {
		return result{Signed: signed, Error: errorRefused}, nil
	}
	request.Header = headers
	response, err := s.client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return result{}, ctx.Err()
		}
		return result{Signed: signed, Error: classOf(err), Duration: time.Since(began)}, nil
	}
	defer response.Body.Close()
	r := result{Signed: signed, Status: response.StatusCode, Asked: retryAfter(response.Header, s.now())}
	// The status decides, even if the body cannot be read.
	answer, _ := io.ReadAll(io.LimitReader(response.Body, maxBodyRead))
	r.Duration, r.Answer = time.Since(began), answerText(answer)
	switch {
	case r.Status >= 300 && r.Status < 400:
		r.Error = errorRedirect
	case r.Status < 200 || r.Status > 299:
		r.Error = errorStatus
	}
	return r, nil
}

// classOf keeps only the kind of an error: its text has the address, which may
// contain a password.
func classOf(err error) string {
	var (
		name *net.DNSError
		op   *net.OpError
	)
	timeout, isTimeout := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	switch {
	case refused(err):
		return errorRefused
	case isTimeout && timeout.Timeout():
		return errorTimeout
	case errors.As(err, &name):
		return errorName
	case classOfTLS(err) != "":
		return classOfTLS(err)
	case errors.As(err, &op) && op.Op == "dial":
		return errorConnect
	}
	return errorBroken
}

// answerText is the beginning of an answer as text that PostgreSQL takes.
func answerText(answer []byte) string {
	if len(answer) > maxAnswer {
		answer = answer[:maxAnswer]
		for cut := 0; cut < utf8.UTFMax && len(answer) > 0; cut++ {
			if r, size := utf8.DecodeLastRune(answer); r != utf8.RuneError || size != 1 {
				break
			}
			answer = answer[:len(answer)-1]
		}
	}
	return plaintext.MakeStorable(string(answer), "?")
}
