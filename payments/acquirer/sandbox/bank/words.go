package bank

import "cmp"

// words is everything the bank page says, in one language.
type words struct {
	Lang, Dir         string
	OtherLang, Other  string // the link to the other language, in that language
	Bank, Banner      string
	Amount, For, No   string
	Currency          string
	Choose, Explain   string
	Pay               string // followed by the amount
	Decline, Leave    string
	PressOne          string
	Paid, PaidNote    string
	Declined          string
	Left              string
	NoMoney           string
	Back, BackSoon    string
	Nothing, CheckURL string
}

var arabic = words{
	Lang: "ar", Dir: "rtl", OtherLang: "en", Other: "English",
	Bank: "مصرف التجربة", Banner: "مصرف للتجربة فقط: لا تُسحب أموال حقيقية",
	Amount: "المبلغ", For: "الوصف", No: "رقم العملية", Currency: "د.ل",
	Choose:  "كيف تريد أن ينتهي هذا الدفع؟",
	Explain: "هذه الصفحة تقوم مقام صفحة مصرفك أثناء التجربة. لا تطلب رقم بطاقة، ولا تسحب شيئًا.",
	Pay:     "ادفع", Decline: "ارفض الدفع", Leave: "غادر دون دفع",
	PressOne: "اضغط أحد الأزرار الثلاثة.",
	Paid:     "تم الدفع", PaidNote: "سجّل مصرف التجربة هذا المبلغ. لا تدفع مرة أخرى.",
	Declined: "رُفض الدفع", Left: "انتهت العملية دون دفع", NoMoney: "لم يُسحب أي مبلغ.",
	Back: "العودة إلى صفحة الدفع", BackSoon: "نعيدك إليها بعد ثانيتين.",
	Nothing: "لا توجد عملية دفع بهذا العنوان", CheckURL: "ارجع إلى المتجر وافتح صفحة الدفع من جديد.",
}

var english = words{
	Lang: "en", Dir: "ltr", OtherLang: "ar", Other: "العربية",
	Bank: "Test bank", Banner: "A bank for testing only: no real money moves",
	Amount: "Amount", For: "For", No: "Payment number", Currency: "LYD",
	Choose:  "How should this payment end?",
	Explain: "This page stands in for your bank’s page during tests. It asks for no card number and takes nothing.",
	Pay:     "Pay", Decline: "Decline the payment", Leave: "Leave without paying",
	PressOne: "Press one of the three buttons.",
	Paid:     "Paid", PaidNote: "The test bank has recorded this amount. Do not pay again.",
	Declined: "Payment declined", Left: "Ended without payment", NoMoney: "No money was taken.",
	Back: "Back to the checkout", BackSoon: "You will be taken there in two seconds.",
	Nothing: "There is no payment at this address", CheckURL: "Go back to the shop and open the checkout again.",
}

// catalogues are the words by their language.
var catalogues = map[string]words{"ar": arabic, "en": english}

// languageOf takes the language asked for in the address, then the payment's own;
// Arabic is the default.
func languageOf(asked, own string) string {
	if _, known := catalogues[asked]; known {
		return asked
	}
	return cmp.Or(own, "ar")
}
