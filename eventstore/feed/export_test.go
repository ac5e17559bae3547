package feed

import (
	"time"

	"daftar/eventstore"
)

// AppendFrame is how the memory writes an event.
var AppendFrame = appendFrame

// Memory is a recent end of a log, for tests.
type Memory struct{ recent }

// Keep adds events, After looks for what follows a position.
func (m *Memory) Keep(events []eventstore.Recorded) { m.keep(events) }

// After gives the positions of what it finds.
func (m *Memory) After(position int64, limit int) (positions []int64, more bool, err error) {
	frames, last, more := m.after(position, limit)
	events, err := cut(frames)
	for _, e := range events {
		positions = append(positions, e.Position)
	}
	if len(positions) > 0 && positions[len(positions)-1] != last {
		panic("the last position is another")
	}
	return positions, more, err
}

// Slot is when one of several groups looks next under load, which looked at a
// moment and may not look again before another.
func Slot(number, groups int, gap time.Duration, looked, earliest time.Time) time.Time {
	g := group{number: number, config: Config{Groups: make([]Group, groups), Gap: gap}, looked: looked}
	return g.slot(earliest)
}
