package view

import (
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/projections"
	"daftar/webhooks"
)

// storyPayments are the applications of the stories, and some of their payments.
func storyPayments() ([]accounts.Application, []PaymentRow) {
	shop, market, _ := storyCredentials()
	applications := []accounts.Application{shop.Application, market.Application}
	customer := "customer-118"
	row := func(n byte, reference, order, what string, minor int64, s domain.Status, ago time.Duration) PaymentRow {
		at := storyTime.Add(-ago)
		return PaymentRow{Application: shop.Name, Payment: projections.Payment{Intent: projections.Intent{
			ID: domain.IntentID(storyUUID(n)), Application: shop.ID, Version: 2, Reference: domain.Reference(reference),
			MerchantReference: domain.MerchantReference(order), Amount: domain.Money{Minor: minor, Currency: domain.LYD}, Status: s,
			Description: what, CreatedAt: at, UpdatedAt: at.Add(2 * time.Minute), ExpiresAt: at.Add(24 * time.Hour), CheckoutPath: "/pay/x/y",
		}}}
	}
	rows := []PaymentRow{
		row(51, "7k3qx0m2td", "order-1042", "طلب رقم 1042: آلة قهوة", 1_234_500, domain.StatusSucceeded, 3*time.Minute),
		row(52, "p0v9c4h1ze", "sub-881", "اشتراك شهري", 45_000, domain.StatusProcessing, 10*time.Minute),
		row(53, "x2d7n5b8qa", "order-1041", "Cold brew, 6 bottles", 78_250, domain.StatusRequiresPaymentMethod, 41*time.Minute),
		row(54, "m4r8t2y6wa", "order-1039", "قهوتان", 9_000, domain.StatusSucceeded, 11*time.Hour),
		row(55, "d1f7g3k9xq", "order-1036", "طلب رقم 1036", 250_000, domain.StatusCanceled, 27*time.Hour),
		row(56, "h5j2w9s4cn", "a-very-long-reference-of-the-merchants-own-system-2026-11-18-000000001036", "كيك بالتمر والجوز، ثلاث قطع، مع توصيل إلى حي الأندلس قبل الساعة الثامنة مساءً", 96_000, domain.StatusSucceeded, 50*time.Hour),
	}
	rows[0].CustomerID, rows[3].Late, rows[5].Duplicates = &customer, true, 1
	rows[2].Application = market.Name
	return applications, rows
}

func paymentStories() []story {
	applications, rows := storyPayments()
	figures := Tiles{Today: domain.Money{Minor: 18_420_750, Currency: domain.LYD}, Paid: 143, Open: 27, Decide: 2}
	list := func(change func(*PaymentList)) PaymentList {
		p := PaymentList{Applications: applications, Tiles: figures, Rows: rows, Older: "payments?at=b2xkZXI"}
		change(&p)
		return p
	}
	stopped := storyTime.Add(-90 * 24 * time.Hour)
	quiet := Tiles{Today: domain.Money{Currency: domain.LYD}}
	return []story{
		{"payments", inside(SectionPayments, list(func(*PaymentList) {}))},
		{"payments-viewer", inside(SectionPayments, list(func(p *PaymentList) {
			p.Applications, p.Newer, p.Tiles.Decide, p.Tiles.Open = applications[:1], "payments?at=bmV3ZXI", 0, MaxCounted
		})).seenBy(storyViewer)},
		{"payments-filtered", inside(SectionPayments, list(func(p *PaymentList) {
			p.Form = PaymentsForm{Status: string(domain.StatusSucceeded), From: "2026-11-01", Min: "5", Max: "2,000.500"}
			p.Rows = rows[:1]
		}))},
		{"payments-wrong", inside(SectionPayments, list(func(p *PaymentList) {
			p.Form = PaymentsForm{From: "2026-11-20", To: "2026-11-01", Min: "خمسة"}
			_, p.FormErrors = p.Form.Filter(applications)
			p.Rows, p.Older = nil, ""
		}))},
		{"payments-partial", inside(SectionPayments, list(func(p *PaymentList) {
			p.Form = PaymentsForm{Min: "900000"}
			p.Rows, p.SearchedTo, p.GoOn = nil, &stopped, p.Older
		}))},
		{"payments-found", inside(SectionPayments, list(func(p *PaymentList) {
			p.Searched, p.Form.Search, p.Rows, p.Older = true, "ORDER-1042", []PaymentRow{rows[0]}, ""
			p.Rows[0].By = projections.MatchedMerchantReference
		}))},
		{"payments-not-found", inside(SectionPayments, list(func(p *PaymentList) {
			p.Searched, p.Form.Search, p.Rows, p.Older = true, "order 1042", nil, ""
		}))},
		{"payments-none-so", inside(SectionPayments, list(func(p *PaymentList) {
			p.Form.Status, p.Rows, p.Older = statusLate, nil, ""
		}))},
		{"payments-none", inside(SectionPayments, list(func(p *PaymentList) { p.Rows, p.Older, p.Tiles = nil, "", quiet }))},
		{"payment", inside(SectionPayments, storyPaid(applications, rows[0]))},
		{"payment-late", inside(SectionPayments, storyLate(applications, rows[3]))},
		{"payment-viewer", inside(SectionPayments, storyLate(applications, rows[3])).seenBy(storyViewer)},
		{"payment-waiting", inside(SectionPayments, PaymentPage{
			PaymentRow: rows[2], Applications: applications, History: storyHistory(applications[1], rows[2])[:1],
		})},
	}
}

