package projections

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
	Refunds    Total // money that went back, of whatever was paid; taken off no other total
}

// Add adds other figures of the same currency.
func (f *Figures) Add(other Figures) {
	f.Succeeded.Count, f.Succeeded.Sum = f.Succeeded.Count+other.Succeeded.Count,
		f.Succeeded.Sum+other.Succeeded.Sum
	f.Late.Count, f.Late.Sum = f.Late.Count+other.Late.Count, f.Late.Sum+other.Late.Sum
	f.Canceled.Count, f.Canceled.Sum = f.Canceled.Count+other.Canceled.Count, f.Canceled.Sum+other.Canceled.Sum
	f.Duplicates.Count, f.Duplicates.Sum = f.Duplicates.Count+other.Duplicates.Count,
		f.Duplicates.Sum+other.Duplicates.Sum
	f.Refunds.Count, f.Refunds.Sum = f.Refunds.Count+other.Refunds.Count, f.Refunds.Sum+other.Refunds.Sum
}
