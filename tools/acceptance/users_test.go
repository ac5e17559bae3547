package acceptance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

func TestUsers(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey}
	type created struct{ Organization struct{ UUID string } }
	first := answer[created](t, env, "org", "create", "--name", "First").Organization.UUID
	second := answer[created](t, env, "org", "create", "--name", "Second").Organization.UUID
	create := func(org, role, input string) run {
		return callWith(t, env, input, "user", "create", "--org", org, "--email", "Salma@Shop.example", "--role", role, "--password-stdin", "--json")
	}
	type shown struct {
		User struct{ UUID, Email, Role string }
	}
	const password = "باب البحر 1978"
	read := func(r run) (v shown) {
		t.Helper()
		if err := json.Unmarshal([]byte(r.out), &v); r.code != 0 || err != nil {
			t.Fatalf("exit %d: %s%s", r.code, r.out, r.errors)
		}
		return v
	}
	owner := read(create(first, "owner", password+"\r\n"))
	if owner.User.Email != "Salma@shop.example" || owner.User.Role != "owner" || owner.User.UUID == "" {
		t.Errorf("created %+v", owner)
	}
	r := create(second, "viewer", "\n")
	if again := read(r); again.User.UUID != owner.User.UUID || again.User.Role != "viewer" || !strings.Contains(r.errors, "password stays") {
		t.Errorf("in a second organisation: %+v, %s", again, r.errors)
	}
	list := answer[struct {
		Users []struct{ UUID, Email, Role string }
	}](t, env, "user", "list", "--org", second)
	if len(list.Users) != 1 || list.Users[0].UUID != owner.User.UUID || list.Users[0].Role != "viewer" {
		t.Errorf("listed %+v", list)
	}
	for what, row := range map[string]struct {
		got  run
		code int
		says string
	}{
		"twice":            {create(first, "owner", password), 1, "already a member"},
		"no role":          {create(first, "king", password), 2, "king"},
		"no organisation":  {create("7", "owner", password), 2, "--org"},
		"unknown":          {create("7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b", "owner", password), 1, "no such organisation"},
		"list of unknown":  {call(t, env, "user", "list", "--org", "7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b"), 1, "no such organisation"},
		"no password flag": {call(t, env, "user", "create", "--org", first, "--email", "x@y", "--role", "owner"), 2, "password-stdin"},
		"common password":  {callWith(t, env, "password1", "user", "set-password", "salma@shop.example", "--password-stdin"), 2, "common"},
		"set password":     {callWith(t, env, "سوق الجمعة 2026\n", "user", "set-password", "salma@shop.example", "--password-stdin"), 0, ""},
		"of nobody":        {callWith(t, env, password, "user", "set-password", "nobody@shop.example", "--password-stdin"), 1, "no such user"},
		"no second factor": {call(t, env, "user", "reset-second-factor", "salma@shop.example"), 1, "no second factor"},
	} {
		if row.got.code != row.code || !strings.Contains(row.got.errors, row.says) || strings.Contains(row.got.out+row.got.errors, password) {
			t.Errorf("%s: exit %d, want %d and %q: %s%s", what, row.got.code, row.code, row.says, row.got.out, row.got.errors)
		}
	}
	var operators int
	err := db.Pool(t).QueryRow(t.Context(), `SELECT count(*) FROM audit_records WHERE actor LIKE 'operator:%' AND action IN ('user.create', 'member.add', 'password.set')`).Scan(&operators)
	if err != nil || operators != 4 { // the password is in the trails of both organisations
		t.Errorf("%d records name the operator, %v; want 4", operators, err)
	}
}