// storyHistory is a payment's life: created, an attempt that failed, and one that
// was paid in time.
func storyHistory(a accounts.Application, r PaymentRow, more ...domain.Event) []HistoryEntry {
	at := func(d time.Duration) time.Time { return r.CreatedAt.Add(d) }
	first, second := domain.AttemptID("A0K3M9X2Q7T5W8Z1B4C6D0E2F3"), domain.AttemptID("B7N4P1R8V5Y2A9C6E3G0H7J4K1")
	events := append([]domain.Event{
		domain.Created{
			At: at(0), Application: a.ID, MerchantReference: r.MerchantReference, Reference: r.Reference, Amount: r.Amount,
			Description: r.Description, ExpiresAt: r.ExpiresAt,
		},
		domain.AttemptStarted{At: at(40 * time.Second), Attempt: first, Acquirer: "sandbox", Method: "wallet", Payer: "091•••5678"},
		domain.AttemptFailed{At: at(75 * time.Second), Attempt: first, Reason: "insufficient_funds"},
		domain.AttemptStarted{At: at(90 * time.Second), Attempt: second, Acquirer: "sandbox", Method: "card"},
	}, more...)
	if len(more) == 0 {
		events = append(events, domain.Succeeded{At: at(2 * time.Minute), Attempt: second, Amount: r.Amount, ProviderReference: "SBX-99120034"})
	}
	actors := map[int]string{0: "application:" + a.ID.String(), 1: "payer", 3: "payer"}
	i := domain.Blank(r.ID)
	all := make([]HistoryEntry, len(events))
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
		all[n] = HistoryEntry{Event: e, Before: before, After: i, Version: n + 1, Position: 81_220 + int64(n*n), Actor: actor}
	}
	return all
}

func storyPaid(applications []accounts.Application, r PaymentRow) PaymentPage {
	back := "https://maydan.example/orders/1042/thanks"
	r.ReturnURL = &back
	r.Metadata = domain.Metadata{{Key: "cart", Value: "c-20931"}, {Key: "branch", Value: "فرع الميدان"}}
	p := PaymentPage{PaymentRow: r, Applications: applications, History: storyHistory(applications[0], r)}
	p.Attempts = p.History[len(p.History)-1].After.Attempts
	p.Deliveries = storyDeliveries(r)[:2]
	return p
}

func storyLate(applications []accounts.Application, r PaymentRow) PaymentPage {
	second := domain.AttemptID("B7N4P1R8V5Y2A9C6E3G0H7J4K1")
	p := PaymentPage{PaymentRow: r, Applications: applications}
	p.History = storyHistory(applications[0], r,
		domain.AttemptFailed{At: r.CreatedAt.Add(5 * time.Minute), Attempt: second, Reason: "settled_by_operator"},
		domain.Expired{At: r.ExpiresAt},
		domain.LateSucceeded{At: r.ExpiresAt.Add(9 * time.Minute), Attempt: second, Amount: r.Amount, ProviderReference: "SBX-99120777"},
	)
	p.History[4].Actor, p.History[4].Note = "operator:salem", "اتصلنا بالمصرف: لم تُسحب أي أموال."
	p.Attempts = p.History[len(p.History)-1].After.Attempts
	p.Exceptions = []projections.Exception{{Intent: r.ID, Version: 7, Kind: projections.KindLate, Amount: r.Amount}}
	return p
}

