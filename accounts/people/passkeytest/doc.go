// Package passkeytest is a device with passkeys, for tests: it answers the challenges of package
// people as a browser with a phone or a security key does.
package passkeytest
