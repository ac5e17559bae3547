package frontdoor

import "daftar/internal/locale"

// texts are the words of the page.
type texts struct {
	Title, Heading, Lead                                           string
	Example, Paid, ShopName, Shop, ForName, For, ByName, By, Entry string // of the picture
	Try, TryHint, Limited, Failed                                  string
	SignUp, SignUpHint                                             string
	Ways, Docs, SignIn                                             string
	Description                                                    string // of the demonstration
}

var textsIn = locale.Catalogue(func(say locale.Say) texts {
	return texts{
		Title:   say("دفتر: مدفوعات المتاجر في ليبيا", "Daftar: payments for shops in Libya"),
		Heading: say("كل دينار يُدفع لمتجرك مقيّد في دفتر", "Every dinar your shop is paid, on record"),
		Lead: say("يدفع زبائنك برابط ترسله أو من متجرك على الإنترنت: سداد، ادفع لي، تي لينك، لي باي أو بطاقة "+
			"مصرفية. يصل المال إلى حسابك أنت، وكل دفعة قيد لا يُمحى.",
			"By a link that you send or in your online shop: Sadad, Adfali, T\u2011Lync, LYPay and bank cards. The "+
				"money goes to your own account, and no entry is ever erased."),
		Example: say("مثال: إيصال زبونك", "Example: your customer’s receipt"), Paid: say("تم الدفع", "Paid"),
		ShopName: say("المتجر", "Shop"), Shop: say("مقهى الميدان", "Midan Café"),
		ForName: say("مقابل", "For"), For: say("طلبية 1042", "Order 1042"),
		ByName: say("الوسيلة", "Method"), By: say("سداد", "Sadad"),
		Entry: say("رقم القيد في السجلّ", "Ledger entry"),
		Try:   say("جرّب دفعة بقيمة", "Try a payment of"),
		TryHint: say("بلا أموال حقيقية: أي رقم ليبي، والرمز 111111.",
			"Play money: any Libyan number, code 111111."),
		Limited: say("جُرّبت مدفوعات كثيرة في وقت قصير. أعد المحاولة بعد دقيقة.",
			"Many payments were tried in a short time. Try again in a minute."),
		Failed: say("تعذّرت التجربة الآن، ولم يُسحب شيء. أعد المحاولة بعد قليل.",
			"That did not work just now, and nothing was taken. Try again in a moment."),
		SignUp: say("افتح حسابًا تجريبيًا", "Open a test account"),
		SignUpHint: say("ببريدك الإلكتروني وحده. لا تُسحب أموال حقيقية.",
			"With your email address. No real money moves."),
		Ways: say("إلى", "Go to"), Docs: say("التوثيق", "Documentation"),
		SignIn:      say("تسجيل الدخول", "Sign in"),
		Description: say("دفعة تجريبية (الرمز 111111)", "Demonstration (the code is 111111)"),
	}
})
