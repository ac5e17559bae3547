package dashboardstories

import (
	"time"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/decisions"
	"daftar/payments/settlements"
	"daftar/projections"
)

// paymentRows are the applications of the stories, and some of their payments.
func paymentRows() ([]accounts.Application, []view.PaymentRow) {
	shop, market, _ := credentials()
	applications := []accounts.Application{shop.Application, market.Application}
	customer := "customer-118"
	row := func(n byte, reference, order, what string, minor int64, s domain.Status,
		ago time.Duration) view.PaymentRow {
		at := now.Add(-ago)
		return view.PaymentRow{Application: shop.Name, Payment: projections.Payment{Intent: projections.Intent{
			ID: domain.IntentID(fixedUUID(n)), Version: 2, Status: s, CheckoutPath: "/pay/x/y",
			CreatedAt: at, UpdatedAt: at.Add(2 * time.Minute), ExpiresAt: at.Add(24 * time.Hour),
			Terms: domain.Terms{
				Application: shop.ID, Reference: domain.Reference(reference),
				MerchantReference: domain.MerchantReference(order),
				Amount:            domain.Money{Minor: minor, Currency: domain.LYD}, Description: what,
			},
		}}}
	}
	rows := []view.PaymentRow{
		row(51, "7k3qx0m2td", "order-1042", "طلب رقم 1042: آلة قهوة", 1_234_500, domain.StatusSucceeded,
			3*time.Minute),
		row(52, "p0v9c4h1ze", "sub-881", "اشتراك شهري", 45_000, domain.StatusProcessing, 10*time.Minute),
		row(53, "x2d7n5b8qa", "order-1041", "Cold brew, 6 bottles", 78_250, domain.StatusRequiresPaymentMethod,
			41*time.Minute),
		row(54, "m4r8t2y6wa", "order-1039", "قهوتان", 9_000, domain.StatusSucceeded, 11*time.Hour),
		row(55, "d1f7g3k9xq", "order-1036", "طلب رقم 1036", 250_000, domain.StatusCanceled, 27*time.Hour),
		row(56, "h5j2w9s4cn", "a-very-long-reference-of-the-merchants-own-system-2026-11-18-000000001036",
			"كيك بالتمر والجوز، ثلاث قطع، مع توصيل إلى حي الأندلس قبل الساعة الثامنة مساءً", 96_000,
			domain.StatusSucceeded, 50*time.Hour),
	}
	rows[0].CustomerID, rows[3].Late, rows[5].Duplicates = &customer, true, 1
	rows[2].Application = market.Name
	return applications, rows
}

