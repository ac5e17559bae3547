package web

import (
	"slices"
	"strings"
)

// IsUnsafeScheme reports whether a scheme, in lower case, makes a browser run a script, read
// the device's files, start a program of the system, dial or write a message, instead of
// returning to a merchant's site or app.
func IsUnsafeScheme(scheme string) bool {
	return strings.HasPrefix(scheme, "ms-") || slices.Contains(refusedSchemes, scheme)
}

var refusedSchemes = []string{
	"javascript", "vbscript", "data", "blob", "about", "view-source",
	"file", "filesystem", "content", "jar", "res",
	"intent", "android-app", "itms-services", "market", "search", "search-ms", "shell",
	"tel", "callto", "facetime", "facetime-audio", "sms", "smsto", "mms", "mmsto", "mailto",
}
