package eventstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// refuse makes the database fail each append with a SQLSTATE, until the returned function is called.
func refuse(t *testing.T, db *pgtest.DB, state string) (again func()) {
	t.Helper()
	admin := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	execute := func(sql string) {
		t.Helper()
		if _, err := admin.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	execute(`
		CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			RAISE EXCEPTION 'refused' USING ERRCODE = '` + state + `';
		END $$`)
	execute(`CREATE TRIGGER refused BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse()`)
	return func() { execute(`DROP TRIGGER refused ON events`) }
}

func write(t *testing.T, s *eventstore.Store) {
	t.Helper()
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"y"`)); err != nil {
		t.Fatal(err)
	}
}

// A write that the database refuses is remembered with its reason, until any server has written
// an event. Failures that a caller or concurrent transactions cause are no refusals.
func TestRefusedWrites(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s, other := open(t, db.Pool(t), db, eventstore.Options{}), open(t, db.Pool(t), db, eventstore.Options{})
	for state, named := range map[string]string{
		"53100": "its disk is full", "58030": "its files", "25006": "read-only", "42501": "a right is missing",
		"XX001": "XX001",
		"23514": "", "22003": "", "57014": "",
	} {
		again := refuse(t, db, state)
		if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"x"`)); err == nil {
			t.Fatalf("%s: appended", state)
		}
		err := s.CheckWritable(t.Context())
		if named == "" && err != nil || named != "" && (!errors.Is(err, eventstore.ErrRefused) ||
			!strings.Contains(err.Error(), named) || !strings.Contains(err.Error(), state)) {
			t.Errorf("after %s: %v", state, err)
		}
		if err := other.CheckWritable(t.Context()); err != nil {
			t.Errorf("after %s, a server that has appended nothing: %v", state, err)
		}
		again()
		if state == "53100" {
			// What follows within the error of the clock does not count: the next event does.
			pgtest.WaitFor(t, "an event of another server to count", func() bool {
				write(t, other)
				return s.CheckWritable(t.Context()) == nil
			})
			continue
		}
		write(t, s)
		if err := s.CheckWritable(t.Context()); err != nil {
			t.Errorf("after %s and an event that was written: %v", state, err)
		}
	}
}
