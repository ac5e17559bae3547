package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"daftar/accounts"
)

// The rules of OWASP ASVS 5.0, 6.2: a length, and no common password. There are no
// rules about kinds of characters.
const (
	MinPassword = 8   // code points
	MaxPassword = 128 // code points
)

// PasswordProblem says why a password is refused.
type PasswordProblem string

// The problems.
const (
	PasswordTooShort PasswordProblem = "too short"
	PasswordTooLong  PasswordProblem = "too long"
	PasswordCommon   PasswordProblem = "among the most common passwords"
	PasswordIsEmail  PasswordProblem = "the email address"
	PasswordUnusable PasswordProblem = "not text"
)

// Error never repeats the password.
func (p PasswordProblem) Error() string { return "the password is refused: " + string(p) }

// Is makes a problem an ErrInvalid.
func (PasswordProblem) Is(target error) bool { return target == accounts.ErrInvalid }

//go:embed common_passwords.txt
var commonPasswords string

var common = func() map[string]bool {
	all := make(map[string]bool)
	for line := range strings.Lines(commonPasswords) {
		all[strings.TrimSuffix(line, "\n")] = true
	}
	return all
}()

// normalPassword is the form in which a password is checked and hashed: the OpaqueString form of
// RFC 8265, so that é, أ or a blank match however a keyboard or a system sends them. That profile
// also refuses some characters, such as those in some emoji, by tables that change. We accept
// them, so that no user is locked out.
func normalPassword(password string) string {
	if !utf8.ValidString(password) {
		return password // it is not text, so CheckPassword refuses it
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, password))
}

// SamePassword reports whether two passwords have the same normal form.
func SamePassword(a, b string) bool { return normalPassword(a) == normalPassword(b) }

// maxTyped bounds the bytes of a password as it is typed: a form of a text has at most three
// times as many code points as another.
const maxTyped = 3 * MaxPassword * utf8.UTFMax

// typedForms are the forms in which a password may have been hashed: the normal one, and those of
// earlier releases, which hashed what was typed. Their number depends on the password alone, so
// that the work does not show whether there is an account.
func typedForms(password string) []string {
	if len(password) > maxTyped {
		return []string{""} // no user has it, but refusing it must take as long
	}
	normal := normalPassword(password)
	forms := []string{normal}
	for _, form := range []string{password, norm.NFD.String(normal)} {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// CheckPassword checks a new password of a user. The error is a PasswordProblem.
func CheckPassword(password, email string) error {
	password = normalPassword(password)
	n := utf8.RuneCountInString(password)
	folded := strings.ToLower(password)
	switch {
	case !utf8.ValidString(password):
		return PasswordUnusable
	case n < MinPassword:
		return PasswordTooShort
	case n > MaxPassword:
		return PasswordTooLong
	case common[folded]:
		return PasswordCommon
	case strings.TrimSpace(folded) == emailKey(norm.NFC.String(email)):
		return PasswordIsEmail
	}
	return nil
}

// cost is the cost of argon2id.
type cost struct {
	memory, time uint32 // KiB, passes
	threads      uint8
}

// currentCost is what OWASP recommends at least.
var currentCost = cost{memory: 19456, time: 2, threads: 1}

// cheapCost protects nothing: it is for tests.
var cheapCost = cost{memory: 64, time: 1, threads: 1}

const (
	saltBytes = 16
	keyBytes  = 32
	// hashesAtOnce bounds the memory and CPU that sign-ins can use.
	hashesAtOnce = 2
)

func (o Options) passwordCost() cost {
	if o.CheapPasswords {
		return cheapCost
	}
	return currentCost
}

// hasher computes argon2id, few at a time.
type hasher struct {
	cost  cost // of new hashes
	slots chan struct{}
	dummy string // the hash of random bytes, which no password matches
	count *atomic.Int64
}

func newHasher(c cost) hasher {
	h := hasher{cost: c, slots: make(chan struct{}, hashesAtOnce), count: new(atomic.Int64)}
	salt := make([]byte, saltBytes)
	key := make([]byte, keyBytes)
	rand.Read(salt)
	rand.Read(key)
	h.dummy = encodePHC(c, salt, key)
	return h
}

// derive waits for a slot; it fails only where ctx ends.
func (h hasher) derive(ctx context.Context, password string, salt []byte, c cost,
	size uint32,
) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("hash password: %w", ctx.Err())
	}
	defer func() { <-h.slots }()
	h.count.Add(1)
	return argon2.IDKey([]byte(password), salt, c.time, c.memory, c.threads, size), nil
}

func (h hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	key, err := h.derive(ctx, normalPassword(password), salt, h.cost, keyBytes)
	if err != nil {
		return "", err
	}
	return encodePHC(h.cost, salt, key), nil
}

// verify reports whether the password matches the hash, and whether it should be hashed again: at
// the current cost, and in the normal form.
func (h hasher) verify(ctx context.Context, password, encoded string) (right, stale bool, err error) {
	c, salt, want, err := decodePHC(encoded)
	if err != nil {
		return false, false, err
	}
	for n, form := range typedForms(password) {
		got, err := h.derive(ctx, form, salt, c, uint32(len(want)))
		if err != nil {
			return false, false, err
		}
		if subtle.ConstantTimeCompare(got, want) == 1 {
			return true, n > 0 || c != h.cost || len(want) != keyBytes, nil
		}
	}
	return false, false, nil
}

var phcBase64 = base64.RawStdEncoding

func encodePHC(c cost, salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.time, c.threads,
		phcBase64.EncodeToString(salt), phcBase64.EncodeToString(key))
}

// errBadHash does not repeat the hash.
var errBadHash = errors.New("read password hash: not argon2id in the PHC form")

func decodePHC(s string) (c cost, salt, key []byte, err error) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" ||
		parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return cost{}, nil, nil, errBadHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.time, &c.threads); err != nil ||
		c.time == 0 || c.threads == 0 {
		return cost{}, nil, nil, errBadHash
	}
	salt, errSalt := phcBase64.DecodeString(parts[4])
	key, errKey := phcBase64.DecodeString(parts[5])
	if errSalt != nil || errKey != nil || len(key) == 0 {
		return cost{}, nil, nil, errBadHash
	}
	return c, salt, key, nil
}

// newPassword checks and hashes a password.
func (p *People) newPassword(ctx context.Context, password, email string) (string, error) {
	if err := CheckPassword(password, email); err != nil {
		return "", err
	}
	return p.passwords.hash(ctx, password)
}
