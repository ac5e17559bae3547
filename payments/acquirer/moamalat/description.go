package moamalat

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/statements"
)

// Description is what the program knows of the acquirer.
var Description = acquirer.Description{
	Name:  Name,
	Label: locale.Text{Arabic: "معاملات", English: "Moamalat"},
	About: locale.Text{
		Arabic:  "بطاقات مصرفية، في نموذج يظهر في صفحة الدفع.",
		English: "Bank cards, in a form on the payment page.",
	},
	Lookup: locale.Text{
		Arabic: "في بوابة التاجر لدى معاملات أو في كشفها. مرجع التاجر (MerchantReference) " +
			"هو ما أرسلناه.",
		English: "In Moamalat’s merchant portal, or in its statement. The merchant " +
			"reference (MerchantReference) is what we sent.",
	},
	Methods: []acquirer.MethodWords{
		{
			Method: Method,
			Mark:   acquirer.CardMark,
			Label:  locale.Text{Arabic: "بطاقة مصرفية عبر معاملات", English: "Bank card with Moamalat"},
			Name:   locale.Text{Arabic: "بطاقة مصرفية", English: "Bank card"},
			Hint: locale.Text{
				Arabic:  "تُدخل بطاقتك في نموذج معاملات",
				English: "You fill in Moamalat’s form",
			},
		},
	},
	Variables: []acquirer.Variable{
		{
			Name: "DAFTAR_MOAMALAT_URL", Default: defaultURL,
			Meaning: "the base address of Moamalat's API; empty: Moamalat is not offered",
		},
		{
			Name: "DAFTAR_MOAMALAT_LIGHTBOX_URL",
			Meaning: "the address of Moamalat's payment form; not set: port 6006 of Moamalat's own address, " +
				"otherwise `DAFTAR_MOAMALAT_URL`",
		},
	},
	Settings: accountSettings,
	// The names in its protocol: no acquirer documents a file.
	Statement: statements.Format{
		Unit: statements.Dirhams,
		Columns: map[statements.Field][]string{
			statements.Reference: {"merchantreference"},
			statements.Number:    {"transactionid", "systemreference", "rrn", "networkreference"},
			statements.Amount:    {"amounttrxn", "amount"},
			statements.Currency:  {"currency"},
			statements.Time:      {"txndatetime", "datetimelocaltrxn", "txndate"},
			statements.Status:    {"status"},
			statements.Type:      {"transtype", "txntype"},
		},
	},
	Open: open,
}

var accountSettings = []acquirer.Setting{
	{
		Name:  "merchant_id",
		Label: locale.Text{Arabic: "رقم التاجر (MID)", English: "Merchant ID (MID)"},
		Hint: locale.Text{
			Arabic:  "من رسالة المصرف: من 1 إلى 18 رقمًا أو حرفًا لاتينيًا.",
			English: "From the bank’s letter: 1 to 18 digits or Latin letters.",
		},
	},
	{
		Name:  "terminal_id",
		Label: locale.Text{Arabic: "رقم الطرفية (TID)", English: "Terminal ID (TID)"},
		Hint: locale.Text{
			Arabic:  "من رسالة المصرف: من 1 إلى 8 أرقام أو حروف لاتينية.",
			English: "From the bank’s letter: 1 to 8 digits or Latin letters.",
		},
	},
	{
		Name: "secure_key", Secret: true,
		Label: locale.Text{Arabic: "مفتاح الطرفية السري", English: "Secure key of the terminal"},
		Hint: locale.Text{
			Arabic:  "يوقّع الطلبات: أرقام وحروف من A إلى F.",
			English: "It signs requests: digits and the letters A to F.",
		},
	},
	{
		Name: "notification_key", Secret: true,
		Label: locale.Text{Arabic: "مفتاح خدمة الإشعارات", English: "Key of the notification service"},
		Hint: locale.Text{
			Arabic:  "غير مفتاح الطرفية: أرقام وحروف من A إلى F.",
			English: "Another than the terminal’s: digits and the letters A to F.",
		},
	},
}

// defaultURL is the gateway's own address.
const defaultURL = "https://npg.moamalat.net"

func open(at acquirer.Addresses) (acquirer.Provider, error) {
	c := Config{URL: at["DAFTAR_MOAMALAT_URL"], LightboxURL: at["DAFTAR_MOAMALAT_LIGHTBOX_URL"]}
	if c.URL == defaultURL && c.LightboxURL == "" {
		c.LightboxURL = defaultURL + ":6006" // the form has another port there
	}
	return New(c)
}
