package checkout

import (
	"daftar/internal/layout"
)

// shopTexts say where customers find help.
type shopTexts struct {
	Title           string
	Phone, WhatsApp string // before a number
	Message         string // in WhatsApp, before the reference
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

var arabicShop = shopTexts{
	Title: "تواصل مع المتجر", Phone: "الهاتف", WhatsApp: "واتساب",
	Message: "مرحبًا، لدي سؤال عن الدفع. المرجع:",
	Pay:     "صفحة دفع آمنة عبر دفتر", Proof: "التحقق من إيصال عبر دفتر",
}

var englishShop = shopTexts{
	Title: "Contact the shop", Phone: "Phone", WhatsApp: "WhatsApp",
	Message: "Hello, I have a question about a payment. Reference:",
	Pay:     "Secure payment page by Daftar", Proof: "Check a receipt with Daftar",
}

var arabicSecure = secureTexts{
	Title:        layout.SecurePayment.Arabic,
	What:         "دفتر خدمة تعرض صفحة الدفع نيابةً عن المتجر، وتسجّل ما جرى لكل دفعة في سجل لا يمكن تغييره دون أن يُكتشف.",
	WhoTitle:     "من يستلم أموالك؟",
	Who:          "المتجر المذكور أعلى صفحة الدفع. يُسحب المبلغ عن طريق المصرف أو المحفظة التي تختارها، ولا يُطلب منك إلا بعد أن ترى المبلغ واسم المتجر.",
	Records:      "يحصل كل من دفع على إيصال برقم مرجع ورمز QR، ويمكن لأي شخص أن يتحقق به من صحة الإيصال.",
	AddressTitle: "كيف تتأكد من عنوان الصفحة؟",
	Address:      "انظر إلى العنوان أعلى المتصفح قبل أن تكتب رمز التحقق. تبدأ كل صفحات الدفع عندنا بهذا العنوان:",
	OtherAddress: "إذا كان العنوان غير ذلك، ولو بحرف واحد، فلا تكتب شيئًا وأغلق الصفحة.",
	NeverTitle:   "ما لا نطلبه منك أبدًا",
	Never: []string{
		"رقم بطاقتك على صفحاتنا: تكتبه في صفحة المصرف أو في نموذج جهة الدفع، ولا يصل إلينا ولا إلى المتجر.",
		"كلمة المرور لتطبيق مصرفك أو رقم بطاقتك السري.",
		"رمز التحقق في مكالمة أو رسالة: لا تعطه لأحد، حتى لو قال إنه المتجر أو المصرف أو دفتر.",
	},
	DoubtTitle: "إذا شككت في شيء",
	Doubt: []string{
		"لا تدفع ولا تكتب رمز التحقق. الصفحة تبقى مفتوحة حتى المهلة المذكورة فيها.",
		"اتصل بالمتجر على رقم تعرفه من قبل، لا على رقم جاءك في رسالة.",
		"إذا سُحب مبلغ لم توافق عليه فاتصل بمصرفك فورًا، ثم بالمتجر، واذكر المرجع.",
	},
}

var englishSecure = secureTexts{
	Title:        layout.SecurePayment.English,
	What:         "Daftar is a service that shows the payment page for the shop. It records what happens to each payment in a log that cannot be changed unnoticed.",
	WhoTitle:     "Who takes your money?",
	Who:          "The shop that is named at the top of the payment page. The amount is taken through the bank or wallet that you choose, and only after you have seen the amount and the shop’s name.",
	Records:      "Everybody who has paid gets a receipt with a reference and a QR code, by which anybody can check that the receipt is genuine.",
	AddressTitle: "How do you check the address of the page?",
	Address:      "Before you enter a code, look at the address at the top of your browser. All our payment pages begin with this one:",
	OtherAddress: "If the address differs, even by one letter, enter nothing and close the page.",
	NeverTitle:   "What we never ask you for",
	Never: []string{
		"Your card number on our pages: you enter it on the bank’s page or in the payment provider’s form, and it reaches neither us nor the shop.",
		"The password of your bank’s app or the PIN of your card.",
		"A code in a call or a message: give it to nobody, even if they say they are the shop, the bank or Daftar.",
	},
	DoubtTitle: "If something seems wrong",
	Doubt: []string{
		"Do not pay and do not enter a code. The page stays open until the time that it names.",
		"Call the shop at a number that you knew before, not at one that came in a message.",
		"If money was taken that you did not agree to, call your bank at once and then the shop, and give the reference.",
	},
}
