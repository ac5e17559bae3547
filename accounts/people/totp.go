package people

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238 with SHA-1 is what authenticator apps have
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

// Time-based one-time passwords, RFC 6238: 30 seconds, six digits, SHA-1, with
// one step either way for clocks that differ.
const (
	totpStep   = 30 // seconds
	totpDigits = 6
	totpSkew   = 1  // steps
	totpBytes  = 20 // of the secret, as RFC 4226 recommends
	totpIssuer = "Daftar"
)

var totpBase32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// totpCode is the code of a time step.
func totpCode(secret []byte, step int64) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step))
	mac := hmac.New(sha1.New, secret)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0x0f
	number := binary.BigEndian.Uint32(sum[offset:]) & 0x7fff_ffff
	return fmt.Sprintf("%0*d", totpDigits, number%1_000_000)
}

// matchTOTP is the step of a code that is valid now, where it is later than the last step that
// was used. It always compares all steps, so that the time shows nothing.
func matchTOTP(secret []byte, code string, now time.Time, last int64) (int64, bool) {
	present := now.Unix() / totpStep
	var found int64
	for step := present - totpSkew; step <= present+totpSkew; step++ {
		if subtle.ConstantTimeCompare([]byte(totpCode(secret, step)), []byte(code)) == 1 &&
			step > last && found == 0 {
			found = step
		}
	}
	return found, found != 0
}

// totpURI is the content of the QR code for an authenticator app.
func totpURI(secret, email string) string {
	q := url.Values{
		"secret": {secret}, "issuer": {totpIssuer}, "algorithm": {"SHA1"},
		"digits": {fmt.Sprint(totpDigits)}, "period": {fmt.Sprint(totpStep)},
	}
	return "otpauth://totp/" + totpIssuer + ":" + url.PathEscape(email) + "?" + q.Encode()
}
