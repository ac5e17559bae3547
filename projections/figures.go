package projections

// Total is a number of payments and what they add up to, in minor units.
type Total struct{ Count, Sum int64 }

func (t *Total) add(count, amount int64) {
	t.Count += count
	t.Sum += count * amount
}

func (t *Total) addTotal(other Total) {
	t.Count += other.Count
	t.Sum += other.Sum
}

// Figures are the turnover of some applications in some time, in one currency.
type Figures struct {
	Succeeded  Total // intents paid, in time or late
	Late       Total // of them, those paid after they were canceled
	Canceled   Total // intents canceled and not paid since
	Duplicates Total // payments of intents that were paid already; in no other total
	Refunds    Total // money refunded, of all that was paid; subtracted from no other total
}

// Add adds other figures of the same currency.
func (f *Figures) Add(other Figures) {
	f.Succeeded.addTotal(other.Succeeded)
	f.Late.addTotal(other.Late)
	f.Canceled.addTotal(other.Canceled)
	f.Duplicates.addTotal(other.Duplicates)
	f.Refunds.addTotal(other.Refunds)
}
