package domain

import (
	"fmt"

	"github.com/google/uuid"
)

// Mode is what the payments of an application are: money, or trials of a shop that moves none.
type Mode string

// The modes. An application has one for ever.
const (
	ModeLive Mode = "live"
	ModeTest Mode = "test"
)

// ParseMode reads a mode. Its error names the two.
func ParseMode(s string) (Mode, error) {
	if m := Mode(s); m == ModeLive || m == ModeTest {
		return m, nil
	}
	return "", fmt.Errorf("parse mode %q: it is %s or %s", s, ModeLive, ModeTest)
}

// Tenant is the applications of an organisation in one mode. What is listed, added up, exported
// or written in mails is of one tenant, so that trials are never among money.
type Tenant struct {
	Organization uuid.UUID
	Mode         Mode
}
