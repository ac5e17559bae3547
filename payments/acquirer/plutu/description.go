package plutu

import (
	"strings"

	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/statements"
)

// Description is what the program knows of the acquirer.
var Description = acquirer.Description{
	Name:  Name,
	Label: locale.Text{Arabic: "بلوتو", English: "Plutu"},
	About: locale.Text{
		Arabic:  "ادفع لي وسداد وبطاقات مصرفية محلية وتي لينك، بحساب واحد.",
		English: "Adfali, Sadad, local bank cards and T-Lync, with one account.",
	},
	Lookup: locale.Text{
		Arabic: "في لوحة بلوتو، بين عملياتك، أو في كشفها. ما أرسلناه يظهر في invoice_no.",
		English: "In Plutu’s dashboard, among your transactions, or in its statement. The " +
			"invoice number (invoice_no) is what we sent.",
	},
	Methods: []acquirer.MethodWords{
		{
			Method: Adfali,
			Mark:   acquirer.PhoneMark,
			Label:  locale.Text{Arabic: "ادفع لي", English: "Adfali"},
			Hint: locale.Text{
				Arabic:  "لعملاء مصرف التجارة والتنمية",
				English: "For customers of BCD bank",
			},
		},
		{
			Method: Sadad,
			Mark:   acquirer.PhoneMark,
			Label:  locale.Text{Arabic: "سداد", English: "Sadad"},
			Hint: locale.Text{
				Arabic:  "لأرقام 091 و093",
				English: "For 091 and 093 numbers",
			},
		},
		{
			Method: Cards,
			Mark:   acquirer.CardMark,
			Label:  locale.Text{Arabic: "بطاقة مصرفية محلية", English: "Local bank card"},
			Name:   locale.Text{Arabic: "بطاقة مصرفية", English: "Bank card"},
			Hint: locale.Text{
				Arabic:  "تنتقل إلى صفحة المصرف",
				English: "You go to the bank’s page",
			},
		},
		{
			Method: TLync,
			Mark:   acquirer.PhoneMark,
			Label:  locale.Text{Arabic: "تي لينك", English: "T-Lync"},
			Hint: locale.Text{
				Arabic:  "محافظ وبطاقات في صفحة تي لينك",
				English: "Wallets and cards, on the T-Lync page",
			},
		},
	},
	Variables: []acquirer.Variable{
		{
			Name: "DAFTAR_PLUTU_URL", Default: "https://api.plutus.ly/api",
			Meaning: "the base address of Plutu's API; empty: Plutu is not offered",
		},
		{
			Name: "DAFTAR_PLUTU_PAGES", Servers: true,
			Meaning: "the servers of Plutu's pages, `https://HOST`, separated by commas; pages of other " +
				"servers are shown as a link. Not set: the server of `DAFTAR_PLUTU_URL`",
		},
	},
	Settings: accountSettings,
	// The names in its protocol: no acquirer documents a file.
	Statement: statements.Format{
		Unit:          statements.Dinars,
		FinalRefusals: true,
		Columns: map[statements.Field][]string{
			statements.Reference: {"invoiceno"},
			statements.Number:    {"transactionid"},
			statements.Amount:    {"amount"},
			statements.Status:    {"approved"},
		},
	},
	Open: open,
}

// The methods are not among them: forms ask for those of every acquirer in the same way.
var accountSettings = []acquirer.Setting{
	{
		Name: "api_key", Secret: true,
		Label: locale.Text{Arabic: "مفتاح API", English: "API key"},
		Hint: locale.Text{
			Arabic:  "من لوحة بلوتو، حروف وأرقام لاتينية بلا مسافات.",
			English: "From Plutu’s dashboard: Latin letters and digits without spaces.",
		},
	},
	{
		Name: "access_token", Secret: true,
		Label: locale.Text{Arabic: "رمز الوصول", English: "Access token"},
		Hint: locale.Text{
			Arabic:  "من لوحة بلوتو، بلا مسافات. رمز وضع الاختبار لا يسحب أموالًا حقيقية.",
			English: "From Plutu’s dashboard, without spaces. One of test mode takes no real money.",
		},
	},
	{
		Name: "secret_key", Secret: true,
		Label: locale.Text{Arabic: "المفتاح السري", English: "Secret key"},
		Hint: locale.Text{
			Arabic:  "من لوحة بلوتو، بلا مسافات. به نتحقق من رسائلها.",
			English: "From Plutu’s dashboard, without spaces. It proves that messages come from Plutu.",
		},
	},
}

func open(at acquirer.Addresses) (acquirer.Provider, error) {
	c := Config{URL: at["DAFTAR_PLUTU_URL"]}
	if pages := at["DAFTAR_PLUTU_PAGES"]; pages != "" {
		c.Pages = strings.Split(pages, ",")
	}
	return New(c)
}
