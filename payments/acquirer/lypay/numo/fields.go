package numo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

type field struct{ tag, value string }

// join writes fields one after another. Those without a value are left out.
func join(fields ...field) (string, error) {
	var b strings.Builder
	for _, f := range fields {
		length := utf8.RuneCountInString(f.value)
		switch {
		case length == 0:
			continue
		case length > 99 || !utf8.ValidString(f.value):
			return "", fmt.Errorf("write tag %s: the value does not fit", f.tag)
		}
		fmt.Fprintf(&b, "%s%02d%s", f.tag, length, f.value)
	}
	return b.String(), nil
}

// split reads fields one after another. Lengths count the units: characters or bytes.
func split(units []string) (map[string]string, error) {
	fields := make(map[string]string)
	for len(units) > 0 {
		if len(units) < 4 {
			return nil, errors.New("the text ends within a field")
		}
		tag, length := strings.Join(units[:2], ""), strings.Join(units[2:4], "")
		if !isDigits(tag) || !isDigits(length) {
			return nil, errors.New("a field has no tag or no length")
		}
		end, err := strconv.Atoi(length)
		if err != nil || end > len(units)-4 {
			return nil, fmt.Errorf("tag %s is longer than the text", tag)
		}
		if _, twice := fields[tag]; twice {
			return nil, fmt.Errorf("tag %s is there twice", tag)
		}
		fields[tag], units = strings.Join(units[4:4+end], ""), units[4+end:]
	}
	return fields, nil
}

func characters(text string) []string { return strings.Split(text, "") }

func bytesOf(text string) []string {
	units := make([]string, len(text))
	for i := range units {
		units[i] = text[i : i+1]
	}
	return units
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
