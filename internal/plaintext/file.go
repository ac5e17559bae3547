package plaintext

import (
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// FromFile is the text of a file as editors and shells write it: without a byte order
// mark, which may say that it is UTF-16, and with the line ends of Unix.
func FromFile(file []byte) string {
	// Without a mark, no byte is changed and nothing can fail.
	text, _, err := transform.Bytes(unicode.BOMOverride(transform.Nop), file)
	if err != nil {
		text = file
	}
	return strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n", "\r", "\n").Replace(string(text))
}
