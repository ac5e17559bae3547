package dashboardstories

import (
	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
)

func linkStories() []Story {
	applications, rows := paymentRows()
	form := func(of ...accounts.Application) view.LinkForm {
		return view.LinkForm{Number: "1", Applications: of}
	}
	wrong := form(applications...)
	wrong.Amount, wrong.Description, wrong.Expiry = "خمسة", "قهوة مختصة، نصف كيلو", "week"
	_, wrong.FormErrors = wrong.Read(now)
	wrong.FormErrors = append(wrong.FormErrors, view.LinkReferenceUsed...)
	open := view.LinkPage{
		PaymentRow: rows[2],
		URL:        "https://pay.example/pay/7f1da76d-7966-58fa-9919-49431b0b030e/mex99pzc4av6ctr4qmzd4w6yyc",
	}
	open.QR, _ = layout.QR(open.URL, view.LinkLabel(locale.Arabic)) // of a text that fits
	paid := view.LinkPage{PaymentRow: rows[0]}
	paid.Status = domain.StatusSucceeded
	return []Story{
		{"link-new", inside(view.SectionPayments, form(applications...))},
		{"link-new-one", inside(view.SectionPayments, form(applications[0]))},
		{"link-new-wrong", inside(view.SectionPayments, wrong)},
		{"link-new-none", inside(view.SectionPayments, form())},
		{"link", inside(view.SectionPayments, open)},
		{"link-paid", inside(view.SectionPayments, paid)},
	}
}
