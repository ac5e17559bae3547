package config

import (
	"bytes"
	"errors"
	"os"
	"strings"
)

// SecretText is the text of a secret that an editor or a shell wrote into a file or a pipe. The byte
// order mark that Windows writes before UTF-8 is removed: it cannot be typed. UTF-16 is an error,
// because its bytes are not what the person typed.
func SecretText(text []byte) (string, error) {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "", errors.New("the text is UTF-16; save it as UTF-8")
	case bytes.IndexByte(text, 0) >= 0:
		return "", errors.New("the text has a NUL byte, as UTF-16 has; save it as UTF-8")
	}
	return strings.TrimLeft(string(text), "\ufeff"), nil
}

// readSecret is the secret in the file that a variable names; empty where it cannot be read.
func (p *Problems) readSecret(variable, path string) string {
	read, err := os.ReadFile(path)
	p.wrong(variable, err)
	text, err := SecretText(read)
	p.wrong(variable, err)
	return cutLineEnds(text)
}
