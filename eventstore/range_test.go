package eventstore_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

// Streams are chosen by what their first events name, whichever of the fields it is, and whatever else
// the payloads hold.
func TestRangeOfOwners(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	mine, ours, theirs := uuid.New(), uuid.New(), uuid.New()
	firsts := []string{
		fmt.Sprintf(`{"application":%q}`, mine),
		fmt.Sprintf(`{"application":%q}`, theirs),
		fmt.Sprintf(`{"organization":%q,"application":null}`, ours),
		fmt.Sprintf(`{"organization":%q}`, theirs),
		fmt.Sprintf(`{"application":%q,"text":"a\u0000b \\u0000 \" %s"}`, mine, mine),
		fmt.Sprintf(`{"application":%q,"text":"\u0000","metadata":{"application":%q}}`, theirs, mine),
		`[]`, `"text"`, fmt.Sprintf(`[%q]`, mine), fmt.Sprintf(`{"application":{"application":%q}}`, mine),
	}
	var streams []uuid.UUID
	for _, payload := range firsts {
		streams = append(streams, uuid.New())
		if _, err := s.Append(t.Context(), one(streams[len(streams)-1], 0, payload)); err != nil {
			t.Fatal(err)
		}
	}
	for _, stream := range streams {
		if _, err := s.Append(t.Context(), one(stream, 1, fmt.Sprintf(`{"application":%q}`, mine))); err != nil {
			t.Fatal(err)
		}
	}
	fields := []string{"application", "organization"}
	for _, row := range []struct {
		after, upTo int64
		fields      []string
		want        []int64
	}{
		{0, 100, fields, []int64{1, 3, 5, 11, 13, 15}},
		{1, 13, fields, []int64{3, 5, 11, 13}},
		{0, 100, fields[:1], []int64{1, 5, 11, 15}},
		{0, 100, fields[1:], []int64{3, 13}},
		{0, 100, nil, nil},
	} {
		read, err := s.ReadRangeStarted(t.Context(), row.after, row.upTo, row.fields, []uuid.UUID{mine, ours})
		var got []int64
		for _, e := range read {
			got = append(got, e.Position)
		}
		if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
			t.Errorf("after %d up to %d by %v: %v (-want +got):\n%s", row.after, row.upTo, row.fields, err, diff)
		}
	}
}
