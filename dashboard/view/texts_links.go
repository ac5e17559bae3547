package view

import "strings"

// linkTexts are the words of the pages about payment links.
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
	// MessageOf has {shop}, {amount} and {description} in their places.
	MessageOf string
}

// Message is what the customer is sent, without the address.
func (t linkTexts) Message(shop, amount, description string) string {
	return strings.NewReplacer("{shop}", shop, "{amount}", amount, "{description}", description).Replace(t.MessageOf)
}

var arabicLinks = linkTexts{
	Title: "رابط دفع جديد", Intro: "لمن يبيع بالهاتف أو عبر وسائل التواصل: اكتب المبلغ وأرسل الرابط إلى الزبون. الدفعة كغيرها تمامًا، وتصل إشعاراتها إلى تطبيقك أيضًا.",
	New: "رابط دفع جديد", Create: "أنشئ الرابط",
	Application: "باسم أي تطبيق؟", ApplicationMissing: "اختر التطبيق.", Inactive: "هذا التطبيق موقوف.",
	Amount: "المبلغ بالدينار", AmountHint: "مثل 25.500", AmountBad: "اكتب مبلغًا من 1.000 إلى 1,000,000.000 دينار.",
	Description: "ما الذي يدفع الزبون ثمنه؟", DescriptionHint: "يظهر للزبون في صفحة الدفع وفي الإيصال.",
	DescriptionBad: "اكتب سطرًا واحدًا لا يزيد على 255 حرفًا.",
	Reference:      "مرجع طلبك", ReferenceHint: "اختياري، مثل رقم الطلب عندك. لا يتكرر في التطبيق نفسه.", ReferenceBad: "اكتب سطرًا واحدًا لا يزيد على 255 حرفًا.",
	ReferenceUsed: "لدفعة أخرى هذا المرجع. اختر غيره أو اترك الحقل فارغًا.",
	Expiry:        "يُدفع خلال", ExpiryMissing: "اختر المهلة.",
	NoApplication: "لا يوجد تطبيق يعمل. فعّل تطبيقًا أولًا.",
	PageTitle:     "رابط الدفع", Share: "أرسله إلى الزبون", Link: "الرابط", QRLabel: "رمز QR لصفحة الدفع",
	Scan: "أو دع الزبون يمسح هذا الرمز بكاميرا هاتفه.", WhatsApp: "أرسله بواتساب", ShareButton: "مشاركة…", Copy: "انسخ الرابط",
	Copied: "نُسخ", Text: "نص الرسالة", ToPayment: "إلى الدفعة", Another: "رابط آخر",
	NotOpen: "لم تعد هذه الدفعة مفتوحة، فلا يُدفع رابطها.", Once: "يُدفع الرابط مرة واحدة. من يملكه يرى المبلغ والوصف، فلا تنشره علنًا.",
	ExpiryChoices: map[string]string{"hour": "ساعة", "day": "يوم", "three-days": "ثلاثة أيام", "week": "أسبوع", "month": "ثلاثين يومًا"},
	MessageOf:     "{shop}: المطلوب {amount} لقاء «{description}». للدفع:",
}

var englishLinks = linkTexts{
	Title: "New payment link", Intro: "For sales by telephone or on social media: enter the amount and send the link to the customer. The payment is like any other, and its webhooks go to your application, too.",
	New: "New payment link", Create: "Create the link",
	Application: "For which application?", ApplicationMissing: "Choose the application.", Inactive: "This application is not active.",
	Amount: "Amount in dinars", AmountHint: "Such as 25.500", AmountBad: "Enter an amount from 1.000 to 1,000,000.000 dinars.",
	Description: "What does the customer pay for?", DescriptionHint: "The customer sees it on the payment page and on the receipt.",
	DescriptionBad: "Write one line of at most 255 characters.",
	Reference:      "Your reference", ReferenceHint: "Optional, such as the number of your invoice. An application uses each once.", ReferenceBad: "Write one line of at most 255 characters.",
	ReferenceUsed: "Another payment has this reference. Choose another one or leave the field empty.",
	Expiry:        "To be paid within", ExpiryMissing: "Choose the time.",
	NoApplication: "No application is active. Activate one first.",
	PageTitle:     "Payment link", Share: "Send it to the customer", Link: "Link", QRLabel: "QR code of the payment page",
	Scan: "Or let the customer scan this code with the phone's camera.", WhatsApp: "Send by WhatsApp", ShareButton: "Share…", Copy: "Copy the link",
	Copied: "Copied", Text: "Text of the message", ToPayment: "To the payment", Another: "Another link",
	NotOpen: "This payment is no longer open, so its link cannot be paid.", Once: "The link can be paid once. Anybody who has it sees the amount and the description, so do not publish it.",
	ExpiryChoices: map[string]string{"hour": "one hour", "day": "one day", "three-days": "three days", "week": "one week", "month": "thirty days"},
	MessageOf:     "{shop} asks for {amount}, for “{description}”. To pay:",
}
