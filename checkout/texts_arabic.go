package checkout

import "strconv"

var arabic = texts{
	AmountDue:   "المبلغ المطلوب",
	For:         "الوصف",
	Amount:      "المبلغ",
	Reference:   "المرجع",
	BackTo:      "العودة إلى",
	ErrorPrefix: "خطأ: ",
	ErrorTitle:  "صحّح ما يلي لتكمل الدفع",
	CheckNow:    "تحقّق الآن",
	Methods: methodsTexts{
		Wallet:   methodTexts{Name: "المحفظة الإلكترونية", Hint: "يصلك رمز في رسالة نصية"},
		Card:     methodTexts{Name: "بطاقة مصرفية محلية", Hint: "تنتقل إلى صفحة المصرف"},
		Adfali:   methodTexts{Name: "ادفع لي", Hint: "يصلك رمز في رسالة نصية"},
		Sadad:    methodTexts{Name: "سداد", Hint: "لأرقام المدار، ويصلك رمز في رسالة نصية"},
		Cards:    methodTexts{Name: "بطاقة مصرفية محلية", Hint: "تنتقل إلى صفحة المصرف"},
		TLync:    methodTexts{Name: "تي لينك", Hint: "محافظ وبطاقات في صفحة تي لينك"},
		Moamalat: methodTexts{Name: "بطاقة مصرفية عبر معاملات", Hint: "تُدخل بطاقتك في نموذج معاملات"},
		LYPay:    methodTexts{Name: "لي باي", Hint: "تمسح رمز QR بتطبيق مصرفك"},
	},
	Reasons: reasonTexts{
		Declined:          "رفضت جهة الدفع العملية. تواصل مع مصرفك أو اختر وسيلة أخرى.",
		InsufficientFunds: "الرصيد لا يكفي. اشحن محفظتك أو اختر وسيلة أخرى.",
		CodeLocked:        "أُدخل رمز التحقق خطأً عدة مرات، فأُغلقت هذه المحاولة.",
		CodeExpired:       "انتهت صلاحية رمز التحقق قبل إدخاله.",
		Abandoned:         "توقفت عملية الدفع قبل أن تكتمل.",
		PhoneRefused:      "هذا الرقم غير مسجّل في خدمة المحفظة.",
		DetailsRefused:    "رقم الهاتف وسنة الميلاد لا يتطابقان، أو أن الرقم غير مسجّل في الخدمة.",
		AmountRefused:     "هذه الوسيلة لا تقبل هذا المبلغ.",
		TimedOut:          "لم تكتمل عملية الدفع في الوقت المتاح.",
		Unreachable:       "تعذّر الوصول إلى جهة الدفع.",
		AccountRefused:    "لا يستطيع المتجر استقبال الدفع بهذه الوسيلة حاليًا. اختر وسيلة أخرى.",
		TooManyCodes:      "أُرسلت رموز كثيرة خلال ساعة، فلم نرسل رمزًا هذه المرة.",
		Expired:           "انتهت المهلة قبل أن يُسحب المبلغ.",
		SettledByOperator: "راجع موظفونا العملية وتأكدوا أنها لم تتم.",
	},
	Pay: payTexts{
		Title:     "الدفع",
		Question:  "كيف تريد أن تدفع؟",
		OpenUntil: "صالح حتى",
		TimeLeft:  "الوقت المتبقي",
		Left: leftTexts{
			TenMinutes: "بقيت عشر دقائق للدفع.", FiveMinutes: "بقيت خمس دقائق للدفع.",
			OneMinute: "بقيت دقيقة واحدة للدفع.", ThirtySeconds: "بقيت ثلاثون ثانية للدفع.",
		},
		OutOfOrder:       "غير متاحة الآن",
		NoneOffered:      "لا توجد وسيلة دفع متاحة الآن. حاول مرة أخرى بعد قليل.",
		LimitedTitle:     "محاولات كثيرة",
		Limited:          "جرت محاولات كثيرة لدفع هذا الطلب. يمكنك المحاولة مرة أخرى يوم",
		LimitedForGood:   "جرت محاولات كثيرة لدفع هذا الطلب، ولم يعد هذا الرابط يقبل المزيد.",
		Phone:            "رقم الهاتف",
		PhoneExample:     "مثال:",
		Button:           "ادفع",
		NoCardNumber:     "لا يصل رقم بطاقتك إلينا ولا إلى المتجر.",
		MethodMissing:    "اختر وسيلة الدفع.",
		MethodOutOfOrder: "الوسيلة التي اخترتها غير متاحة الآن. اختر وسيلة أخرى.",
		MethodLimited: func(until string) string {
			return "أُرسلت رموز كثيرة خلال الساعة الماضية. يمكنك طلب رمز بعد الساعة " + until + "."
		},
		PhoneMissing:   "اكتب رقم هاتفك.",
		PhoneNotMobile: "اكتب رقم هاتف محمول ليبي: عشرة أرقام تبدأ بـ \u206609\u2069.",
		PhoneLimited: func(until string) string {
			return "أُرسلت رموز كثيرة إلى هذا الرقم خلال الساعة الماضية. يمكنك استعماله بعد الساعة " + until + "، أو استعمل رقمًا آخر الآن."
		},
		PhoneOtherNetwork: func(prefixes string) string {
			return "هذه الوسيلة تقبل الأرقام التي تبدأ بـ " + prefixes + " فقط."
		},
		Or:                 " أو ",
		BirthYear:          "سنة الميلاد",
		BirthYearHint:      "لصاحب الرقم، مثل 1990",
		BirthYearMissing:   "اكتب سنة الميلاد.",
		BirthYearMalformed: "اكتب سنة الميلاد بأربعة أرقام، مثل 1990.",
		FailedTitle:        "لم يتم الدفع",
		NoMoneyTaken:       "لم يُسحب أي مبلغ.",
		TryAgain:           "يمكنك المحاولة مرة أخرى.",
	},
	OTP: otpTexts{
		Title:       "أدخل رمز التحقق",
		ResentTitle: "أدخل رمز التحقق الجديد",
		Resent:      "أرسلنا رمز تحقق جديدًا. الرمز السابق لم يعد صالحًا.",
		SentTo:      "أرسلنا رمز التحقق في رسالة نصية إلى",
		Code:        "رمز التحقق",
		Digits:      arabicDigits,
		Button:      "أكّد دفع",
		NeverShare:  "لا تُعطِ هذا الرمز لأحد، ولو قال إنه من المتجر أو المصرف.",
		NotArrived:  "لم يصلك رمز التحقق؟",
		Resend:      "أرسل رمزًا جديدًا",
		ResendIn:    "يمكنك طلب رمز جديد بعد",
		ResendNow:   "يمكنك الآن طلب رمز جديد.",
		OtherMethod: "غيّر الرقم أو وسيلة الدفع",
		Missing:     "اكتب رمز التحقق الذي وصلك.",
		Malformed:   "رمز التحقق أرقام فقط. اكتبه كما وصلك.",
		Wrong:       "رمز التحقق غير صحيح. راجع الرسالة واكتبه مرة أخرى.",
		TriesLeft:   arabicTriesLeft,
		TooMany:     "جرّبت رموزًا كثيرة في وقت قصير. انتظر قليلًا ثم أدخل الرمز.",
		TooManyWait: "حاول مرة أخرى بعد",
		TryNow:      "يمكنك الآن إدخال الرمز.",
		Limited: func(until string) string {
			return "أُدخلت رموز خاطئة كثيرة خلال الساعة الماضية. يمكنك إدخال رمز بعد الساعة " + until + "."
		},
		ResendLimited: func(until string) string {
			return "أُرسلت رموز كثيرة خلال الساعة الماضية. يمكنك طلب رمز جديد بعد الساعة " + until + "."
		},
	},
	Lightbox: lightboxTexts{
		Title:    "ادفع ببطاقتك المصرفية",
		What:     "يُفتح نموذج معاملات في هذه الصفحة، ولا يصل رقم بطاقتك إلا إلى معاملات.",
		Button:   "افتح النموذج وادفع",
		Missing:  "تعذّر تحميل النموذج. تحقّق من اتصالك ثم افتح الصفحة مرة أخرى.",
		NoScript: "تحتاج هذه الوسيلة إلى JavaScript، وهي متوقفة في متصفحك. شغّلها، أو ادفع بوسيلة أخرى.",
	},
	QR: qrTexts{
		Title:     "امسح رمز QR وادفع من تطبيق مصرفك",
		What:      "افتح تطبيق مصرفك واختر لي باي، ثم امسح رمز QR هذا وأكّد الدفع.",
		Picture:   "رمز QR لهذه الدفعة عبر لي باي",
		Save:      "احفظ الصورة",
		SamePhone: "تدفع من هذا الهاتف نفسه؟ احفظ الصورة ثم اخترها في التطبيق.",
		Once:      "ادفع مرة واحدة فقط.",
	},
	Processing: processingTexts{
		Title:         "ننتظر تأكيد الدفع",
		DoNotPayAgain: "لا تدفع مرة أخرى.",
		ByItself:      "تُحدَّث هذه الصفحة تلقائيًا.",
		CardTitle:     "أكمل الدفع في صفحة المصرف",
		CardButton:    "انتقل إلى صفحة المصرف",
		CardPaid:      "إن كنت قد دفعت هناك فلا تدفع مرة أخرى، وستظهر النتيجة هنا.",
		GiveUp:        "ادفع بوسيلة أخرى",
		GiveUpOnlyIf:  "لم تدفع بعد؟ يمكنك ترك هذه المحاولة.",
		TimeOverTitle: "انتهت مهلة الدفع",
		TimeOverWhy:   "كانت عملية الدفع جارية حين انتهت المهلة. نسأل جهة الدفع الآن كيف انتهت.",
		UnknownTitle:  "ما زلنا نتحقق من الدفع",
		UnknownWhy:    "لم يصلنا بعدُ ردّ نهائي من جهة الدفع.",
		MayLeave:      "يمكنك إغلاق هذه الصفحة والعودة إليها متى شئت. سنواصل التحقق ونُبلغ المتجر بالنتيجة. احتفظ بالمرجع.",
	},
	Receipt: receiptTexts{
		Title:         "تم الدفع",
		LateTitle:     "تم الدفع بعد انتهاء المهلة",
		LateNote:      "وصل المبلغ بعد انتهاء مهلة الطلب.",
		ReopenedTitle: "هذا الطلب مدفوع",
		ReopenedNote:  "دُفع هذا الطلب من قبل، وهذا إيصاله. لا تدفع مرة أخرى.",
		TwiceTitle:    "وصلت دفعتان لهذا الطلب",
		TwiceNote:     "الطلب مدفوع، ووصلت بعد ذلك دفعة ثانية بالمبلغ نفسه. الدفعة الثانية من حقك، وعلى المتجر أن يردّها إليك.",
		ShopTold:      "أبلغنا المتجر بذلك.",
		ContactShop:   "تواصل مع المتجر بشأن طلبك واذكر المرجع. لا تدفع مرة أخرى.",
		PaidTo:        "المتجر",
		PaidAt:        "الوقت",
		PaidWith:      "الوسيلة",
		SendBack:      "ننقلك إلى المتجر خلال",
		Stay:          "ابقَ هنا",
		Staying:       "ستبقى في هذه الصفحة.",
		Print:         "اطبع الإيصال",
	},
	Expired: expiredTexts{
		Title:        "انتهت مهلة هذا الطلب",
		StoppedTitle: "أوقف المتجر الدفع لهذا الطلب",
		NoMoneyTaken: "لم يُسحب أي مبلغ.",
		BackToShop:   "ارجع إلى المتجر لتبدأ من جديد.",
		AskShop:      "اطلب من المتجر رابط دفع جديدًا.",
		JustPaid:     "إن كنت قد دفعت قبل قليل فلا تدفع مرة أخرى: سيصل تأكيد الدفع إلى المتجر ويظهر هنا.",

		CheckingTitle: "نتحقق مع جهة الدفع",
		CheckingWhy:   "انتهت مهلة هذا الطلب، لكن وصلتنا رسالة من جهة الدفع بشأن دفعتك. نسألها الآن عن النتيجة.",
		CheckingNext:  "يمكنك إغلاق هذه الصفحة والعودة إليها متى شئت. إن تأكدت الدفعة ظهر إيصالها هنا وأُبلغ المتجر. احتفظ بالمرجع.",
	},
	NotFound: notFoundTexts{
		Title: "لا توجد صفحة دفع هنا",
		What:  "قد يكون الرابط ناقصًا. افتحه كما وصلك من المتجر، أو اطلب منه رابطًا جديدًا.",
	},
	Unavailable: unavailableTexts{
		Title:    "تعذّر عرض الصفحة الآن",
		What:     "العطل من عندنا. حاول مرة أخرى بعد دقيقة.",
		JustPaid: "إن كنت قد دفعت قبل قليل فلا تدفع مرة أخرى. ستظهر النتيجة في هذه الصفحة.",
		Retry:    "حاول مرة أخرى",
	},
}

// arabicDigits says how long the code is.
func arabicDigits(n int) string {
	if n >= 3 && n <= 10 {
		return strconv.Itoa(n) + " أرقام"
	}
	return strconv.Itoa(n) + " رقمًا"
}

// arabicTriesLeft agrees in number: one, two, three to ten, more.
func arabicTriesLeft(n int) string {
	switch {
	case n == 1:
		return "بقيت لك محاولة واحدة."
	case n == 2:
		return "بقيت لك محاولتان."
	case n <= 10:
		return "بقيت لك " + strconv.Itoa(n) + " محاولات."
	}
	return "بقيت لك " + strconv.Itoa(n) + " محاولة."
}
