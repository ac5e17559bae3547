package webhooks

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The kinds of failure of TLS.
const (
	errorTLS         = "tls"          // the issuer is not known; older rows: any failure of TLS
	errorTLSChain    = "tls_chain"    // the issuer's certificate was not sent, mostly an intermediate one
	errorTLSName     = "tls_name"     // the certificate is not for this host
	errorTLSExpired  = "tls_expired"  // the certificate has expired
	errorTLSEarly    = "tls_early"    // the certificate is not valid yet
	errorTLSProtocol = "tls_protocol" // no common version or cipher, or a client certificate is required
	errorTLSPlain    = "tls_plain"    // the endpoint speaks another protocol
	errorTLSFailed   = "tls_failed"   // something else
)

// The alerts of an endpoint that accepts none of the versions or ciphers that it was offered. The
// error of an alert has no exported type, only a text.
var noCommonProtocol = []string{
	tls.AlertError(40).Error(), // handshake_failure; in TLS 1.2 also where the client's certificate is missing
	tls.AlertError(70).Error(), // protocol_version
	tls.AlertError(71).Error(), // insufficient_security
}

// The errors of crypto/tls, also without a type, for an endpoint that chose what it was not offered:
// endpoints that know no version later than TLS 1.1 do so.
var notOffered = []string{
	"tls: server selected unsupported protocol version",
	"tls: server chose an unconfigured cipher suite",
}

// classOfTLS is the kind of an error of TLS, and empty for any other error.
func classOfTLS(err error) string {
	if errors.Is(err, http.ErrSchemeMismatch) {
		return errorTLSPlain
	}
	if _, is := errors.AsType[tls.RecordHeaderError](err); is {
		return errorTLSPlain
	}
	if unverified, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		return classOfCertificate(unverified)
	}
	op, is := errors.AsType[*net.OpError](err)
	switch {
	case is && op.Op == "remote error" && slices.Contains(noCommonProtocol, op.Err.Error()):
		return errorTLSProtocol
	case is && op.Op == "remote error":
		return errorTLSFailed
	case slices.ContainsFunc(notOffered, func(said string) bool { return strings.Contains(err.Error(), said) }):
		return errorTLSProtocol
	}
	return ""
}

func classOfCertificate(err *tls.CertificateVerificationError) string {
	if _, is := errors.AsType[x509.HostnameError](err); is {
		return errorTLSName
	}
	if invalid, is := errors.AsType[x509.CertificateInvalidError](err); is && invalid.Reason == x509.Expired {
		if time.Now().Before(invalid.Cert.NotBefore) {
			return errorTLSEarly
		}
		return errorTLSExpired
	}
	if _, is := errors.AsType[x509.UnknownAuthorityError](err); !is {
		return errorTLSFailed
	}
	if isComplete(err.UnverifiedCertificates) {
		return errorTLS
	}
	return errorTLSChain
}

// isComplete reports whether the certificates that an endpoint sent, its own first, lead to
// one that has signed itself. Where they do not, a forgotten intermediate certificate looks the
// same as an unknown authority.
func isComplete(sent []*x509.Certificate) bool {
	at := 0
	for range sent {
		issuer := sent[at].RawIssuer
		if bytes.Equal(issuer, sent[at].RawSubject) {
			return true
		}
		at = slices.IndexFunc(sent, func(c *x509.Certificate) bool { return bytes.Equal(c.RawSubject, issuer) })
		if at < 0 {
			return false
		}
	}
	return false // the chain is a circle
}
