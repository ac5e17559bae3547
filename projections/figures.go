package projections

import "bytes"

// Total is a number of payments and what they add up to, in minor units.
type Total struct{ Count, Sum int64 }

func (t *Total) add(count, amount int64) {
	t.Count += count
	t.Sum += count * amount
}

// Figures are the turnover of some applications in some time, in one currency.
type Figures struct {
	Succeeded  Total // intents paid, in time or late
	Late       Total // of them, those paid after they were canceled
	Canceled   Total // intents canceled and not paid since
	Duplicates Total // payments of intents that were paid already; in no other total
}

// Add adds other figures of the same currency.
func (f *Figures) Add(other Figures) {
	f.Succeeded.Count, f.Succeeded.Sum = f.Succeeded.Count+other.Succeeded.Count, f.Succeeded.Sum+other.Succeeded.Sum
	f.Late.Count, f.Late.Sum = f.Late.Count+other.Late.Count, f.Late.Sum+other.Late.Sum
	f.Canceled.Count, f.Canceled.Sum = f.Canceled.Count+other.Canceled.Count, f.Canceled.Sum+other.Canceled.Sum
	f.Duplicates.Count, f.Duplicates.Sum = f.Duplicates.Count+other.Duplicates.Count, f.Duplicates.Sum+other.Duplicates.Sum
}

// place is the key of a row of turnover.
type place struct {
	application [16]byte
	day         Day
	currency    string
}

func (p place) compare(other place) int {
	switch {
	case p.application != other.application:
		return bytes.Compare(p.application[:], other.application[:])
	case p.day.Before(other.day):
		return -1
	case other.day.Before(p.day):
		return 1
	case p.currency < other.currency:
		return -1
	case p.currency > other.currency:
		return 1
	}
	return 0
}

// sums are figures by the row that they belong to.
type sums map[place]Figures

func (s sums) add(at place, f Figures) {
	all := s[at]
	all.Add(f)
	s[at] = all
}

// count adds what an intent contributes to the turnover, n times: 1 for what it
// has become, -1 for what it was before. A late payment so takes its intent off
// the day on which it was canceled.
func (s sums) count(e *entry, n int64) {
	var f Figures
	switch e.state {
	case stateOpen:
	case stateSucceeded:
		f.Succeeded.add(n, e.amount)
		if e.late {
			f.Late.add(n, e.amount)
		}
		s.add(place{e.application, DayOf(*e.succeededAt), e.currency}, f)
	case stateCanceled:
		f.Canceled.add(n, e.amount)
		s.add(place{e.application, DayOf(*e.canceledAt), e.currency}, f)
	}
}

// countDuplicate adds money that came a second time, n times, on the day it came.
func (s sums) countDuplicate(x exception, n int64) {
	if x.kind == KindDuplicate {
		var f Figures
		f.Duplicates.add(n, x.amount)
		s.add(place{x.application, DayOf(x.since), x.currency}, f)
	}
}
