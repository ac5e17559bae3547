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
	errorTLS         = "tls"          // an issuer that is not known; before there were the others, all of them
	errorTLSChain    = "tls_chain"    // its certificate was not sent: mostly an intermediate one
	errorTLSName     = "tls_name"     // not the certificate of this host
	errorTLSExpired  = "tls_expired"  // the certificate
	errorTLSEarly    = "tls_early"    // it is not valid yet
	errorTLSProtocol = "tls_protocol" // no version or cipher in common, or a certificate of ours is required
	errorTLSPlain    = "tls_plain"    // what answers speaks another protocol
	errorTLSFailed   = "tls_failed"   // something else
)

// The alerts of an endpoint that takes none of the versions or ciphers that it was offered. The
// error of an alert has no type that could be asked for it, and the text of the alert.
var noCommonProtocol = []string{
	tls.AlertError(40).Error(), // handshake_failure; in TLS 1.2 also where the client's certificate is missing
	tls.AlertError(70).Error(), // protocol_version
	tls.AlertError(71).Error(), // insufficient_security
}

// What crypto/tls says, also without a type, of an endpoint that chose what it was not offered, as
// those do that know no version later than TLS 1.1.
var notOffered = []string{"tls: server selected unsupported protocol version",
	"tls: server chose an unconfigured cipher suite"}

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
// one that has signed itself. Where they do not, nothing tells an intermediate certificate that
// was forgotten from one whose authority is not known.
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
	return false // they lead round in a circle
}
