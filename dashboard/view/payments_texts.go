package view

import (
	"daftar/internal/locale"
	"daftar/projections"
)

// paymentTexts are the texts of the list of payments.
type paymentTexts struct {
	Today, Paid, Open, Decide string // figures, after their number

	Search, SearchBrief, SearchHint, SearchButton            string
	Since, Until, Without                                    string // of conditions
	Presets, AnyTime, Yesterday, ThisMonth                   string
	SavedViews, SaveView, ManageViews                        string
	Tabs, Results, Sort                                      string
	Newest, Oldest, Largest, Smallest                        string
	Previous, Next, TooManyToSort                            string
	CopyReference, CopyMerchantReference, Copied             string
	Filter, Application, Status, From, To, Min, Max          string
	All, AnyStatus, Show, Reset, Export, ExportHint, Dinars  string
	ExportSheet                                              string
	NoApplication, NoStatus, BadDay, DaysCross               string
	BadAmount, AmountsCross, SearchLong                      string
	Description, MerchantReference, Amount, Created          string
	Table, Matched, Found, Twice, Refunded                   string
	ByUUID, ByReference, ByMerchantReference, ByCustomer     string
	Newer, Older, Pages, SearchedTo, Continue                string
	None, NoneHint, NoneFiltered, NoneFilteredHint           string
	NotFound, NotFoundHint, ToList, ToDevelopers, NoneViewer string
}

