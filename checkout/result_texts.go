package checkout

import "daftar/internal/locale"

type receiptTexts struct {
	Title         string
	LateTitle     string
	LateNote      string
	ReopenedTitle string
	ReopenedNote  string
	TwiceTitle    string
	TwiceNote     string
	ShopNotified  string
	ContactShop   string
	PaidTo        string
	PaidAt        string
	PaidWith      string
	SendBack      string // before a number of seconds
	Stay          string
	Staying       string // spoken after it was pressed
	WhatsApp      string // sends it
	Picture       string // saves it
	PictureHint   string // how to save it inside an app
	Scan          string // in the picture, below the QR code
	Print         string
	Share         string
	Copy          string
	Copied        string // spoken after it
	Check         string // on the link to the proof
	CheckHint     string
	CheckPicture  string // what the picture is, for people who do not see it
}

func receiptTextsIn(say locale.Say) receiptTexts {
	return receiptTexts{
		Title:     say("تم الدفع", "Paid"),
		LateTitle: say("تم الدفع بعد انتهاء المهلة", "Paid after the deadline"),
		LateNote: say("المتجر هو من يقرر الآن: ينفّذ طلبيتك أو يعيد إليك المبلغ، فقد وصل المبلغ بعد انتهاء مهلة "+
			"الطلبية.",
			"The shop now decides whether it delivers the order or gives the money back, because the money "+
				"arrived after the order’s deadline."),
		ReopenedTitle: say("هذه الطلبية مدفوعة", "This order is paid"),
		ReopenedNote: say("دُفعت هذه الطلبية من قبل، وهذا إيصالها. لا تدفع مرة أخرى.",
			"This order was paid before, and this is its receipt. Do not pay again."),
		TwiceTitle: say("وصلت دفعتان لهذه الطلبية", "Two payments came in for this order"),
		TwiceNote: say("المبلغ الثاني حقّك، وعلى المتجر أن يردّه إليك. أما الطلبية نفسها فمدفوعة.",
			"The second amount is yours, and the shop has to give it back. The order itself is paid."),
		ShopNotified: say("أبلغنا المتجر بذلك.", "We have told the shop."),
		ContactShop: say("تواصل مع المتجر بشأن طلبيتك واذكر المرجع. لا تدفع مرة أخرى.",
			"Contact the shop about your order and give the reference. Do not pay again."),
		PaidTo: say("المتجر", "Shop"), PaidAt: say("الوقت", "Time"), PaidWith: say("الوسيلة", "Paid with"),
		SendBack: say("ننقلك إلى المتجر خلال", "We take you back to the shop in"),
		Stay:     say("ابقَ هنا", "Stay here"),
		Staying:  say("ستبقى في هذه الصفحة.", "You stay on this page."),
		WhatsApp: say("أرسل الإيصال بواتساب", "Send the receipt by WhatsApp"),
		Picture:  say("احفظ الإيصال صورة", "Save the receipt as a picture"),
		PictureHint: say("حين تظهر الصورة اضغط عليها مطوّلًا لتحفظها في هاتفك.",
			"When the picture opens, press and hold it to save it to your phone."),
		Scan:  say("امسح الرمز لتتحقق من صحة الإيصال", "Scan the code to check that this receipt is genuine"),
		Print: say("اطبع الإيصال", "Print the receipt"),
		Share: say("شارك الإيصال", "Share the receipt"), Copy: say("انسخ الإيصال", "Copy the receipt"),
		Copied: say("نُسخ الإيصال.", "The receipt is copied."),
		Check:  say("تحقّق من صحة الإيصال", "Check that the receipt is genuine"),
		CheckHint: say("يفتح الرمز صفحة تثبت أن هذا الإيصال صحيح، ولا تذكر من دفع.",
			"The code opens a page that proves this receipt. It does not say who paid."),
		CheckPicture: say("رمز QR للتحقق من صحة هذا الإيصال", "QR code to check this receipt"),
	}
}

type proofTexts struct {
	Title        string
	What         string
	PendingTitle string
	PendingWhat  string
	Compare      string // above what to compare
	Differs      string // below it
	Refunded     string
	Auditors     string // on the fold with the proof
	Log          string
	Entries      string
	Checkpoint   string
	Root         string
	File         string
}

