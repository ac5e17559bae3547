package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"daftar/eventstore"
)

// Recording is a part of a log that was exported as lines, in memory: at least one event, and
// their positions have no gap.
type Recording []eventstore.Recorded

// ReadRecording reads lines. Errors name the line, or are the reader's.
func ReadRecording(r io.Reader) (Recording, error) {
	var all Recording
	from := bufio.NewReader(r)
	for number := 1; ; number++ {
		text, err := from.ReadBytes('\n')
		if len(text) > 0 {
			e, wrong := Parse(text)
			if wrong == nil && len(all) > 0 && e.Position != all[len(all)-1].Position+1 {
				wrong = fmt.Errorf("position %d follows %d", e.Position, all[len(all)-1].Position)
			}
			if wrong != nil {
				return nil, fmt.Errorf("line %d: %w", number, wrong)
			}
			all = append(all, e)
		}
		switch {
		case errors.Is(err, io.EOF) && len(all) == 0:
			return nil, errors.New("there are no events in it")
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
	}
}

// Extent are the positions of the first and the last event.
func (r Recording) Extent(context.Context) (first, last int64, err error) {
	return r[0].Position, r[len(r)-1].Position, nil
}

// ReadRange are the events after one position up to another, within Extent.
func (r Recording) ReadRange(_ context.Context, after, upTo int64) ([]eventstore.Recorded, error) {
	before := r[0].Position - 1
	return r[after-before : upTo-before], nil
}
