package numo

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Checksum is how tag 63 is computed.
type Checksum string

const (
	// EMV covers everything before the checksum, its tag and length included.
	EMV Checksum = "emv"
	// App covers what is before the checksum's tag, with '?' for what is not ASCII.
	App Checksum = "app"
)

// checksumTag begins the last field: tag 63, with a value of four characters.
const checksumTag = "6304"

// of computes the checksum of a text that ends before checksumTag.
func (c Checksum) of(text string) string {
	switch c {
	case EMV:
		return crc(text + checksumTag)
	case App:
		return crc(inASCII(text))
	}
	panic("numo: unknown checksum " + string(c))
}

// isRight accepts either convention, in either case of letters, and EMV's over '?' as well.
func isRight(text, given string) bool {
	given = strings.ToUpper(given)
	return given == EMV.of(text) || given == App.of(text) || given == EMV.of(inASCII(text))
}

func inASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, text)
}

// crc is CRC-16/CCITT-FALSE.
func crc(text string) string {
	sum := uint16(0xFFFF)
	for i := range len(text) {
		sum ^= uint16(text[i]) << 8
		for range 8 {
			carry := sum&0x8000 != 0
			sum <<= 1
			if carry {
				sum ^= 0x1021
			}
		}
	}
	return fmt.Sprintf("%04X", sum)
}
