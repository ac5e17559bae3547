package domain_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"daftar/domain"
)

func TestCreateWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ahead   time.Duration
		refused bool
	}{
		{5 * time.Minute, true}, {5*time.Minute + time.Microsecond, false}, {0, true}, {-time.Hour, true},
		{31 * 24 * time.Hour, true}, {31*24*time.Hour - time.Microsecond, false},
		// Less than a microsecond is not kept, and so cannot make a window valid.
		{5*time.Minute + 999*time.Nanosecond, true},
	} {
		command := create()
		end := t0.Add(c.ahead)
		command.ExpiresAt = &end
		_, err := domain.Decide(domain.Blank(intent), command, t0)
		if refused := errors.Is(err, domain.RefusedWindow); refused != c.refused || (err != nil && !refused) {
			t.Errorf("%v ahead: %v, want refused %v", c.ahead, err, c.refused)
		}
	}
	command := create()
	command.ExpiresAt = nil
	events, err := domain.Decide(domain.Blank(intent), command, t0)
	if err != nil {
		t.Fatal(err)
	}
	if got := domain.Fold(intent, events).ExpiresAt; !got.Equal(t0.Add(24 * time.Hour)) {
		t.Errorf("default expiry %v", got)
	}
}

func TestCreateOutsideItsLimits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ق", 256)
	longURL := "https://shop.ly/" + strings.Repeat("x", 2048)
	for name, change := range map[string]func(*domain.Create){
		"amount below":          func(c *domain.Create) { c.Amount.Minor = 999 },
		"amount above":          func(c *domain.Create) { c.Amount.Minor = 1_000_000_001 },
		"other currency":        func(c *domain.Create) { c.Amount.Currency = "USD" },
		"no merchant reference": func(c *domain.Create) { c.MerchantReference = "" },
		"long reference":        func(c *domain.Create) { c.MerchantReference = domain.MerchantReference(long) },
		"no description":        func(c *domain.Create) { c.Description = "" },
		"long description":      func(c *domain.Create) { c.Description = long },
		"long customer":         func(c *domain.Create) { c.CustomerID = &long },
		"long return URL":       func(c *domain.Create) { c.ReturnURL = &longURL },
		"many pairs":            func(c *domain.Create) { c.Metadata = make(domain.Metadata, 21) },
		"long key":              func(c *domain.Create) { c.Metadata = domain.Metadata{{Key: long[:82]}} },
		"long value":            func(c *domain.Create) { c.Metadata = domain.Metadata{{Key: "k", Value: long}} },
		"no short reference":    func(c *domain.Create) { c.Reference = "" },
		"no checkout token":     func(c *domain.Create) { c.CheckoutToken = "" },
	} {
		c := create()
		change(&c)
		if _, err := domain.Decide(domain.Blank(intent), c, t0); !errors.Is(err, domain.RefusedMalformed) {
			t.Errorf("%s: %v, want %v", name, err, domain.RefusedMalformed)
		}
	}
	// 255 Arabic letters are 255 characters, although they are 510 bytes.
	c := create()
	c.Description = strings.Repeat("ق", 255)
	c.Amount.Minor = 1_000_000_000
	if _, err := domain.Decide(domain.Blank(intent), c, t0); err != nil {
		t.Errorf("at its limits: %v", err)
	}
}
