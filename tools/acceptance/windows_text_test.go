package acceptance_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/internal/postgres/pgtest"
)

// utf16Text is the default encoding of Windows' shell and editor.
func utf16Text(text string, order binary.ByteOrder, mark bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	b := make([]byte, 2*len(units))
	for n, unit := range units {
		order.PutUint16(b[2*n:], unit)
	}
	return string(b)
}

// unreadable are the encodings of a text that are refused with an error.
func unreadable(text string) map[string]string {
	return map[string]string{
		"UTF-16":                utf16Text(text, binary.LittleEndian, true),
		"UTF-16 big-endian":     utf16Text(text, binary.BigEndian, true),
		"UTF-16 without a mark": utf16Text(text, binary.LittleEndian, false),
		"a NUL byte":            text + "\x00",
	}
}

// Passwords that Windows writes into a file or a pipe are read as the person typed them, or refused
// with an error.
func TestPasswordsAsWindowsWritesThem(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey}
	created := answer[struct{ Organization struct{ UUID string } }](t, env, "org", "create", "--name", "Shop")
	org := created.Organization.UUID
	key, err := accounts.ParseSecretKey(secretKey)
	if err != nil {
		t.Fatal(err)
	}
	a := people.New(db.Pool(t), accounts.New(db.Pool(t), accounts.Options{}), people.Options{SecretKey: key})
	signsIn := func(password string) {
		t.Helper()
		_, _, err := a.SignIn(t.Context(), accounts.Actor{Address: "192.0.2.1"}, "salma@shop.example", password)
		if err != nil {
			t.Errorf("sign in with %+q: %v", password, err)
		}
	}
	create := []string{
		"user", "create", "--org", org, "--email", "salma@shop.example", "--role", "owner", "--password-stdin",
	}
	set := []string{"user", "set-password", "salma@shop.example", "--password-stdin"}
	for name, input := range unreadable("correct horse battery\r\n") {
		r := callWith(t, env, input, create...)
		if r.code != 2 || !strings.Contains(r.errors, "--password-stdin") || !strings.Contains(r.errors, "UTF-16") {
			t.Errorf("%s: exit %d, %s", name, r.code, r.errors)
		}
	}
	if r := callWith(t, env, "\ufeffcorrect horse battery\r\n", create...); r.code != 0 {
		t.Fatal(r.errors)
	}
	signsIn("correct horse battery")
	if r := callWith(t, env, "\ufeffcafe\u0301-libya-1\n", set...); r.code != 0 {
		t.Fatal(r.errors)
	}
	signsIn("caf\u00e9-libya-1")
	if r := callWith(t, env, "\ufeffshort\n", set...); r.code == 0 || !strings.Contains(r.errors, "too short") {
		t.Errorf("a mark counts as a character: exit %d, %s", r.code, r.errors)
	}
}

func TestSecretsAsWindowsWritesThem(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	dir := t.TempDir()
	file := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	url := "DAFTAR_DATABASE_URL_FILE=" + file("url", "\ufeff"+db.URL()+"\r\n")
	env := []string{url, "DAFTAR_SECRET_KEY_FILE=" + file("key", "\ufeff"+secretKey+"\r\n")}
	app := newShop(t, env).app
	for name, content := range unreadable(secretKey) {
		r := call(t, []string{url, "DAFTAR_SECRET_KEY_FILE=" + file(name, content)}, "org", "create", "--name", "x")
		if r.code != 2 || !strings.Contains(r.errors, "DAFTAR_SECRET_KEY_FILE: the text ") ||
			!strings.Contains(r.errors, "UTF-16") || strings.Contains(r.errors, secretKey[:8]) {
			t.Errorf("%s: exit %d, %s", name, r.code, r.errors)
		}
	}

	settings := `{"token":"t","webhook_key":"k","iban":"LY68099001000000000012345","merchant_name":"SHOP"}`
	env = append(env, "DAFTAR_LYPAY_URL=https://lypay.example")
	setting := []string{"acquirer", "set", "lypay", "--app", app, "--settings-stdin"}
	for name, input := range unreadable(settings) {
		r := callWith(t, env, input, setting...)
		if r.code != 2 || !strings.Contains(r.errors, "--settings-stdin") || !strings.Contains(r.errors, "UTF-16") {
			t.Errorf("%s: exit %d, %s", name, r.code, r.errors)
		}
	}
	if r := callWith(t, env, "\ufeff"+settings+"\r\n", setting...); r.code != 0 {
		t.Errorf("exit %d, %s", r.code, r.errors)
	}
}
