package feed

import "daftar/eventstore"

// MaxInterval bounds what a group with a share rests at a time.
const MaxInterval = maxInterval

// YieldMessage is in the log whenever a group rests for its share.
const YieldMessage = yieldMessage

// Memory is a recent end of a log, for tests.
type Memory struct{ recent }

// MaxRecentBytes bounds what a Memory keeps.
const MaxRecentBytes = maxRecentBytes

// Keep adds events, After looks for what follows a position.
func (m *Memory) Keep(events []eventstore.Recorded) { m.keep(events) }

// After gives the positions of what it finds.
func (m *Memory) After(position int64, limit int) (positions []int64, more bool) {
	events, more := m.after(position, limit)
	for _, e := range events {
		positions = append(positions, e.Position)
	}
	return positions, more
}
