package view

import (
	"strings"

	"daftar/internal/locale"
)

// linkTexts are the texts of the pages about payment links.
type linkTexts struct {
	Title, Intro, New, Create              string
	Application, ApplicationMissing        string
	Inactive                               string
	Amount, AmountHint, AmountBad          string
	Description, DescriptionHint           string
	DescriptionBad                         string
	Reference, ReferenceHint, ReferenceBad string
	ReferenceUsed                          string
	Expiry, ExpiryMissing                  string
	NoApplication                          string
	PageTitle, Share, Link, QRLabel        string
	Scan, WhatsApp, ShareButton, Copy      string
	Copied, Text, ToPayment, Another       string
	NotOpen, Once                          string
	ExpiryChoices                          map[string]string
	// MessageOf has the placeholders {shop}, {amount} and {description}.
	MessageOf string
}

// Message is the message to the customer, without the address.
func (t linkTexts) Message(shop, amount, description string) string {
	of := strings.NewReplacer("{shop}", shop, "{amount}", amount, "{description}", description)
	return of.Replace(t.MessageOf)
}

func linkTextsIn(say locale.Say) linkTexts {
	return linkTexts{
		Title: say("رابط دفع جديد", "New payment link"),
		Intro: say("لمن يبيع بالهاتف أو عبر وسائل التواصل: اكتب المبلغ وأرسل الرابط إلى الزبون. الدفعة كغيرها "+
			"تمامًا، وتصل إشعاراتها إلى تطبيقك أيضًا.",
			"For sales by telephone or on social media: enter the amount and send the link to the customer. The "+
				"payment is like any other, and its webhooks go to your application, too."),
		New: say("رابط دفع جديد", "New payment link"), Create: say("أنشئ الرابط", "Create the link"),
		Application:        say("باسم أي تطبيق؟", "For which application?"),
		ApplicationMissing: say("اختر التطبيق.", "Choose the application."),
		Inactive:           say("هذا التطبيق متوقف.", "This application is not active."),
		Amount:             say("المبلغ بالدينار", "Amount in dinars"),
		AmountHint:         say("مثل \u206825.500\u2069", "Such as 25.500"),
		AmountBad: say("اكتب مبلغًا من \u20681.000\u2069 إلى \u20681,000,000.000\u2069 دينار.",
			"Enter an amount from 1.000 to 1,000,000.000 dinars."),
		Description: say("ما الذي يدفع الزبون ثمنه؟", "What does the customer pay for?"),
		DescriptionHint: say("يظهر للزبون في صفحة الدفع وفي الإيصال.",
			"The customer sees it on the payment page and on the receipt."),
		DescriptionBad: say("اكتب سطرًا واحدًا لا يزيد على 255 حرفًا.",
			"Write one line of at most 255 characters."),
		Reference: say("مرجع طلبيتك", "Your reference"),
		ReferenceHint: say("اختياري، مثل رقم الطلبية عندك. لا يتكرر في التطبيق نفسه.",
			"Optional, such as the number of your invoice. An application uses each once."),
		ReferenceBad: say("اكتب سطرًا واحدًا لا يزيد على 255 حرفًا.", "Write one line of at most 255 characters."),
		ReferenceUsed: say("لدفعة أخرى هذا المرجع. اختر غيره أو اترك الحقل فارغًا.",
			"Another payment has this reference. Choose another one or leave the field empty."),
		Expiry:        say("يُدفع خلال", "To be paid within"),
		ExpiryMissing: say("اختر المهلة.", "Choose the time."),
		NoApplication: say("لا يوجد تطبيق يعمل. فعّل تطبيقًا أولًا.",
			"No application is active. Activate one first."),
		PageTitle: say("رابط الدفع", "Payment link"),
		Share:     say("أرسله إلى الزبون", "Send it to the customer"),
		Link:      say("الرابط", "Link"),
		QRLabel:   say("رمز QR لصفحة الدفع", "QR code of the payment page"),
		Scan: say("أو دع الزبون يمسح هذا الرمز بكاميرا هاتفه.",
			"Or let the customer scan this code with the phone's camera."),
		WhatsApp:    say("أرسله بواتساب", "Send by WhatsApp"),
		ShareButton: say("مشاركة…", "Share…"), Copy: say("انسخ الرابط", "Copy the link"),
		Copied: say("نُسخ", "Copied"), Text: say("نص الرسالة", "Text of the message"),
		ToPayment: say("إلى الدفعة", "To the payment"), Another: say("رابط آخر", "Another link"),
		NotOpen: say("لم تعد هذه الدفعة مفتوحة، فلا يُدفع رابطها.",
			"This payment is no longer open, so its link cannot be paid."),
		Once: say("يُدفع الرابط مرة واحدة. من يملكه يرى المبلغ والوصف، فلا تنشره علنًا.",
			"The link can be paid once. Anybody who has it sees the amount and the description, so do not "+
				"publish it."),
		ExpiryChoices: map[string]string{
			"hour": say("ساعة", "one hour"), "day": say("يوم", "one day"),
			"three-days": say("ثلاثة أيام", "three days"), "week": say("أسبوع", "one week"),
			"month": say("ثلاثين يومًا", "thirty days"),
		},
		MessageOf: say("{shop}: المطلوب {amount} مقابل «{description}». للدفع:",
			"{shop} asks for {amount}, for “{description}”. To pay:"),
	}
}
