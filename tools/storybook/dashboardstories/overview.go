package dashboardstories

import (
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments"
	"daftar/payments/decisions"
	"daftar/projections"
	"daftar/requestlog"
)

func overviewStories() []Story {
	applications, rows := paymentRows()
	today := domain.DayOf(now)
	figures := projections.Turnover{}
	for n, minor := range []int64{
		15_204_000, 9_870_500, 12_400_000, 0, 14_022_250, 16_900_000, 11_050_000, 18_420_750,
	} {
		if minor == 0 {
			continue
		}
		figures.Days = append(figures.Days, projections.DayFigures{
			Day: today.Add(n - view.OverviewDays), Currency: domain.LYD,
			Figures: projections.Figures{Succeeded: projections.Total{Count: minor / 128_000, Sum: minor}},
		})
	}
	overview := func(change func(*view.Overview)) view.Overview {
		p := view.Overview{
			Applications: applications, Today: today, Rows: rows[:5],
			Days: view.DaysOf(figures, domain.LYD, today.Add(-view.OverviewDays), today),
			Failing: view.FailingMethods([]payments.Health{
				{Acquirer: "moamalat", Method: "moamalat", Paid: 9, Failed: 25},
				{Acquirer: "lypay", Method: "lypay", Paid: 31},
			}),
		}
		change(&p)
		return p
	}
	stopped := ownerIdentity
	stopped.Stopped = 1
	alone := ownerIdentity
	alone.ToDecide = 0
	lately := now.Add(-20 * time.Second)
	steps := view.Steps{
		{Name: view.StepApplication, Path: "applications/new"}, {Name: view.StepAcquirer}, {Name: view.StepBrand},
		{Name: view.StepInvitation, Done: true}, {Name: view.StepLink},
	}
	nothing := view.DaysOf(projections.Turnover{}, domain.LYD, today.Add(-view.OverviewDays), today)
	return []Story{
		{"overview", inside(view.SectionOverview, overview(func(*view.Overview) {})).seenBy(stopped)},
		{"overview-test", inside(view.SectionOverview, overview(func(*view.Overview) {})).inTest()},
		{"overview-finance", inside(view.SectionOverview, overview(func(p *view.Overview) {
			p.AsOf, p.Failing = &lately, nil
			p.Open = []decisions.Exception{
				{
					Kind: projections.KindLate, Amount: rows[3].Amount, Since: now.Add(-29 * time.Hour),
					MerchantReference: rows[3].MerchantReference,
				},
				{
					Kind: projections.KindDuplicate, Amount: rows[5].Amount, Since: now.Add(-5 * time.Hour),
					MerchantReference: rows[5].MerchantReference,
				},
			}
		})).seenBy(financeIdentity)},
		{"overview-support", inside(view.SectionOverview, overview(func(p *view.Overview) {
			p.Days = nil
		})).seenBy(supportIdentity)},
		{"overview-developer", inside(view.SectionOverview, overview(func(p *view.Overview) {
			p.Endpoints = []string{applications[1].Name}
			failed := func(class, count int) view.FailedRequests {
				return view.FailedRequests{Name: applications[0].Name, Failed: requestlog.Failed{
					Application: applications[0].ID, Class: class, Count: count,
				}}
			}
			p.Requests = []view.FailedRequests{failed(5, 2), failed(4, 37)}
		})).seenBy(developerIdentity)},
		{"overview-viewer", inside(view.SectionOverview, overview(func(*view.Overview) {})).seenBy(viewerIdentity)},
		{"overview-quiet", inside(view.SectionOverview, overview(func(p *view.Overview) {
			p.Failing, p.Days = nil, nothing
		})).seenBy(alone)},
		{"overview-new", inside(view.SectionOverview, view.Overview{
			Today: today, Days: nothing, Steps: steps,
		}).seenBy(alone)},
		{"overview-opened", inside(view.SectionOverview, view.Overview{
			Today: today, Days: nothing, Steps: view.Steps{
				{Name: view.StepApplication, Done: true},
				{Name: view.StepBrand, Path: "applications/x/brand"},
				{Name: view.StepInvitation, Path: "people/invite"},
				{Name: view.StepLink, Path: "links/new"},
			},
		}).seenBy(alone).testOnly().after("opened")},
	}
}