func paymentStories() []Story {
	applications, rows := paymentRows()
	figures := view.Tiles{
		Today: domain.Money{Minor: 18_420_750, Currency: domain.LYD}, Paid: 143, Open: 27, Decide: 2,
	}
	list := func(change func(*view.PaymentList)) view.PaymentList {
		p := view.PaymentList{
			Applications: applications, Tiles: figures, Rows: rows, Next: "payments?at=b2xkZXI",
			Today:  domain.DayOf(now),
			Counts: projections.Counts{Waiting: 27, Processing: 3, Succeeded: 48_201, Late: 12, Canceled: 3_940},
		}
		change(&p)
		return p
	}
	stopped, lately := now.Add(-90*24*time.Hour), now.Add(-20*time.Second)
	quiet := view.Tiles{Today: domain.Money{Currency: domain.LYD}}
	return []Story{
		{"payments", inside(view.SectionPayments, list(func(*view.PaymentList) {}))},
		{"payments-viewer", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Applications, p.Before, p.Tiles.Decide, p.Tiles.Open = applications[:1], "payments?at=bmV3ZXI", 0,
				view.MaxCounted
			p.Counts.Waiting, p.Counts.OpenAtLeast = view.MaxCounted, true
		})).seenBy(viewerIdentity)},
		{"payments-late", inside(view.SectionPayments, list(func(p *view.PaymentList) { p.AsOf = &lately }))},
		{"payments-filtered", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Form = view.PaymentsForm{
				Status: string(domain.StatusSucceeded), From: "2026-11-01", Min: "5", Max: "2,000.500",
			}
			p.Rows, p.Counts, p.Sortable, p.Next = rows[:1], projections.Counts{Succeeded: 1, Canceled: 2}, true, ""
			p.Views = savedViews()
		}))},
		{"payments-wrong", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Form = view.PaymentsForm{From: "2026-11-20", To: "2026-11-01", Min: "خمسة"}
			_, p.FormErrors = p.Form.Filter(applications)
			p.Rows, p.Next = nil, ""
		}))},
		{"payments-partial", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Form = view.PaymentsForm{Min: "900000"}
			p.Rows, p.SearchedTo, p.Continue = nil, &stopped, p.Next
			p.Counts = projections.Counts{AtLeast: true}
		}))},
		{"payments-found", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Form.Search, p.Rows, p.Next, p.Sortable = "ORDER-1042", []view.PaymentRow{rows[0]}, "", true
			p.Counts = projections.Counts{Succeeded: 1}
			p.Rows[0].By = projections.MatchedMerchantReference
		}))},
		{"payments-narrowed", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Form = view.PaymentsForm{
				Search: "25.500 5678", Status: "late", From: "2026-11-01",
				To: domain.DayOf(now).String(), Sort: "largest", Page: "2",
			}
			p.Sortable, p.Views, p.Counts = true, savedViews(),
				projections.Counts{Waiting: 1, Succeeded: 91, Late: 57, Canceled: 4}
			p.Before, p.Next = p.Form.PageLink(0), ""
		}))},
		{"payments-many", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Rows = manyRows(rows)
			p.Form.Search, p.Counts = "قهوة",
				projections.Counts{Waiting: 27, Processing: 1, Succeeded: 9_480, Late: 3, Canceled: 740, AtLeast: true}
		}))},
		{"payments-not-found", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Form.Search, p.Rows, p.Next, p.Counts, p.Sortable = "order 1042", nil, "", projections.Counts{}, true
		}))},
		{"payments-none-so", inside(view.SectionPayments, list(func(p *view.PaymentList) {
			p.Form.Status, p.Rows, p.Next, p.Counts.Late = "late", nil, "", 0
		}))},
		{"payments-none", inside(view.SectionPayments,
			view.PaymentList{Applications: applications, Tiles: quiet}).seenBy(viewerIdentity)},
	}
}

// manyRows are a page of payments: the given ones again and again.
func manyRows(rows []view.PaymentRow) (many []view.PaymentRow) {
	for n := range view.PaymentsOnPage {
		row := rows[n%len(rows)]
		row.ID = domain.IntentID(fixedUUID(byte(150 + n)))
		many = append(many, row)
	}
	return many
}

// onePaymentStories are the pages of one payment, and of saved views.
func onePaymentStories() []Story {
	applications, rows := paymentRows()
	return []Story{
		{"views", inside(view.SectionPayments, view.SavedViews{Views: savedViews(), Applications: applications})},
		{"views-new", inside(view.SectionPayments, view.SavedViews{
			Applications: applications, Name: "متأخرة هذا الشهر",
			New: view.PaymentsForm{
				Search: "25.500 5678", Status: "late",
				Application: applications[0].ID.String(), From: "2026-11-01", Sort: "largest",
			},
			FormErrors: view.FormError("name", func(t *view.Texts) string { return t.Views.NameTaken }),
		})},
		{"payment", inside(view.SectionPayments, paidPayment(applications, rows[0]))},
		{"payment-late", inside(view.SectionPayments, latePayment(applications, rows[3]))},
		{"payment-viewer", inside(view.SectionPayments, latePayment(applications, rows[3])).seenBy(viewerIdentity)},
		{"payment-support", inside(view.SectionPayments,
			discussedPayment(applications, rows[3])).seenBy(supportIdentity).after("noted")},
		{"payment-note-missing", inside(view.SectionPayments,
			wrongNote(discussedPayment(applications, rows[3]))).seenBy(financeIdentity)},
		{"payment-unknown", inside(view.SectionPayments,
			unknownPayment(applications, rows[1])).seenBy(financeIdentity)},
		{"payment-waiting", inside(view.SectionPayments, view.PaymentPage{
			PaymentRow: rows[2], Applications: applications, History: history(applications[1], rows[2])[:1],
		})},
	}
}

