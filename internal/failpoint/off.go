//go:build !failpoints

package failpoint

// Enabled reports whether the program can be made to crash.
const Enabled = false

// Here does nothing in this build.
func Here(string) {}
