package ops

import "io"

// NewRedactingWriter is the writer around every log.
func NewRedactingWriter(to io.Writer) io.Writer { return redactingWriter{to} }
