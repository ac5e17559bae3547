package ops

import "io"

// Discreet is the writer around every log.
func Discreet(to io.Writer) io.Writer { return discreet{to} }
