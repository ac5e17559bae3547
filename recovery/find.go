package recovery

import (
	"context"
	"fmt"
	"sort"

	"daftar/eventstore"
	"daftar/transparency"
	"daftar/webhooks"
)

// Copy is the log, or the end of it, as another system has it.
type Copy interface {
	// Extent are the positions of the first and the last event that it has; first is behind
	// last where it has none, and last is how many it has had.
	Extent(ctx context.Context) (first, last int64, err error)
	// ReadRange reads all events after one position up to another, within the extent.
	ReadRange(ctx context.Context, after, upTo int64) ([]eventstore.Recorded, error)
}

// Evidence is what was kept outside of the database.
type Evidence struct {
	Kept     []transparency.Kept
	Keys     []string // that count for Kept; none: those that the database names
	Copy     Copy     // nil: none
	Received []webhooks.Notice
	Progress func(done, total int64) // of reading the copy; nil: not told
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
	SameTo  int64 `json:"same_up_to"` // up to here the evidence has the same events as the log; 0: it does not reach there
	Signed  int64 `json:"signed"`     // how many events there were by the largest checkpoint; 0: none was given
	CopyHas *Span `json:"copy"`       // positions of the copy's events
	// Differs: at the first position or between the two, the log begins to have other events
	// than were acknowledged there.
	Differs *Span `json:"differs"`
	// Missing are acknowledged positions whose events the log has not.
	Missing *Span `json:"missing"`
	// Unknown are those of them whose events the copy does not have.
	Unknown []Span `json:"unknown"`
	// Lost are the events that are known, by their positions; then those of which only
	// webhooks tell.
	Lost []Lost `json:"lost"`
}

// Find holds the log to the evidence. Errors are those of the database, the copy and the
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
	lost        []eventstore.Recorded // its events that the log has not
}

func (s *search) find(ctx context.Context, q eventstore.Querier) error {
	s.report = Report{Unknown: []Span{}, Lost: []Lost{}}
	// The evidence comes before the log, which may grow meanwhile, and the evidence with it.
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
	s.agree(signed)
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

// agree takes down what checkpoints say.
func (s *search) agree(a transparency.Agreement) {
	r := &s.report
	r.Signed, r.SameTo = a.Signed, a.Contained
	if a.Differs > 0 {
		r.Differs = &Span{a.Contained + 1, a.Differs}
		s.missing(a.Contained+1, a.Signed)
		return
	}
	s.missing(r.Events+1, a.Signed)
}

func (s *search) missing(from, to int64) {
	s.report.Missing, s.report.Unknown = nil, []Span{}
	if from <= to {
		s.report.Missing = &Span{from, to}
		s.report.Unknown = []Span{{from, to}}
	}
}

// compare holds the copy to the log.
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
		return nil // the copy is of the log as it is, and not of what was signed
	case same < min(last, r.Events):
		from := same + 1
		if from == first { // it may have begun before
			from = min(r.SameTo+1, first)
		}
		r.Differs = &Span{from, same + 1}
		s.missing(from, max(last, r.Signed))
	case r.Differs != nil:
		r.Differs.From = max(r.Differs.From, same+1)
		s.missing(r.Differs.From, r.Signed)
	default:
		s.missing(r.Events+1, max(last, r.Signed))
	}
	if same >= first {
		r.SameTo = max(r.SameTo, same)
	}
	return s.read(ctx, max(first, same+1), last)
}

// sameUpTo is the last position at which the copy has the log's event, of those from one
// to another: the one before the first where it has none. Once two histories differ,
// every later event does.
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

// read reads the events that the copy has and the log has not.
func (s *search) read(ctx context.Context, from, last int64) error {
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
