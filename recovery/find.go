package recovery

import (
	"context"
	"fmt"
	"sort"

	"daftar/eventstore"
	"daftar/transparency"
	"daftar/webhooks"
)

// Copy is the log, or the end of it, in another system.
type Copy interface {
	// Extent returns the positions of the first and the last event that it has. Where it has
	// none, first is after last, and last is how many events it has had.
	Extent(ctx context.Context) (first, last int64, err error)
	// ReadRange reads all events after one position up to another, within the extent.
	ReadRange(ctx context.Context, after, upTo int64) ([]eventstore.Recorded, error)
}

// Evidence is what was kept outside of the database.
type Evidence struct {
	Kept     []transparency.Kept
	Keys     []string // trusted for Kept; none: those of the database
	Copy     Copy     // nil: none
	Received []webhooks.Notice
	Progress func(done, total int64) // called while the copy is read; may be nil
}

// Span is positions from one to another, both included.
type Span struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Count is how many positions there are.
func (s Span) Count() int64 { return s.To - s.From + 1 }

// Report is what Find found.
type Report struct {
	OK      bool  `json:"ok"`
	Events  int64 `json:"events"`     // in the log
	SameTo  int64 `json:"same_up_to"` // the evidence proves that the log is the same up to here; 0: nothing
	Signed  int64 `json:"signed"`     // events in the largest checkpoint; 0: none was given
	CopyHas *Span `json:"copy"`       // positions of the copy's events
	// Differs has the first position at which the log has another event than was acknowledged;
	// the evidence shows only that it is within this span.
	Differs *Span `json:"differs"`
	// Missing are acknowledged positions whose events the log does not have.
	Missing *Span `json:"missing"`
	// Unknown are the parts of Missing that the copy does not have either.
	Unknown []Span `json:"unknown"`
	// Lost are the lost events that are known, by their positions; then those that only
	// webhooks show.
	Lost []Lost `json:"lost"`
}

// Find checks the log against the evidence. Errors are those of the database, the copy and the
// checkpoints (transparency.Agree).
func Find(ctx context.Context, q eventstore.Querier, e Evidence) (Report, error) {
	s := &search{log: eventstore.NewReader(q), evidence: e}
	if err := s.find(ctx, q); err != nil {
		return Report{}, fmt.Errorf("look for missing events: %w", err)
	}
	return s.report, nil
}

type search struct {
	log      *eventstore.Reader
	evidence Evidence
	report   Report

	first, last int64                 // of the copy
	lost        []eventstore.Recorded // its events that the log does not have
}

func (s *search) find(ctx context.Context, q eventstore.Querier) error {
	s.report = Report{Unknown: []Span{}, Lost: []Lost{}}
	// The extent of the copy is read before that of the log: both may grow meanwhile.
	var err error
	if s.evidence.Copy != nil {
		if s.first, s.last, err = s.evidence.Copy.Extent(ctx); err != nil {
			return err
		}
	}
	if s.report.Events, err = s.log.Head(ctx); err != nil {
		return err
	}
	signed, err := transparency.Agree(ctx, q, s.evidence.Kept, s.evidence.Keys)
	if err != nil {
		return err
	}
	s.applyCheckpoints(signed)
	if s.evidence.Copy != nil {
		if err := s.compare(ctx); err != nil {
			return err
		}
	}
	if err := s.describe(ctx, q); err != nil {
		return err
	}
	s.report.OK = s.report.Missing == nil && s.report.Differs == nil && len(s.report.Lost) == 0
	return nil
}

// applyCheckpoints fills the report with what the checkpoints prove.
func (s *search) applyCheckpoints(a transparency.Agreement) {
	r := &s.report
	r.Signed, r.SameTo = a.Signed, a.Contained
	if a.Differs > 0 {
		r.Differs = &Span{a.Contained + 1, a.Differs}
		s.setMissing(a.Contained+1, a.Signed)
		return
	}
	s.setMissing(r.Events+1, a.Signed)
}

func (s *search) setMissing(from, to int64) {
	s.report.Missing, s.report.Unknown = nil, []Span{}
	if from <= to {
		s.report.Missing = &Span{from, to}
		s.report.Unknown = []Span{{from, to}}
	}
}

// compare checks the log against the copy.
func (s *search) compare(ctx context.Context) error {
	r, first, last := &s.report, s.first, s.last
	if first <= last {
		r.CopyHas = &Span{first, last}
	}
	same, err := s.sameUpTo(ctx, first, min(last, r.Events))
	switch {
	case err != nil:
		return err
	case r.Differs != nil && same >= r.Differs.To:
		return nil // the copy is of the present log, not of the one that was signed
	case same < min(last, r.Events):
		from := same + 1
		if from == first { // the difference may begin before the copy does
			from = min(r.SameTo+1, first)
		}
		r.Differs = &Span{from, same + 1}
		s.setMissing(from, max(last, r.Signed))
	case r.Differs != nil:
		r.Differs.From = max(r.Differs.From, same+1)
		s.setMissing(r.Differs.From, r.Signed)
	default:
		s.setMissing(r.Events+1, max(last, r.Signed))
	}
	if same >= first {
		r.SameTo = max(r.SameTo, same)
	}
	return s.readLost(ctx, max(first, same+1), last)
}

// sameUpTo is the last position from first to last at which the copy has the log's event;
// first-1 where there is none. It searches by halves: once two histories differ, every later
// event differs.
func (s *search) sameUpTo(ctx context.Context, first, last int64) (int64, error) {
	var err error
	n := sort.Search(int(max(last-first+1, 0)), func(n int) bool {
		if err != nil {
			return true
		}
		var same bool
		same, err = s.same(ctx, first+int64(n))
		return !same
	})
	return first + int64(n) - 1, err
}

func (s *search) same(ctx context.Context, position int64) (bool, error) {
	ours, err := s.log.ReadRange(ctx, position-1, position, 1)
	if err != nil {
		return false, err
	}
	theirs, err := s.evidence.Copy.ReadRange(ctx, position-1, position)
	if err != nil {
		return false, err
	}
	return len(ours) == 1 && len(theirs) == 1 && ours[0].Equal(theirs[0]), nil
}

// readAtOnce is how many events of the copy are read at once.
const readAtOnce = 1000

// readLost reads the events that the copy has and the log does not have.
func (s *search) readLost(ctx context.Context, from, last int64) error {
	for at := from - 1; at < last; {
		upTo := min(at+readAtOnce, last)
		events, err := s.evidence.Copy.ReadRange(ctx, at, upTo)
		if err != nil {
			return err
		}
		s.lost = append(s.lost, events...)
		at = upTo
		if s.evidence.Progress != nil {
			s.evidence.Progress(at-from+1, last-from+1)
		}
	}
	if s.report.Missing == nil || from > last {
		return nil
	}
	s.report.Unknown = []Span{}
	for _, span := range []Span{{s.report.Missing.From, from - 1}, {last + 1, s.report.Missing.To}} {
		if span.Count() > 0 {
			s.report.Unknown = append(s.report.Unknown, span)
		}
	}
	return nil
}
