package checkout

import "daftar/internal/locale"

type payTexts struct {
	Title            string
	Question         string
	OpenUntil        string
	TimeLeft         string // before a clock: 4:59
	Left             leftTexts
	OutOfOrder       string // in place of a method's hint
	NoneOffered      string
	LimitedTitle     string
	Limited          string // before the time
	LimitedForGood   string // before what to do instead
	Phone            string
	PhoneExample     string // before a number
	Button           string // before the amount
	NothingTyped     string // in place of the fields, for ways that need none
	NoCardNumber     string
	MethodMissing    string
	MethodOutOfOrder string
	MethodLimited    func(until string) string
	PhoneMissing     string
	PhoneNotMobile   string
	PhoneLimited     func(until string) string
	// PhoneOtherNetwork names the prefixes with which a number has to begin, joined by Or.
	PhoneOtherNetwork  func(prefixes string) string
	Or                 string
	BirthYear          string
	BirthYearHint      string
	BirthYearMissing   string
	BirthYearMalformed string
	FailedTitle        string
	NoMoneyTaken       string
}

// leftTexts are spoken when that much time is left to pay.
type leftTexts struct {
	TenMinutes    string
	FiveMinutes   string
	OneMinute     string
	ThirtySeconds string
}

func payTextsIn(say locale.Say) payTexts {
	return payTexts{
		Title:     say("الدفع", "Pay"),
		Question:  say("كيف تريد أن تدفع؟", "How do you want to pay?"),
		OpenUntil: say("ينتهي", "Valid until"), TimeLeft: say("الوقت المتبقي", "Time left"),
		Left: leftTexts{
			TenMinutes:    say("بقيت عشر دقائق للدفع.", "Ten minutes left to pay."),
			FiveMinutes:   say("بقيت خمس دقائق للدفع.", "Five minutes left to pay."),
			OneMinute:     say("بقيت دقيقة واحدة للدفع.", "One minute left to pay."),
			ThirtySeconds: say("بقيت ثلاثون ثانية للدفع.", "Thirty seconds left to pay."),
		},
		OutOfOrder: say("غير متاحة الآن", "Not available right now"),
		NoneOffered: say("لا توجد وسيلة دفع متاحة الآن. حاول مرة أخرى بعد قليل.",
			"No payment method is available right now. Please try again in a little while."),
		LimitedTitle: say("محاولات كثيرة", "Too many attempts"),
		Limited: say("جرت محاولات كثيرة لدفع هذه الطلبية. يمكنك المحاولة مرة أخرى يوم",
			"There were many attempts to pay this order. You can try again on"),
		LimitedForGood: say("جرت محاولات كثيرة لدفع هذه الطلبية، ولم يعد هذا الرابط يقبل المزيد.",
			"There were many attempts to pay this order, so this link takes no more of them."),
		Phone: say("رقم الهاتف", "Phone number"), PhoneExample: say("مثال:", "Example:"),
		Button: say("ادفع", "Pay"),
		NothingTyped: say("لا شيء تكتبه هنا: تُكمل الدفع في الخطوة التالية.",
			"Nothing to fill in here: you finish paying in the next step."),
		NoCardNumber: say("لا يصل رقم بطاقتك إلينا ولا إلى المتجر.",
			"Your card number never reaches us or the shop."),
		MethodMissing: say("اختر وسيلة الدفع.", "Choose how you want to pay."),
		MethodOutOfOrder: say("الوسيلة التي اخترتها غير متاحة الآن. اختر وسيلة أخرى.",
			"The way you chose is not available right now. Choose another one."),
		MethodLimited: func(until string) string {
			return say("أُرسلت رموز كثيرة خلال الساعة الماضية. يمكنك طلب رمز بعد الساعة "+until+".",
				"Too many codes were sent in the last hour. You can get one again at "+until+".")
		},
		PhoneMissing: say("اكتب رقم هاتفك.", "Enter your phone number."),
		PhoneNotMobile: say("اكتب رقم هاتف محمول ليبي: عشرة أرقام تبدأ بـ \u206609\u2069.",
			"Enter a Libyan mobile number: ten digits that begin with 09."),
		PhoneLimited: func(until string) string {
			return say("أُرسلت رموز كثيرة إلى هذا الرقم خلال الساعة الماضية. يمكنك استعماله بعد الساعة "+until+
				"، أو استعمل رقمًا آخر الآن.",
				"Too many codes were sent to this number in the last hour. It can get one again at "+until+
					". Until then, use another number.")
		},
		PhoneOtherNetwork: func(prefixes string) string {
			return say("هذه الوسيلة تقبل الأرقام التي تبدأ بـ "+prefixes+" فقط.",
				"This payment method takes numbers that begin with "+prefixes+" only.")
		},
		Or: say(" أو ", " or "), BirthYear: say("سنة الميلاد", "Year of birth"),
		BirthYearHint:    say("لصاحب الرقم، مثل 1990", "The owner’s, like 1990"),
		BirthYearMissing: say("اكتب سنة الميلاد.", "Enter the year of birth."),
		BirthYearMalformed: say("اكتب سنة الميلاد بأربعة أرقام، مثل 1990.",
			"Enter the year of birth in four digits, for example 1990."),
		FailedTitle:  say("لم يتم الدفع", "Not paid"),
		NoMoneyTaken: say("لم يُسحب أي مبلغ.", "No money was taken."),
	}
}
