package view

import (
	"daftar/books"
	"daftar/internal/locale"
)

// bookTexts are the texts about the books.
type bookTexts struct {
	Title, Intro, Link, BadMonth, Print, Table             string
	Account, Before, Change, After, Sum                    string
	None, NoneHint, Signs, Months, MonthBefore, MonthAfter string
	From, To                                               string
	Names                                                  map[books.Account]string
}

func bookTextsIn(say locale.Say) bookTexts {
	return bookTexts{
		Title: say("الدفاتر", "Books"), Link: say("الدفاتر والأرصدة", "Books and balances"),
		Intro: say("أين المال: ما عند جهات الدفع، وما وصل إلى المصرف، وما اقتُطع. تُحسب الأرصدة من أحداث السجل وحدها.",
			"Where the money is: with the payment providers, in the bank, or kept as fees. "+
				"The balances are computed from the ledger’s events alone."),
		BadMonth: say("اكتب الشهر مثل 2026-10.", "Write the month like 2026-10."),
		Print:    say("اطبع أو احفظ PDF", "Print or save as PDF"),
		Table:    say("أرصدة الحسابات", "Balances of the accounts"),
		Account:  say("الحساب", "Account"), Before: say("رصيد أول المدة", "Opening balance"),
		Change: say("الحركة", "Change"), After: say("رصيد آخر المدة", "Closing balance"),
		Sum: say("المجموع", "Total"), From: say("من", "From"), To: say("إلى", "to"),
		None:     say("لا أموال في الدفاتر حتى نهاية هذا الشهر.", "No money is in the books up to the end of this month."),
		NoneHint: say("يظهر كل حساب بعد أول دفعة.", "Each account appears after the first payment."),
		Signs: say("المدين موجب والدائن سالب، ومجموع الحسابات كلها صفر.",
			"Debits are positive and credits negative; all accounts add up to zero."),
		Months: say("الأشهر", "Months"), MonthBefore: say("الشهر السابق", "Previous month"),
		MonthAfter: say("الشهر التالي", "Next month"),
		Names: map[books.Account]string{
			books.Due:         say("مستحق من", "Due from"),
			books.Bank:        say("المصرف", "Bank"),
			books.Late:        say("للزبائن: دُفع متأخرًا", "Owed to customers: paid late"),
			books.Duplicate:   say("للزبائن: دُفع مرتين", "Owed to customers: paid twice"),
			books.Sales:       say("المبيعات", "Sales"),
			books.Refunds:     say("مبالغ مردودة", "Refunds"),
			books.Fees:        say("عمولات", "Fees of"),
			books.Differences: say("فروق", "Differences"),
		},
	}
}
