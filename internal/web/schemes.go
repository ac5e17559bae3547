package web

import (
	"slices"
	"strings"
)

// IsUnsafeScheme says of a scheme, in lower case, that a browser which is sent there runs
// a script, reads the device's files, starts a program of the system, dials or
// writes a message, instead of going back to a merchant's site or app.
func IsUnsafeScheme(scheme string) bool {
	return strings.HasPrefix(scheme, "ms-") || slices.Contains(refusedSchemes, scheme)
}

var refusedSchemes = []string{
	"javascript", "vbscript", "data", "blob", "about", "view-source",
	"file", "filesystem", "content", "jar", "res",
	"intent", "android-app", "itms-services", "market", "search", "search-ms", "shell",
	"tel", "callto", "facetime", "facetime-audio", "sms", "smsto", "mms", "mmsto", "mailto",
}
