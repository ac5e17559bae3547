package bank

import (
	"cmp"

	"daftar/internal/locale"
)

// words has all texts of the bank page in one language. Each text is a field and one entry of wordsIn.
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

func wordsIn(say locale.Say) words {
	return words{
		Lang: say("ar", "en"), Dir: say("rtl", "ltr"), OtherLang: say("en", "ar"), Other: say("English", "العربية"),
		Bank:   say("مصرف التجربة", "Test bank"),
		Banner: say("مصرف للتجربة فقط: لا تُسحب أموال حقيقية", "A bank for testing only: no real money moves"),
		Amount: say("المبلغ", "Amount"), For: say("الوصف", "For"), No: say("رقم العملية", "Payment number"),
		Currency: say("د.ل", "LYD"),
		Choose:   say("كيف تريد أن ينتهي هذا الدفع؟", "How should this payment end?"),
		Explain: say("هذه الصفحة تقوم مقام صفحة مصرفك أثناء التجربة. لا تطلب رقم بطاقة، ولا تسحب شيئًا.",
			"This page stands in for your bank’s page during tests. It asks for no card number and takes nothing."),
		Pay:      say("ادفع", "Pay"),
		Decline:  say("ارفض الدفع", "Decline the payment"),
		Leave:    say("غادر دون دفع", "Leave without paying"),
		PressOne: say("اضغط أحد الأزرار الثلاثة.", "Press one of the three buttons."),
		Paid:     say("تم الدفع", "Paid"),
		PaidNote: say("سجّل مصرف التجربة هذا المبلغ. لا تدفع مرة أخرى.",
			"The test bank has recorded this amount. Do not pay again."),
		Declined: say("رُفض الدفع", "Payment declined"),
		Left:     say("انتهت العملية دون دفع", "Ended without payment"),
		NoMoney:  say("لم يُسحب أي مبلغ.", "No money was taken."),
		Back:     say("العودة إلى صفحة الدفع", "Back to the checkout"),
		BackSoon: say("نعيدك إليها بعد ثانيتين.", "You will be taken there in two seconds."),
		Nothing:  say("لا توجد عملية دفع بهذا العنوان", "There is no payment at this address"),
		CheckURL: say("ارجع إلى المتجر وافتح صفحة الدفع من جديد.",
			"Go back to the shop and open the checkout again."),
	}
}

// catalogues are the words by their language.
var catalogues = map[string]words{"ar": wordsIn(locale.Arabic.Say), "en": wordsIn(locale.English.Say)}

// languageOf returns the language in the address, or else that of the payment; Arabic is the
// default.
func languageOf(asked, own string) string {
	if _, known := catalogues[asked]; known {
		return asked
	}
	return cmp.Or(own, "ar")
}
