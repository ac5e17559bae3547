package checkout

import (
	"daftar/internal/layout"
	"daftar/internal/locale"
)

// shopTexts say where customers find help.
type shopTexts struct {
	Title           string
	Phone, WhatsApp string // before a number
	Message         string // in WhatsApp, before the reference
	Greeting        string // in WhatsApp, before there is a payment
	Pay, Proof      string // what a messenger shows of a link
}

// secureTexts explain the service to customers.
type secureTexts struct {
	Title                  string
	What                   string
	WhoTitle, Who, Records string
	AddressTitle, Address  string // above the address
	OtherAddress           string // below it
	NeverTitle, DoubtTitle string
	Never, Doubt           []string
}

func shopTextsIn(say locale.Say) shopTexts {
	return shopTexts{
		Title: say("تواصل مع المتجر", "Contact the shop"),
		Phone: say("الهاتف", "Phone"), WhatsApp: say("واتساب", "WhatsApp"),
		Message:  say("مرحبًا، لدي سؤال عن الدفع. المرجع:", "Hello, I have a question about a payment. Reference:"),
		Greeting: say("مرحبًا، لدي سؤال قبل الدفع.", "Hello, I have a question before I pay."),
		Pay:      say("صفحة دفع آمنة عبر دفتر", "Secure payment page by Daftar"),
		Proof:    say("التحقق من إيصال عبر دفتر", "Check a receipt with Daftar"),
	}
}

func secureTextsIn(say locale.Say) secureTexts {
	return secureTexts{
		Title: say(layout.SecurePayment.Arabic, layout.SecurePayment.English),
		What: say("دفتر خدمة تعرض صفحة الدفع نيابةً عن المتجر، وتسجّل ما جرى لكل دفعة في سجل لا يمكن تغييره دون "+
			"أن يُكتشف.",
			"Daftar is a service that shows the payment page for the shop. It records what happens to each "+
				"payment in a log that cannot be changed unnoticed."),
		WhoTitle: say("من يستلم أموالك؟", "Who takes your money?"),
		Who: say("المتجر المذكور أعلى صفحة الدفع. يُسحب المبلغ عن طريق المصرف أو المحفظة التي تختارها، ولا "+
			"يُطلب منك إلا بعد أن ترى المبلغ واسم المتجر.",
			"The shop that is named at the top of the payment page. The amount is taken through the bank or "+
				"wallet that you choose, and only after you have seen the amount and the shop’s name."),
		Records: say("يحصل كل من دفع على إيصال برقم مرجع ورمز QR، ويمكن لأي شخص أن يتحقق به من صحة الإيصال.",
			"Everybody who has paid gets a receipt with a reference and a QR code, by which anybody can check "+
				"that the receipt is genuine."),
		AddressTitle: say("كيف تتأكد من عنوان الصفحة؟", "How do you check the address of the page?"),
		Address: say("انظر إلى العنوان أعلى المتصفح قبل أن تكتب رمز التحقق. تبدأ كل صفحات الدفع عندنا بهذا "+
			"العنوان:",
			"Before you enter a code, look at the address at the top of your browser. All our payment pages "+
				"begin with this one:"),
		OtherAddress: say("إذا كان العنوان غير ذلك، ولو بحرف واحد، فلا تكتب شيئًا وأغلق الصفحة.",
			"If the address differs, even by one letter, enter nothing and close the page."),
		NeverTitle: say("ما لا نطلبه منك أبدًا", "What we never ask you for"),
		Never: []string{
			say("رقم بطاقتك على صفحاتنا: تكتبه في صفحة المصرف أو في نموذج جهة الدفع، ولا يصل إلينا ولا إلى المتجر.",
				"Your card number on our pages: you enter it on the bank’s page or in the payment provider’s form, "+
					"and it reaches neither us nor the shop."),
			say("كلمة المرور لتطبيق مصرفك أو رقم بطاقتك السري.",
				"The password of your bank’s app or the PIN of your card."),
			say("رمز التحقق في مكالمة أو رسالة: لا تعطه لأحد، حتى لو قال إنه المتجر أو المصرف أو دفتر.",
				"A code in a call or a message: give it to no one, even if they say they are the shop, the bank or "+
					"Daftar."),
		},
		DoubtTitle: say("إذا شككت في شيء", "If something seems wrong"),
		Doubt: []string{
			say("لا تدفع ولا تكتب رمز التحقق. الصفحة تبقى مفتوحة حتى المهلة المذكورة فيها.",
				"Do not pay and do not enter a code. The page stays open until the time that it names."),
			say("اتصل بالمتجر على رقم تعرفه من قبل، لا على رقم جاءك في رسالة.",
				"Call the shop at a number that you knew before, not at one that came in a message."),
			say("إذا سُحب مبلغ لم توافق عليه فاتصل بمصرفك فورًا، ثم بالمتجر، واذكر المرجع.",
				"If money was taken that you did not agree to, call your bank at once and then the shop, and give "+
					"the reference."),
		},
	}
}
