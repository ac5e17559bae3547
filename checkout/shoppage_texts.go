package checkout

import "daftar/internal/locale"

type shopPageTexts struct {
	Title, Question string
	Amount, Hint    string
	Fixed           string // above the amount
	Continue        string
	Next            string
	Problems        map[ShopProblem]string
}

func shopPageTextsIn(say locale.Say) shopPageTexts {
	return shopPageTexts{
		Title:    say("ادفع للمتجر", "Pay the shop"),
		Question: say("كم تريد أن تدفع؟", "How much do you want to pay?"),
		Amount:   say("المبلغ بالدينار", "Amount in dinars"),
		Hint:     say("مثل \u206625\u2069 أو \u206625.500\u2069", "Such as 25 or 25.500"),
		Fixed:    say("المبلغ", "Amount"),
		Continue: say("تابع إلى الدفع", "Continue to payment"),
		Next: say("في الخطوة التالية تختار وسيلة الدفع. لا يُسحب أي مبلغ قبل ذلك.",
			"In the next step you choose how to pay. No money is taken before."),
		Problems: map[ShopProblem]string{
			AmountMissing: say("اكتب المبلغ.", "Enter the amount."),
			AmountMalformed: say("اكتب مبلغًا من \u20681.000\u2069 إلى \u20681,000,000.000\u2069 دينار.",
				"Enter an amount from 1.000 to 1,000,000.000 dinars."),
			AmountNotTaken: say("لا تقبل وسائل الدفع في هذا المتجر هذا المبلغ. اكتب مبلغًا آخر أو اسأل المتجر.",
				"No way to pay at this shop takes this amount. Enter another one, or ask the shop."),
			ShopLimited: say("بدأت من شبكتك مدفوعات كثيرة. انتظر قليلًا ثم حاول مرة أخرى.",
				"Many payments were begun from your network. Wait a moment and try again."),
		},
	}
}