func proofTextsIn(say locale.Say) proofTexts {
	return proofTexts{
		Title: say("هذا الإيصال صحيح", "This receipt is genuine"),
		What: say("الدفعة مثبتة في سجلّ موقّع لا يمكن تغييره دون أن يُكتشف.",
			"The payment is in a signed log that cannot be changed unnoticed."),
		PendingTitle: say("الدفعة مسجّلة ولم تُوقَّع بعد", "The payment is recorded, and not signed yet"),
		PendingWhat: say("لم تدخل الدفعة بعدُ في نقطة تحقق موقّعة من السجلّ. يحدث ذلك عادةً خلال ثوانٍ، ثم تعرض "+
			"هذه الصفحة الإثبات.",
			"The payment is not yet in a signed checkpoint of the log. That usually takes some seconds; then "+
				"this page shows the proof."),
		Compare: say("قارن بالإيصال الذي أمامك", "Compare with the receipt in front of you"),
		Differs: say("إن اختلف شيء فالإيصال ليس لهذه الدفعة. تأكد أيضًا من عنوان هذه الصفحة في المتصفح.",
			"If anything differs, the receipt is not of this payment. Check the address of this page in your "+
				"browser, too."),
		Refunded: say("أُعيد منه", "Given back of it"), Auditors: say("للمدققين", "For auditors"),
		Log: say("حسبنا بصمة الدفعة من جديد، ووجدناها في شجرة السجلّ التي وُقّع جذرها. يستطيع أي مدقق أن يعيد "+
			"الحساب من الملف.",
			"We computed the fingerprint of the payment again and found it in the log’s tree, whose root is "+
				"signed. Any auditor can repeat that with the file."),
		Entries:    say("رقما القيدين في السجلّ", "Entries in the log"),
		Checkpoint: say("عدد القيود الموقّعة ووقت التوقيع", "Entries signed, and when"),
		Root:       say("جذر الشجرة", "Root of the tree"),
		File:       say("نزّل الإثبات للتحقق بالبرامج", "Download the proof for programs"),
	}
}

type expiredTexts struct {
	Title        string
	StoppedTitle string // the shop stopped it
	NoMoneyTaken string
	BackToShop   string // when there is a link
	AskShop      string // when there is none
	JustPaid     string

	CheckingTitle string
	CheckingWhy   string
	CheckingNext  string
}

func expiredTextsIn(say locale.Say) expiredTexts {
	return expiredTexts{
		Title:        say("انتهت مهلة هذه الطلبية", "The time to pay this order is over"),
		StoppedTitle: say("أوقف المتجر الدفع لهذه الطلبية", "The shop no longer takes payment for this order"),
		NoMoneyTaken: say("لم يُسحب أي مبلغ.", "No money was taken."),
		BackToShop:   say("ارجع إلى المتجر لتبدأ من جديد.", "Go back to the shop to start again."),
		AskShop:      say("اطلب من المتجر رابط دفع جديدًا.", "Ask the shop for a new payment link."),
		JustPaid: say("إن كنت قد دفعت قبل قليل فلا تدفع مرة أخرى: سيصل تأكيد الدفع إلى المتجر ويظهر هنا.",
			"If you paid a moment ago, do not pay again: the confirmation will reach the shop and show here."),

		CheckingTitle: say("نتحقق مع جهة الدفع", "Checking with the payment provider"),
		CheckingWhy: say("انتهت مهلة هذه الطلبية، لكن وصلتنا رسالة من جهة الدفع بشأن دفعتك. نسألها الآن عن "+
			"النتيجة.",
			"The time to pay this order is over, but a message about this payment has come from the payment "+
				"provider. We are asking the provider now."),
		CheckingNext: say("يمكنك إغلاق هذه الصفحة والعودة إليها متى شئت. إن تأكدت الدفعة ظهر إيصالها هنا وأُبلغ "+
			"المتجر. احتفظ بالمرجع.",
			"You may close this page and come back at any time. If the payment is confirmed, its receipt shows "+
				"here and we tell the shop. Keep the reference."),
	}
}

type notFoundTexts struct {
	Title        string
	What         string
	ReceiptTitle string
	ReceiptWhat  string
	ShopTitle    string
	ShopWhat     string
}

func notFoundTextsIn(say locale.Say) notFoundTexts {
	return notFoundTexts{
		Title: say("لا توجد صفحة دفع هنا", "There is no payment page here"),
		What: say("قد يكون الرابط ناقصًا. افتحه كما وصلك من المتجر، أو اطلب منه رابطًا جديدًا.",
			"The link may be incomplete. Open it as the shop sent it, or ask the shop for a new one."),

		ReceiptTitle: say("لا يوجد إيصال بهذا الرابط", "There is no receipt at this link"),
		ReceiptWhat: say("قد يكون الرابط ناقصًا، وقد يكون الإيصال مزوّرًا. لا تعتمد عليه قبل أن يؤكد المتجر "+
			"وصول المبلغ.",
			"The link may be incomplete, or the receipt forged. Do not rely on it before the shop confirms that "+
				"the money arrived."),

		ShopTitle: say("لا تُستقبل مدفوعات في هذه الصفحة الآن", "This page takes no payments now"),
		ShopWhat: say("إن أوصلك إليها رمز QR أو رابط من متجر فاسأل المتجر: ربما أوقفها، أو تغيّر الرابط.",
			"If a QR code or a link of a shop led here, ask the shop: it may have switched the page off, or the "+
				"link is not whole."),
	}
}

type unavailableTexts struct {
	Title    string
	What     string
	JustPaid string
	Retry    string
}

func unavailableTextsIn(say locale.Say) unavailableTexts {
	return unavailableTexts{
		Title: say("تعذّر عرض الصفحة الآن", "This page cannot be shown right now"),
		What:  say("العطل من عندنا. حاول مرة أخرى بعد دقيقة.", "The fault is ours. Please try again in a minute."),
		JustPaid: say("إن كنت قد دفعت قبل قليل فلا تدفع مرة أخرى. ستظهر النتيجة في هذه الصفحة.",
			"If you paid a moment ago, do not pay again. The result will show on this page."),
		Retry: say("حاول مرة أخرى", "Try again"),
	}
}
