package view

import "daftar/projections"

// paymentTexts are the words of the list of payments.
type paymentTexts struct {
	Today, PaidToday, Open, Decide string // tiles

	Search, SearchHint, SearchButton                         string
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

var arabicPayments = paymentTexts{
	Today: "اليوم", PaidToday: "مدفوعة اليوم", Open: "بانتظار الدفع", Decide: "تحتاج قرارًا",
	Search: "ابحث عن دفعة", SearchHint: "مرجع، أو مبلغ، أو آخر 4 أرقام من الهاتف، أو كلمات من الوصف. كل كلمة تُضيّق النتيجة:", SearchButton: "ابحث",
	Presets: "المدة", AnyTime: "كل الأوقات", Yesterday: "أمس", ThisMonth: "هذا الشهر",
	SavedViews: "طرق العرض المحفوظة", SaveView: "احفظ طريقة العرض", ManageViews: "إدارة طرق العرض",
	Tabs: "الحالة", Results: "عدد الدفعات", Sort: "الترتيب",
	Newest: "الأحدث أولًا", Oldest: "الأقدم أولًا", Largest: "الأكبر مبلغًا", Smallest: "الأصغر مبلغًا",
	Previous: "السابق", Next: "التالي", TooManyToSort: "لترتيبها حسب المبلغ، ضيّق النتيجة إلى 10,000 دفعة أو أقل.",
	CopyReference: "انسخ المرجع", CopyMerchantReference: "انسخ مرجع التاجر", Copied: "تم النسخ.",
	Filter: "تصفية", Application: "التطبيق", Status: "الحالة", From: "من يوم", To: "إلى يوم", Min: "من مبلغ", Max: "إلى مبلغ",
	All: "كل التطبيقات", AnyStatus: "كل الحالات", Show: "طبّق", Reset: "مسح التصفية", Export: "نزّل ملف CSV", ExportSheet: "نزّل ملف Excel",
	ExportHint: "كل المدفوعات المطابقة للتصفية والبحث. يُسجَّل التنزيل في سجل التدقيق.", Dinars: "بالدينار",
	NoApplication: "اختر تطبيقًا من القائمة.", NoStatus: "اختر حالة من القائمة.", BadDay: "اكتب يومًا صحيحًا، مثل 2026-11-20.",
	DaysCross: "يوم النهاية قبل يوم البداية.", BadAmount: "اكتب مبلغًا بالدينار، مثل 1234.500.",
	AmountsCross: "المبلغ الأعلى أقل من المبلغ الأدنى.", SearchLong: "نص البحث أطول مما يلزم.",
	Description: "الوصف", MerchantReference: "مرجع التاجر", Amount: "المبلغ", Created: "أُنشئت (بتوقيت ليبيا)",
	Table: "المدفوعات", Matched: "طابق", Found: "نتائج البحث عن", Twice: "دُفعت مرتين", Refunded: "رُدّ منها مبلغ",
	ByUUID: "المعرّف", ByReference: "المرجع", ByMerchantReference: "مرجع التاجر", ByCustomer: "الزبون",
	Newer: "الأحدث", Older: "الأقدم", Pages: "صفحات القائمة", SearchedTo: "توقف البحث عند", Continue: "واصل البحث",
	None: "لا توجد مدفوعات بعد.", NoneHint: "تظهر هنا كل دفعة تنشئها أنت أو ينشئها تطبيقك. لربط متجرك:",
	NoneFiltered: "لا توجد دفعة بهذه الشروط.", NoneFilteredHint: "وسّع المدة أو المبلغ، أو اعرض المدفوعات كلها.",
	NotFound: "لم نجد دفعة بهذا النص.", NotFoundHint: "تأكد من كتابته كاملًا: المرجع عشرة أحرف وأرقام كما في الإيصال، ومرجع التاجر ومعرّف الزبون كما أرسلهما تطبيقك تمامًا.",
	ToList: "كل المدفوعات", ToDevelopers: "ركن المطوّرين", NoneViewer: "تظهر هنا كل دفعة تنشئها تطبيقات مؤسستك.",
}

var englishPayments = paymentTexts{
	Today: "Today", PaidToday: "Paid today", Open: "Awaiting payment", Decide: "To decide",
	Search: "Find a payment", SearchHint: "A reference, an amount, the last 4 digits of the phone, a customer or words of the description. Each word narrows it:", SearchButton: "Search",
	Presets: "Time", AnyTime: "Any time", Yesterday: "Yesterday", ThisMonth: "This month",
	SavedViews: "Saved views", SaveView: "Save this view", ManageViews: "Manage views",
	Tabs: "Status", Results: "Payments", Sort: "Order",
	Newest: "Newest first", Oldest: "Oldest first", Largest: "Largest amount", Smallest: "Smallest amount",
	Previous: "Previous", Next: "Next", TooManyToSort: "To sort by amount, narrow this to 10,000 payments or fewer.",
	CopyReference: "Copy the reference", CopyMerchantReference: "Copy the merchant reference", Copied: "Copied.",
	Filter: "Filter", Application: "Application", Status: "Status", From: "From day", To: "To day", Min: "From amount", Max: "To amount",
	All: "All applications", AnyStatus: "Any status", Show: "Show", Reset: "Clear filters", Export: "Download CSV", ExportSheet: "Download for Excel",
	ExportHint: "All payments that fit the filter and the search. The download is recorded in the audit trail.", Dinars: "in dinars",
	NoApplication: "Choose an application from the list.", NoStatus: "Choose a status from the list.", BadDay: "Enter a day such as 2026-11-20.",
	DaysCross: "The last day is before the first.", BadAmount: "Enter an amount in dinars such as 1234.500.",
	AmountsCross: "The highest amount is below the lowest.", SearchLong: "This is longer than anything that can be found.",
	Description: "Description", MerchantReference: "Merchant reference", Amount: "Amount", Created: "Created (Tripoli)",
	Table: "Payments", Matched: "Matched", Found: "Found for", Twice: "Paid twice", Refunded: "Money given back",
	ByUUID: "uuid", ByReference: "reference", ByMerchantReference: "merchant reference", ByCustomer: "customer",
	Newer: "Newer", Older: "Older", Pages: "Pages of the list", SearchedTo: "The search stopped at", Continue: "Search on",
	None: "There are no payments yet.", NoneHint: "Every payment that you or your application create appears here. To connect your shop:",
	NoneFiltered: "No payment fits these conditions.", NoneFilteredHint: "Widen the days or the amounts, or show all payments.",
	NotFound: "No payment was found by this text.", NotFoundHint: "Check that it is complete: the reference has ten letters and digits as on the receipt; the merchant reference and the customer’s id must be exactly as your application sent them.",
	ToList: "All payments", ToDevelopers: "Developers’ corner", NoneViewer: "Every payment that your organisation’s applications create appears here.",
}

// MatchedBy names what a text was found as.
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
