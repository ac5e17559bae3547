package dashboardstories

import (
	"time"

	"daftar/dashboard/view"
	"daftar/payments"
)

func methodStories() []Story {
	ago := func(d time.Duration) *time.Time { return new(now.Add(-d)) }
	busy := view.MethodsPage{Methods: []payments.Health{
		{
			Acquirer: "lypay", Method: "lypay", Paid: 212, Failed: 9, Open: 4, ToPay: 41 * time.Second,
			LastAnswer: ago(time.Minute),
		},
		{
			Acquirer: "moamalat", Method: "moamalat", Paid: 11, Failed: 30, Unknown: 12, Aside: 1,
			ToPay: 95 * time.Second, LastAnswer: ago(3 * time.Hour),
		},
		{
			Acquirer: "plutu", Method: "adfali", Paid: 1043, Failed: 188, Open: 17, Unknown: 2,
			ToPay: 28 * time.Second, LastAnswer: ago(20 * time.Second),
		},
		{Acquirer: "plutu", Method: "sadad", Unknown: 3},
	}}
	return []Story{
		{"methods", inside(view.SectionMoney, busy)},
		{"methods-none", inside(view.SectionMoney, view.MethodsPage{}).seenBy(viewerIdentity)},
	}
}
