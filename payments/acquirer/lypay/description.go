package lypay

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay/numo"
	"daftar/payments/acquirer/statements"
)

// Description is what the program knows of the acquirer.
var Description = acquirer.Description{
	Name:  Name,
	Label: locale.Text{Arabic: "لي باي", English: "LYPay"},
	About: locale.Text{
		Arabic:  "تحويل من تطبيق المصرف بمسح رمز.",
		English: "Transfers from the app of a bank, by scanning a code.",
	},
	Lookup: locale.Text{
		Arabic: "في كشف حساب المتجر لدى مصرفه، بين الحوالات الواردة. المرجع الذي أرسلناه " +
			"يظهر في البيان.",
		English: "In the statement of the shop’s bank account, among the transfers that " +
			"came in. The reference that we sent is in the description.",
	},
	Methods: []acquirer.MethodWords{
		{
			Method: Method,
			Mark:   acquirer.CodeMark,
			Label:  locale.Text{Arabic: "لي باي", English: "LYPay"},
			Hint: locale.Text{
				Arabic:  "من تطبيق مصرفك، بمسح رمز QR",
				English: "In your bank’s app, by scanning a code",
			},
		},
	},
	Variables: []acquirer.Variable{
		{
			Name:    "DAFTAR_LYPAY_URL",
			Meaning: "the address of LYPay at the sponsor bank; not set: LYPay is not offered",
		},
	},
	Settings: accountSettings,
	// The names in its protocol: no acquirer documents a file.
	Statement: statements.Format{
		Unit:            statements.Dirhams,
		ReferenceLength: referenceLength,
		Columns: map[statements.Field][]string{
			statements.Reference: {"internalmerchantreference", "referencelabel", "billnumber"},
			statements.Number:    {"paymentreference", "rrn", "rnn"},
			statements.Amount:    {"creditoramount", "amount"},
			statements.Currency:  {"currency"},
			statements.Time:      {"transactiondatetime", "timestamp", "transactiontimestamp"},
			statements.Status:    {"status"},
			statements.Type:      {"transactiontype"},
		},
	},
	Open: open,
}

var accountSettings = []acquirer.Setting{
	{
		Name: "token", Secret: true,
		Label: locale.Text{Arabic: "رمز واجهة المصرف", English: "Token of the bank’s API"},
		Hint: locale.Text{
			Arabic:  "يعطيك إياه المصرف، بلا مسافات. له تاريخ انتهاء، فاستبدله قبله.",
			English: "From the bank, without spaces. It has an expiry date: replace it before.",
		},
	},
	{
		Name: "webhook_key", Secret: true,
		Label: locale.Text{Arabic: "مفتاح الإشعارات", English: "Key of the notifications"},
		Hint: locale.Text{
			Arabic:  "السر الذي يوقّع به المصرف إشعاراته.",
			English: "The secret with which the bank signs its notifications.",
		},
	},
	{
		Name:  "iban",
		Label: locale.Text{Arabic: "رقم الحساب الدولي (IBAN)", English: "IBAN"},
		Hint: locale.Text{
			Arabic:  "الحساب الذي تصله الأموال: LY ثم 23 رقمًا. راجع كل رقم.",
			English: "The account that is paid: LY and 23 digits. Make sure of each digit.",
		},
	},
	{
		Name:  "merchant_name",
		Label: locale.Text{Arabic: "اسم المتجر", English: "Name of the shop"},
		Hint: locale.Text{
			Arabic:  "يراه الدافع في تطبيقه: من 1 إلى 25 حرفًا لاتينيًا.",
			English: "Payers see it in their app: 1 to 25 Latin characters.",
		},
	},
	{
		Name: "merchant_city", Optional: true,
		Label: locale.Text{Arabic: "المدينة", English: "City"},
		Hint: locale.Text{
			Arabic:  "من 1 إلى 15 حرفًا لاتينيًا. إن تُركت فارغة كُتب TRIPOLI.",
			English: "1 to 15 Latin characters. Left empty, TRIPOLI is written.",
		},
	},
	{
		Name: "bank_code", Optional: true,
		Label: locale.Text{Arabic: "رمز المصرف", English: "Code of the bank"},
		Hint: locale.Text{
			Arabic:  "ثلاثة أرقام، إن طلبه المصرف.",
			English: "Three digits, where the bank asks for it.",
		},
	},
	{
		Name: "bank_name", Optional: true,
		Label: locale.Text{Arabic: "اسم المصرف", English: "Name of the bank"},
		Hint: locale.Text{
			Arabic:  "من 1 إلى 25 حرفًا لاتينيًا، مع رمز المصرف.",
			English: "1 to 25 Latin characters, together with the code of the bank.",
		},
	},
	{
		Name: "crc", Optional: true, Choices: []string{string(numo.EMV), string(numo.App)},
		Label: locale.Text{Arabic: "طريقة حساب المجموع", English: "How the checksum is computed"},
		Hint: locale.Text{
			Arabic:  "جرّب الأخرى إن لم يقرأ تطبيق المصرف الرمز.",
			English: "Try the other one if the bank’s app does not read the code.",
		},
	},
	{
		Name: "omit_tag_51", Optional: true, Flag: true,
		Label: locale.Text{Arabic: "احذف الحقل 51 من الرمز", English: "Leave field 51 out of the code"},
		Hint: locale.Text{
			Arabic:  "إن تعثّر به تطبيق المصرف.",
			English: "If the bank’s app stumbles over it.",
		},
	},
}

func open(at acquirer.Addresses) (acquirer.Provider, error) {
	return New(Config{URL: at["DAFTAR_LYPAY_URL"]})
}