// storyDeliveries are webhooks about a payment: one that arrived after a failure,
// one that never did and one that is held.
func storyDeliveries(r PaymentRow) []DeliveryRow {
	ok, broken := 204, 503
	next := storyTime.Add(30 * time.Minute)
	try := func(n int, status *int, kind, answer string) webhooks.Try {
		return webhooks.Try{
			Attempt: n, At: storyTime.Add(-time.Hour + time.Duration(n)*time.Minute), Duration: time.Duration(80*n) * time.Millisecond,
			Status: status, Error: kind, Answer: answer,
		}
	}
	row := func(n byte, event, state string, last *int, tries ...webhooks.Try) DeliveryRow {
		return DeliveryRow{Application: r.Application, Tries: tries, Delivery: webhooks.Delivery{
			ID: webhooks.DeliveryID(storyUUID(n)), Event: event, Application: r.Intent.Application, State: state, Attempts: len(tries),
			LastStatus: last, Intent: &r.ID, Sequence: int(n - 70), OccurredAt: r.CreatedAt, Cursor: int64(n),
		}}
	}
	pending := row(73, webhooks.TypeProcessing, webhooks.StatePending, nil, try(1, nil, "timeout", ""))
	pending.NextAttemptAt = &next
	return []DeliveryRow{
		row(75, webhooks.TypeSucceeded, webhooks.StateDelivered, &ok, try(1, &broken, "status", "<html><h1>503 Service Unavailable</h1></html>"), try(2, &ok, "", "")),
		pending,
		row(74, webhooks.TypePaymentFailed, webhooks.StateFailed, &broken, try(10, &broken, "status", "upstream connect error")),
		row(71, webhooks.TypeCreated, webhooks.StateHeld, nil),
	}
}

func moneyStories() []story {
	applications, rows := storyPayments()
	today := projections.DayOf(storyTime)
	span := func(s Span, every int) MoneyPage {
		from, to := s.days(today)
		var t projections.Turnover
		n := int64(0)
		for day := from; !to.Before(day); day = day.Add(1) {
			if n++; n%int64(every) == 0 {
				continue
			}
			f := projections.Figures{Succeeded: projections.Total{Count: 40 + n*7%60, Sum: 4_200_000 + n*n*91_000%9_700_000}}
			if n%5 == 0 {
				f.Late = projections.Total{Count: 2, Sum: f.Succeeded.Sum / 6}
				f.Canceled = projections.Total{Count: 3, Sum: 90_000}
			}
			if n%13 == 0 {
				f.Duplicates = projections.Total{Count: 1, Sum: 45_000}
			}
			t.Days = append(t.Days, projections.DayFigures{Day: day, Currency: domain.LYD, Figures: f})
			if len(t.Totals) == 0 {
				t.Totals = []projections.CurrencyFigures{{Currency: domain.LYD}}
			}
			t.Totals[0].Add(f)
		}
		return MoneyPage{
			Form: MoneyForm{Span: s, From: from.String(), To: to.String()}, Applications: applications, From: from, To: to, Charts: ChartsOf(t, from, to),
		}
	}
	none := span(spanWeek, 1)
	wrong := MoneyPage{Form: MoneyForm{From: "2025-01-01", To: "2026-11-20"}, Applications: applications}
	wrong.From, wrong.To, _, wrong.FormErrors = wrong.Form.Read(applications, today)
	late := ExceptionRow{
		Exception: projections.Exception{
			Intent: rows[3].ID, Version: 7, Application: applications[0].ID, Kind: projections.KindLate, Attempt: "B7N4P1R8V5Y2A9C6E3G0H7J4K1",
			Amount: rows[3].Amount, Since: storyTime.Add(-5 * time.Hour), Reference: rows[3].Reference, MerchantReference: rows[3].MerchantReference,
		},
		Application: applications[0].Name, Paid: domain.Attempt{ID: "B7N4P1R8V5Y2A9C6E3G0H7J4K1", Acquirer: "sandbox", Method: "card"}, ProviderReference: "SBX-99120777",
	}
	double := late
	double.Intent, double.Kind, double.Amount, double.Reference, double.MerchantReference = rows[5].ID, projections.KindDuplicate, rows[5].Amount, rows[5].Reference, rows[5].MerchantReference
	double.Paid.Method, double.Paid.Payer = "wallet", "091•••5678"
	decided := double
	decided.Decision = &projections.Decision{At: storyTime.Add(-26 * time.Hour), By: "owner@maydan.example", Note: "رُدّ المبلغ إلى محفظة الزبون، رقم العملية 55120."}
	open := DecisionsPage{Open: []ExceptionRow{late, double}, Total: 2, Decided: []ExceptionRow{decided}}
	missing := DecisionsPage{Open: []ExceptionRow{late}, Total: 1}
	missing.FormErrors = FormErrors{{late.Field(), func(t *Texts) string { return t.Decisions.NoteMissing }}}
	return []story{
		{"money", inside(SectionMoney, span(SpanMonth, 9))},
		{"money-week", inside(SectionMoney, span(spanWeek, 4)).seenBy(storyViewer)},
		{"money-quarter", inside(SectionMoney, span(spanQuarter, 11))},
		{"money-none", inside(SectionMoney, none)},
		{"money-wrong", inside(SectionMoney, wrong)},
		{"decisions", inside(SectionDecisions, open)},
		{"decisions-missing-note", inside(SectionDecisions, missing)},
		{"decisions-viewer", inside(SectionDecisions, open).seenBy(storyViewer)},
		{"decisions-none", inside(SectionDecisions, DecisionsPage{})},
	}
}

