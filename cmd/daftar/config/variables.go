package config

import (
	"strings"

	"github.com/caarlos0/env/v11"
)

// Variables are the variables of an environment by name. Line ends at the end of a value are
// cut, as at the end of a file: what makes a secret of "echo … | base64" leaves one there.
func Variables(environ []string) map[string]string {
	all := env.ToMap(environ)
	for name, value := range all {
		all[name] = cutLineEnds(value)
	}
	return all
}

// cutLineEnds leaves blanks: a password may end with one.
func cutLineEnds(value string) string { return strings.TrimRight(value, "\r\n") }