func paymentTextsIn(say locale.Say) paymentTexts {
	return paymentTexts{
		Today: say("اليوم", "Today"), Paid: say("مدفوعة", "paid"),
		Open: say("بانتظار الدفع", "awaiting payment"), Decide: say("تحتاج قرارًا", "undecided"),
		Search:      say("ابحث عن دفعة", "Find a payment"),
		SearchBrief: say("مرجع أو مبلغ أو هاتف", "Reference, amount, phone"),
		Since:       say("من", "From"), Until: say("إلى", "to"), Without: say("أزل الشرط", "remove"),
		SearchHint: say("مرجع، أو مبلغ، أو آخر 4 أرقام من الهاتف، أو كلمات من الوصف. كل كلمة تُضيّق النتيجة:",
			"A reference, an amount, the last 4 digits of the phone, a customer or words of the description. "+
				"Each word narrows it:"),
		SearchButton: say("ابحث", "Search"), Presets: say("المدة", "Time"), AnyTime: say("كل الأوقات", "Any time"),
		Yesterday: say("أمس", "Yesterday"), ThisMonth: say("هذا الشهر", "This month"),
		SavedViews:  say("طرق العرض المحفوظة", "Saved views"),
		SaveView:    say("احفظ طريقة العرض", "Save this view"),
		ManageViews: say("إدارة طرق العرض", "Manage views"),
		Tabs:        say("الحالة", "Status"),
		Results:     say("عدد الدفعات", "Payments"),
		Sort:        say("الترتيب", "Order"), Newest: say("الأحدث أولًا", "Newest first"),
		Oldest: say("الأقدم أولًا", "Oldest first"), Largest: say("الأعلى مبلغًا", "Largest amount"),
		Smallest: say("الأصغر مبلغًا", "Smallest amount"),
		Previous: say("السابق", "Previous"), Next: say("التالي", "Next"),
		TooManyToSort: say("لترتيبها حسب المبلغ، ضيّق النتيجة إلى 10,000 دفعة أو أقل.",
			"To sort by amount, narrow this to 10,000 payments or fewer."),
		CopyReference:         say("انسخ المرجع", "Copy the reference"),
		CopyMerchantReference: say("انسخ مرجع التاجر", "Copy the merchant reference"),
		Copied:                say("تم النسخ.", "Copied."), Filter: say("تصفية", "Filter"),
		Application: say("التطبيق", "Application"), Status: say("الحالة", "Status"),
		From: say("من يوم", "From day"), To: say("إلى يوم", "To day"), Min: say("من مبلغ", "From amount"),
		Max: say("إلى مبلغ", "To amount"), All: say("كل التطبيقات", "All applications"),
		AnyStatus: say("كل الحالات", "Any status"), Show: say("طبّق", "Show"),
		Reset: say("مسح التصفية", "Clear filters"), Export: say("نزّل ملف CSV", "Download CSV"),
		ExportSheet: say("نزّل ملف Excel", "Download for Excel"),
		ExportHint: say("كل المدفوعات المطابقة للتصفية والبحث. يُسجَّل التنزيل في سجل التدقيق.",
			"All payments that fit the filter and the search. The download is recorded in the audit trail."),
		Dinars:        say("بالدينار", "in dinars"),
		NoApplication: say("اختر تطبيقًا من القائمة.", "Choose an application from the list."),
		NoStatus:      say("اختر حالة من القائمة.", "Choose a status from the list."),
		BadDay:        say("اكتب يومًا صحيحًا، مثل 2026-11-20.", "Enter a day such as 2026-11-20."),
		DaysCross:     say("يوم النهاية قبل يوم البداية.", "The last day is before the first."),
		BadAmount: say("اكتب مبلغًا بالدينار، مثل \u20681234.500\u2069.",
			"Enter an amount in dinars such as 1234.500."),
		AmountsCross:      say("المبلغ الأعلى أقل من المبلغ الأدنى.", "The highest amount is below the lowest."),
		SearchLong:        say("نص البحث أطول مما يلزم.", "This is longer than anything that can be found."),
		Description:       say("الوصف", "Description"),
		MerchantReference: say("مرجع التاجر", "Merchant reference"),
		Amount:            say("المبلغ", "Amount"),
		Created:           say("أُنشئت (بتوقيت ليبيا)", "Created (Libya’s time)"),
		Table:             say("المدفوعات", "Payments"), Matched: say("طابق", "Matched"),
		Found: say("نتائج البحث عن", "Found for"), Twice: say("دُفعت مرتين", "Paid twice"),
		Refunded: say("رُدّ منها مبلغ", "Refunded"),
		ByUUID:   say("المعرّف", "uuid"), ByReference: say("المرجع", "reference"),
		ByMerchantReference: say("مرجع التاجر", "merchant reference"),
		ByCustomer:          say("الزبون", "customer"),
		Newer:               say("الأحدث", "Newer"),
		Older:               say("الأقدم", "Older"),
		Pages:               say("صفحات القائمة", "Pages of the list"),
		SearchedTo:          say("توقف البحث عند", "The search stopped at"),
		Continue:            say("واصل البحث", "Search on"),
		None:                say("لا توجد مدفوعات بعد.", "There are no payments yet."),
		NoneHint: say("تظهر هنا كل دفعة تنشئها أنت أو ينشئها تطبيقك. لربط متجرك:",
			"Every payment that you or your application create appears here. To connect your shop:"),
		NoneFiltered: say("لا توجد دفعة بهذه الشروط.", "No payment fits these conditions."),
		NoneFilteredHint: say("وسّع المدة أو المبلغ، أو اعرض المدفوعات كلها.",
			"Widen the days or the amounts, or show all payments."),
		NotFound: say("لم نجد دفعة بهذا النص.", "No payment was found by this text."),
		NotFoundHint: say("تأكد من كتابته كاملًا: المرجع عشرة أحرف وأرقام كما في الإيصال، ومرجع التاجر ومعرّف "+
			"الزبون كما أرسلهما تطبيقك تمامًا.",
			"Check that it is complete: the reference has ten letters and digits as on the receipt; the "+
				"merchant reference and the customer’s id must be exactly as your application sent them."),
		ToList:       say("كل المدفوعات", "All payments"),
		ToDevelopers: say("ركن المطوّرين", "Developers’ corner"),
		NoneViewer: say("تظهر هنا كل دفعة تنشئها تطبيقات مؤسستك.",
			"Every payment that your organisation’s applications create appears here."),
	}
}

// MatchedBy names the field in which a search text was found.
func (t paymentTexts) MatchedBy(by projections.MatchedBy) string {
	switch by {
	case projections.MatchedUUID:
		return t.ByUUID
	case projections.MatchedReference:
		return t.ByReference
	case projections.MatchedMerchantReference:
		return t.ByMerchantReference
	case projections.MatchedCustomer:
		return t.ByCustomer
	}
	return ""
}