func webhookStories() []story {
	applications, rows := storyPayments()
	ok, broken := 204, 503
	since, arrived := storyTime.Add(-6*24*time.Hour), storyTime.Add(-7*time.Minute)
	fine := EndpointCard{Application: applications[0], LastSuccess: &arrived, Endpoint: webhooks.Endpoint{
		URL: applications[0].WebhookURL, Last: &webhooks.Try{Attempt: 1, At: arrived, Status: &ok}, Delivered: true,
	}}
	stopped := EndpointCard{Application: applications[1], Endpoint: webhooks.Endpoint{
		URL: applications[1].WebhookURL, Failures: 34, FailingSince: &since, DisabledAt: &storyTime,
		Last: &webhooks.Try{Attempt: 10, At: storyTime.Add(-time.Hour), Status: &broken, Error: "status"},
	}}
	list := func(change func(*WebhooksPage)) WebhooksPage {
		p := WebhooksPage{Applications: applications, Cards: []EndpointCard{fine, stopped}, Rows: storyDeliveries(rows[0]), Older: "webhooks?before=71"}
		change(&p)
		return p
	}
	test := storyDeliveries(rows[0])[0]
	test.Event, test.Intent, test.Sequence = webhooks.TypeTest, nil, 0
	return []story{
		{"webhooks", inside(SectionWebhooks, list(func(*WebhooksPage) {}))},
		{"webhooks-viewer", inside(SectionWebhooks, list(func(p *WebhooksPage) { p.Form.Before = 75 })).seenBy(storyViewer)},
		{"webhooks-replayed", inside(SectionWebhooks, list(func(p *WebhooksPage) { p.Due = "1042" })).after("webhooks-replayed")},
		{"webhooks-wrong", inside(SectionWebhooks, list(func(p *WebhooksPage) {
			p.Cards[1].Since = "2027-01-01T10:00"
			p.FormErrors = FormErrors{{p.Cards[1].Field(), func(t *Texts) string { return t.Webhooks.SinceAhead }}}
		}))},
		{"webhooks-partial", inside(SectionWebhooks, list(func(p *WebhooksPage) { p.Form.State, p.Rows, p.Partial = webhooks.StateFailed, nil, true }))},
		{"webhooks-none", inside(SectionWebhooks, WebhooksPage{})},
		{"webhook-delivery", inside(SectionWebhooks, DeliveryPage{storyDeliveries(rows[0])[0]}).after("webhook-resent")},
		{"webhook-delivery-failed", inside(SectionWebhooks, DeliveryPage{storyDeliveries(rows[0])[2]}).seenBy(storyViewer)},
		{"webhook-delivery-test", inside(SectionWebhooks, DeliveryPage{test})},
	}
}
