package postgres

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/jackc/pgx/v5/pgproto3"
)

// However the network splits the messages, all of them arrive up to the warning, and nothing
// after it.
func TestReadingStopsAtTheWarning(t *testing.T) {
	t.Parallel()
	encode := func(all ...pgproto3.BackendMessage) (b []byte) {
		for _, m := range all {
			var err error
			if b, err = m.Encode(b); err != nil {
				t.Fatal(err)
			}
		}
		return b
	}
	warning := &pgproto3.NoticeResponse{
		SeverityUnlocalized: "WARNING", Code: "01000",
		Message: "canceling wait for synchronous replication",
	}
	begin := encode(
		warning, // before the session begins, as of a collation
		&pgproto3.ReadyForQuery{TxStatus: 'I'},
		&pgproto3.EmptyQueryResponse{},
		&pgproto3.DataRow{Values: [][]byte{bytes.Repeat([]byte{'N'}, 5000)}},
		&pgproto3.NoticeResponse{SeverityUnlocalized: "NOTICE", Code: "01000"},
		&pgproto3.NoticeResponse{
			SeverityUnlocalized: "WARNING", Code: "01000", Routine: "vacuum_is_permitted_for_relation",
		},
		&pgproto3.NoticeResponse{SeverityUnlocalized: "WARNING", Code: "01007"},
		&pgproto3.NoticeResponse{SeverityUnlocalized: "WARNING", Code: "25P01"})
	for name, doubt := range map[string]*pgproto3.NoticeResponse{
		"unnamed":  warning,
		"canceled": {SeverityUnlocalized: "WARNING", Code: "01000", Routine: "SyncRepWaitForLSN"},
		"ended":    {SeverityUnlocalized: "WARNING", Code: "57P01"},
	} {
		all := append(bytes.Clone(begin), encode(doubt)...)
		whole := len(all) - 1
		all = append(all, encode(
			&pgproto3.CommandComplete{CommandTag: []byte("COMMIT")},
			&pgproto3.ReadyForQuery{TxStatus: 'I'})...)
		for how, from := range map[string]io.Reader{
			"at once":        bytes.NewReader(all),
			"byte by byte":   iotest.OneByteReader(bytes.NewReader(all)),
			"half by half":   iotest.HalfReader(bytes.NewReader(all)),
			"with its error": iotest.DataErrReader(bytes.NewReader(all)),
		} {
			got, err := io.ReadAll(&doubtReader{from: from})
			if !bytes.Equal(got, all[:whole]) || Classify(err) != Unavailable {
				t.Errorf("%s, %s: %d bytes and %v, want %d and that it is unavailable",
					name, how, len(got), err, whole)
			}
		}
	}
	got, err := io.ReadAll(&doubtReader{from: bytes.NewReader(begin)})
	if !bytes.Equal(got, begin) || err != nil {
		t.Errorf("other warnings: %d of %d bytes, %v", len(got), len(begin), err)
	}
}

func TestDurabilityVerdicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version int
		commit  string
		want    string // "": passes
	}{
		{150000, "on", ""},
		{170002, "local", ""},
		{160001, "remote_apply", ""},
		{140012, "on", "PostgreSQL 14 is older than 15"},
		{150018, "off", "synchronous_commit is off"},
	} {
		err := durability{c.version, "on", "on", c.commit}.check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("version %d, synchronous_commit %s: %v, want %q", c.version, c.commit, err, c.want)
		}
	}
}
