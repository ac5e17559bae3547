package checkout

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer"
)

// methodsTexts are the ways to pay, as customers know them.
type methodsTexts struct {
	Wallet, Card, Adfali, Sadad, Cards, TLync, Moamalat, LYPay methodTexts
}

type methodTexts struct {
	Name string
	Hint string
}

func methodsTextsIn(say locale.Say) methodsTexts {
	return methodsTexts{
		Wallet: methodTexts{Name: say("المحفظة الإلكترونية", "Phone wallet"),
			Hint: say("يصلك رمز في رسالة نصية", "You get a code by text message")},
		Card: methodTexts{Name: say("بطاقة مصرفية محلية", "Local bank card"),
			Hint: say("تنتقل إلى صفحة المصرف", "You continue on the bank’s page")},
		Adfali: methodTexts{Name: say("ادفع لي", "Adfali"),
			Hint: say("يصلك رمز في رسالة نصية", "You get a code by text message")},
		Sadad: methodTexts{Name: say("سداد", "Sadad"),
			Hint: say("لأرقام المدار، ويصلك رمز في رسالة نصية", "For Almadar; you get a code by text")},
		Cards: methodTexts{Name: say("بطاقة مصرفية محلية", "Local bank card"),
			Hint: say("تنتقل إلى صفحة المصرف", "You continue on the bank’s page")},
		TLync: methodTexts{Name: say("تي لينك", "T-Lync"),
			Hint: say("محافظ وبطاقات في صفحة تي لينك", "Wallets and cards, on the T-Lync page")},
		Moamalat: methodTexts{Name: say("بطاقة مصرفية عبر معاملات", "Bank card with Moamalat"),
			Hint: say("تُدخل بطاقتك في نموذج معاملات", "You fill in Moamalat’s form")},
		LYPay: methodTexts{Name: say("لي باي", "LYPay"),
			Hint: say("تمسح رمز QR بتطبيق مصرفك", "You scan a code with your bank’s app")},
	}
}

func (t *texts) method(m acquirer.Method) methodTexts {
	switch m {
	case acquirer.Wallet:
		return t.Methods.Wallet
	case acquirer.Card:
		return t.Methods.Card
	case acquirer.Adfali:
		return t.Methods.Adfali
	case acquirer.Sadad:
		return t.Methods.Sadad
	case acquirer.Cards:
		return t.Methods.Cards
	case acquirer.TLync:
		return t.Methods.TLync
	case acquirer.Moamalat:
		return t.Methods.Moamalat
	case acquirer.LYPay:
		return t.Methods.LYPay
	}
	panic("checkout: no texts for method " + string(m))
}
