package sandbox

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/statements"
)

// Description is what the program knows of the acquirer.
var Description = acquirer.Description{
	Name:  Name,
	Label: locale.Text{Arabic: "جهة الدفع التجريبية", English: "Sandbox"},
	Lookup: locale.Text{
		Arabic:  "في دفاتر جهة الدفع التجريبية. لا تتحرك فيها أي أموال.",
		English: "In the books of the sandbox. No money moves there.",
	},
	Methods: []acquirer.MethodWords{
		{
			Method: Wallet,
			Mark:   acquirer.PhoneMark,
			Label:  locale.Text{Arabic: "المحفظة الإلكترونية", English: "Phone wallet"},
			Hint: locale.Text{
				Arabic:  "يصلك رمز في رسالة نصية",
				English: "You get a code by text message",
			},
		},
		{
			Method: Card,
			Mark:   acquirer.CardMark,
			Label:  locale.Text{Arabic: "بطاقة مصرفية محلية", English: "Local bank card"},
			Name:   locale.Text{Arabic: "بطاقة مصرفية", English: "Bank card"},
			Hint: locale.Text{
				Arabic:  "تنتقل إلى صفحة المصرف",
				English: "You go to the bank’s page",
			},
		},
	},
	// The names in its protocol: no acquirer documents a file.
	Statement: statements.Format{
		Unit:          statements.Dirhams,
		FinalRefusals: true,
		Columns: map[statements.Field][]string{
			statements.Reference: {"id"},
			statements.Number:    {"reference"},
			statements.Amount:    {"amount"},
			statements.Currency:  {"currency"},
			statements.Time:      {"takenat"},
			statements.Status:    {"state"},
		},
	},
}
