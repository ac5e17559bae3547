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
	create := func(org, role, input string, more ...string) run {
		args := []string{
			"user", "create", "--org", org, "--email", "Salma@Shop.example", "--role", role,
			"--password-stdin", "--json",
		}
		return callWith(t, env, input, append(args, more...)...)
	}
	type shown struct {
		User struct {
			UUID, Email, Role, Invitation string
			Existed                       bool
		}
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
	if owner.User.Email != "Salma@shop.example" || owner.User.Role != "owner" || owner.User.UUID == "" ||
		owner.User.Existed || owner.User.Invitation != "" {
		t.Errorf("created %+v", owner)
	}
	// The existence of an account does not prove the operator's right to it: the operator is shown
	// the organisations that have it, and the person has to accept.
	r := create(second, "viewer", "\n")
	if r.code != 1 || r.out != "" || !strings.Contains(r.errors, `in "First" (owner, `+first) ||
		!strings.Contains(r.errors, "--existing") {
		t.Errorf("in a second organisation: exit %d, %s%s", r.code, r.out, r.errors)
	}
	r = create(second, "viewer", "\n", "--existing")
	again := read(r)
	if again.User.UUID != owner.User.UUID || again.User.Role != "viewer" || !again.User.Existed ||
		!strings.Contains(r.errors, `in "First"`) {
		t.Errorf("in a second organisation: %+v, %s", again, r.errors)
	}
	link := again.User.Invitation
	if !strings.HasPrefix(link, "http://127.0.0.1:8080/dashboard/invitations/") || len(link) < 80 {
		t.Errorf("the link is %q", link)
	}
	type listed struct {
		Users []struct{ UUID, Email, Role string }
	}
	if list := answer[listed](t, env, "user", "list", "--org", second); len(list.Users) != 0 {
		t.Errorf("the second organisation has %+v before anybody accepted", list)
	}
	list := answer[listed](t, env, "user", "list", "--org", first)
	if len(list.Users) != 1 || list.Users[0].UUID != owner.User.UUID || list.Users[0].Role != "owner" {
		t.Errorf("listed %+v", list)
	}
	for _, role := range []string{"developer", "finance", "support", "viewer"} {
		r := callWith(t, env, password, "user", "create", "--org", first,
			"--email", role+"@shop.example", "--role", role, "--password-stdin", "--json")
		if got := read(r); got.User.Role != role {
			t.Errorf("created %+v, want the role %s", got, role)
		}
	}
	for what, row := range map[string]struct {
		got  run
		code int
		says string
	}{
		"twice": {create(first, "owner", password), 1, "already a member"},
		"no role": {create(first, "king", password), 2,
			`"king" is none of the roles owner, developer, finance, support, viewer`},
		"no organisation": {create("7", "owner", password), 2, "--org"},
		"unknown": {create("7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b", "owner", password, "--existing"), 1,
			"no such organisation"},
		"list of unknown": {call(t, env, "user", "list", "--org", "7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b"), 1,
			"no such organisation"},
		"no password flag": {call(t, env, "user", "create", "--org", first, "--email", "x@y", "--role", "owner"), 2,
			"password-stdin"},
		"common password": {
			callWith(t, env, "password1", "user", "set-password", "salma@shop.example", "--password-stdin"),
			2, "common",
		},
		"set password": {
			callWith(t, env, "سوق الجمعة 2026\n", "user", "set-password", "salma@shop.example", "--password-stdin"),
			0, "",
		},
		"unknown user": {
			callWith(t, env, password, "user", "set-password", "nobody@shop.example", "--password-stdin"),
			1, "no such user",
		},
		"no second factor": {call(t, env, "user", "reset-second-factor", "salma@shop.example"), 1,
			"no second factor"},
	} {
		if row.got.code != row.code || !strings.Contains(row.got.errors, row.says) ||
			strings.Contains(row.got.out+row.got.errors, password) {
			t.Errorf("%s: exit %d, want %d and %q: %s%s",
				what, row.got.code, row.code, row.says, row.got.out, row.got.errors)
		}
	}
	var operators int
	err := db.Pool(t).QueryRow(t.Context(), `
		SELECT count(*)
		FROM audit_records
		WHERE actor LIKE 'operator:%'
		AND action IN ('user.create', 'invitation.create', 'password.set')`).Scan(&operators)
	if err != nil || operators != 7 {
		t.Errorf("%d records name the operator, %v; want 7", operators, err)
	}
}
