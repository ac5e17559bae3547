package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// tolerance is how old, or how far ahead, a notification's date may be. An older one is
// refused as a replay.
const tolerance = 5 * time.Minute

// ParseNotification implements acquirer.Acquirer.
func (s *Sandbox) ParseNotification(m acquirer.Message) (acquirer.Notice, error) {
	var none acquirer.Notice
	if err := s.authenticate(m.Header, m.Body); err != nil {
		return none, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	var n notification
	if err := json.Unmarshal(m.Body, &n); err != nil {
		return none, fmt.Errorf("decode notification: %w", err)
	}
	if !isAttempt(domain.AttemptID(n.ID)) {
		return none, errors.New("decode notification: attempt id is malformed")
	}
	return acquirer.Notice{Reference: n.ID}, nil
}

// authenticate checks the signature before the message is used, and in constant time, so
// that it cannot be guessed byte by byte.
func (s *Sandbox) authenticate(header http.Header, body []byte) error {
	timestamps, signatures := header.Values(headerTimestamp), header.Values(headerSignature)
	if len(timestamps) != 1 || len(signatures) != 1 {
		return errors.New("not exactly one timestamp and one signature")
	}
	given, err := hex.DecodeString(signatures[0])
	if err != nil {
		return errors.New("signature is not hexadecimal")
	}
	mac := hmac.New(sha256.New, []byte(s.secret))
	mac.Write([]byte(timestamps[0] + "."))
	mac.Write(body)
	if !hmac.Equal(given, mac.Sum(nil)) {
		return errors.New("signature does not fit")
	}
	seconds, err := strconv.ParseInt(timestamps[0], 10, 64)
	if err != nil {
		return errors.New("timestamp is no number")
	}
	if age := s.now().Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return errors.New("timestamp is too far from now")
	}
	return nil
}
