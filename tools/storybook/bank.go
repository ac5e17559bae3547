package storybook

import (
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer/sandbox/bank"
)

// bankGroup has all pages of the test bank: each view, and the one after a form without a
// button.
func bankGroup() Group {
	open := bank.Page{
		Figures:     domain.Money{Minor: 1_234_500, Currency: domain.LYD}.Figures(),
		Description: "طلب رقم 1042: آلة قهوة", Number: "A7K3QX0M2TD", Path: "/bank/story",
		ReturnURL: "https://pay.example/pay/story",
	}
	missed := open
	missed.Missed = true
	page := func(name, view, arabic, english string, shown bank.Page) Page {
		shown.View = view
		return Page{
			Name: name, When: locale.Text{Arabic: arabic, English: english}, State: view,
			render: func(l locale.Lang, _ string) ([]byte, error) {
				inLanguage := shown
				inLanguage.Language = l.String()
				return inLanguage.Render()
			},
		}
	}
	return Group{
		Folder: "bank", Who: locale.Text{
			Arabic: "الزبون في مصرف التجربة", English: "The customer at the test bank",
		},
		What: locale.Text{Arabic: "يقرّر كيف ينتهي الدفع", English: "decides how the payment ends"},
		Pages: []Page{
			page("choose", "choose", "يصل الزبون إلى صفحة المصرف.", "The payer comes to the bank’s page.", open),
			page("choose-missed", "choose", "أُرسل النموذج دون الضغط على زر.",
				"The form was sent without a button.", missed),
			page("paid", "paid", "دُفع المبلغ.", "The amount was paid.", open),
			page("declined", "declined", "رُفض الدفع.", "The payment was declined.", open),
			page("left", "left", "غادر الزبون دون دفع.", "The payer left without paying.", open),
			page("not-found", "not-found", "لا دفع بهذا العنوان.",
				"There is no payment at this address.", bank.Page{}),
		},
	}
}