// savedViews are two views of the same person.
func savedViews() []settings.SavedView {
	return []settings.SavedView{
		{ID: fixedUUID(81), Name: "متأخرة هذا الشهر", Query: "from=2026-11-01&status=late"},
		{ID: fixedUUID(82), Name: "Large orders", Query: "min=1000&sort=largest"},
	}
}

// history is the history of a payment: created, a failed attempt, and one that was paid in time.
func history(a accounts.Application, r view.PaymentRow, more ...domain.Event) []view.HistoryEntry {
	at := func(d time.Duration) time.Time { return r.CreatedAt.Add(d) }
	first, second := domain.AttemptID("A0K3M9X2Q7T5W8Z1B4C6D0E2F3"),
		domain.AttemptID("B7N4P1R8V5Y2A9C6E3G0H7J4K1")
	events := append([]domain.Event{
		domain.Created{At: at(0), ExpiresAt: r.ExpiresAt, Terms: domain.Terms{
			Application: a.ID, MerchantReference: r.MerchantReference, Reference: r.Reference,
			Amount: r.Amount, Description: r.Description,
		}},
		domain.AttemptStarted{
			At: at(40 * time.Second), Attempt: first, Acquirer: "sandbox", Method: "wallet", Payer: "091•••5678",
		},
		domain.AttemptFailed{At: at(75 * time.Second), Attempt: first, Reason: "insufficient_funds"},
		domain.AttemptStarted{At: at(90 * time.Second), Attempt: second, Acquirer: "sandbox", Method: "card"},
	}, more...)
	if len(more) == 0 {
		events = append(events, domain.Succeeded{
			At: at(2 * time.Minute), Attempt: second, Amount: r.Amount, ProviderReference: "SBX-99120034",
		})
	}
	actors := map[int]string{0: "application:" + a.ID.String(), 1: "payer", 3: "payer"}
	i := domain.Blank(r.ID)
	all := make([]view.HistoryEntry, len(events))
	for n, e := range events {
		before := i
		i = domain.Evolve(i, e)
		actor, known := actors[n]
		if !known {
			actor = "acquirer:sandbox"
		}
		if _, expired := e.(domain.Expired); expired {
			actor = "system:expiry"
		}
		all[n] = view.HistoryEntry{
			Event: e, Before: before, After: i, Version: n + 1, Position: 81_220 + int64(n*n), Actor: actor,
		}
	}
	return all
}

func paidPayment(applications []accounts.Application, r view.PaymentRow) view.PaymentPage {
	back := "https://maydan.example/orders/1042/thanks"
	r.ReturnURL = &back
	r.Metadata = domain.Metadata{{Key: "cart", Value: "c-20931"}, {Key: "branch", Value: "فرع الميدان"}}
	p := view.PaymentPage{PaymentRow: r, Applications: applications, History: history(applications[0], r)}
	p.Attempts = p.History[len(p.History)-1].After.Attempts
	p.Deliveries = deliveries(r)[:2]
	p.Settlements = []settlements.Settlement{aSettlement([]view.PaymentRow{r, r, r})}
	return p
}

func latePayment(applications []accounts.Application, r view.PaymentRow) view.PaymentPage {
	second := domain.AttemptID("B7N4P1R8V5Y2A9C6E3G0H7J4K1")
	p := view.PaymentPage{PaymentRow: r, Applications: applications}
	p.History = history(applications[0], r,
		domain.AttemptFailed{At: r.CreatedAt.Add(5 * time.Minute), Attempt: second, Reason: "settled_by_operator"},
		domain.Expired{At: r.ExpiresAt},
		domain.LateSucceeded{
			At: r.ExpiresAt.Add(9 * time.Minute), Attempt: second, Amount: r.Amount,
			ProviderReference: "SBX-99120777",
		},
	)
	p.History[4].Actor, p.History[4].Note = "operator:salem", "اتصلنا بالمصرف: لم تُسحب أي أموال."
	p.Attempts = p.History[len(p.History)-1].After.Attempts
	p.Exceptions = []decisions.Exception{{
		Intent: r.ID, Version: 7, Kind: projections.KindLate, Amount: r.Amount,
	}}
	return p
}
