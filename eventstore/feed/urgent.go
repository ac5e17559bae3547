package feed

import (
	"bytes"

	"daftar/eventstore"
)

// Nothing is the Urgent of a group that can always wait.
func Nothing(eventstore.Recorded) bool { return false }

// byApplication is how the metadata of an event begins that a merchant's program has caused.
var byApplication = []byte(`{"actor":"application:`)

// Application names the application whose program has caused an event; false: something else has caused
// it. It decodes nothing, and so recognizes only what this version writes: that is enough to decide what
// is urgent.
func Application(e eventstore.Recorded) (id []byte, is bool) {
	if id, is = bytes.CutPrefix(e.Metadata, byApplication); is {
		id, _, is = bytes.Cut(id, []byte{'"'})
	}
	return id, is
}

// byTime is how the metadata of an event begins that only the time has caused.
var byTime = []byte(`{"actor":"system:`)

// ByPeople is the Urgent of a group whose effects people wait for: payers, acquirers and members. It is false
// for what merchants' programs and the time have caused.
func ByPeople(e eventstore.Recorded) bool {
	_, byProgram := Application(e)
	return !byProgram && !ByTime(e)
}

// ByTime reports whether only the time has caused an event.
func ByTime(e eventstore.Recorded) bool { return bytes.HasPrefix(e.Metadata, byTime) }
