package view

import "daftar/reconcile"

// reconcileTexts are the words of the page that compares a statement with the ledger.
type reconcileTexts struct {
	Title, Intro, Link                                 string
	Acquirer, File, FileHint, DaysHint, Unit           string
	OwnUnit, Dinars, Dirhams, Compare, Another         string
	NoAcquirer, NoUnit, NoFile, LargeFile, BrokenFile  string
	TooMany, Days, To, Statement, Ledger, Difference   string
	Matched, Agree, Differ, Found, Table, Line, Column string
	What, When, Stated, Recorded, Reference, FirstLine string
	Open, More, Unpaid, Elsewhere, Passed, Zeros, None string
	Kinds                                              map[reconcile.Kind]kindTexts
	Problems                                           map[reconcile.Problem]string
}

var arabicReconcile = reconcileTexts{
	Title: "مطابقة كشف جهة الدفع", Link: "طابق كشف جهة الدفع مع السجل",
	Intro:    "قارن كشف جهة الدفع بما في السجل لتعرف ما ينقص في أي منهما، حتى آخر درهم. لا نحتفظ بالملف، وتُسجَّل المقارنة في سجل التدقيق.",
	Acquirer: "جهة الدفع", File: "ملف الكشف",
	FileHint: "ملف CSV لا يتجاوز 32 ميغابايت، أو Excel (XLSX) لا يتجاوز 16. فيه أسماء الأعمدة: المبلغ أو الدائن والمدين، والمرجع أو رقم العملية أو البيان، والأفضل التاريخ أيضًا.",
	DaysHint: "إن تركت اليومين فارغين قارنّا الأيام التي في الكشف.", Unit: "المبالغ في الملف",
	OwnUnit: "كما تكتبها جهة الدفع", Dinars: "بالدينار", Dirhams: "بالدرهم", Compare: "قارن", Another: "قارن كشفًا",
	NoAcquirer: "اختر جهة دفع من القائمة.", NoUnit: "اختر الدينار أو الدرهم من القائمة.", NoFile: "اختر ملف الكشف.",
	LargeFile: "الملف أكبر من 32 ميغابايت. قسّمه حسب الأيام.", BrokenFile: "لم يصل الملف كاملًا. أرسله مرة أخرى.",
	TooMany: "في هذه المدة مدفوعات أكثر مما نقارنه مرة واحدة. اختر مدة أقصر.", Days: "من", To: "إلى",
	Statement: "الكشف", Ledger: "السجل", Difference: "الفرق", Matched: "متطابقة",
	Agree: "الكشف والسجل متطابقان.", Differ: "بين الكشف والسجل اختلاف.", Found: "ما وجدناه", Table: "نتيجة المقارنة، الأهم أولًا",
	Line: "السطر", Column: "العمود", What: "ماذا", When: "الوقت (بتوقيت ليبيا)", Stated: "في الكشف", Recorded: "في السجل",
	Reference: "المرجع", FirstLine: "ورد أولًا في السطر", Open: "افتح الدفعة", More: "نتائج أخرى لا تظهر في الجدول:",
	Unpaid: "أسطر غير مدفوعة لم تُحسب:", Elsewhere: "أسطر خارج المدة لم تُقارن:",
	Passed: "أسطر ليست دفعات، كالمجاميع والملاحظات والرسوم:", Zeros: "لعل الملف فقد الأصفار من أول الرقم:",
	None: "لا شيء",
	Kinds: map[reconcile.Kind]kindTexts{
		reconcile.MissingInStatement: {"ليست في الكشف", "دفعات في السجل لا يذكرها الكشف. اسأل جهة الدفع عنها، فقد تظهر في الكشف التالي."},
		reconcile.MissingInLedger:    {"ليست في السجل", "أسطر لم نجد لها دفعة. ربما هي من نظام آخر يستعمل الحساب نفسه، أو دفعة سُجّلت على أنها لم تنجح."},
		reconcile.AmountDiffers:      {"مبلغان مختلفان", "الدفعة نفسها بمبلغ في الكشف ومبلغ آخر في السجل. تأكد أن عمود المبلغ لا تُخصم منه العمولة."},
		reconcile.CurrencyDiffers:    {"عملتان مختلفتان", "السطر بعملة غير الدينار. اسأل جهة الدفع عنه."},
		reconcile.SeveralReferences:  {"عدة دفعات في سطر", "في السطر مراجع أكثر من دفعة، فلا نعرف لأيها المبلغ. قارنه بنفسك."},
		reconcile.TwiceInStatement:   {"مكررة في الكشف", "سطر آخر يخص الدفعة نفسها. إن اختلف رقم العملية فقد دفع الزبون مرتين ويُردّ له مبلغ."},
		reconcile.NotYetInLedger:     {"لم تصل إلى السجل بعد", "نتيجة المحاولة أو رد المبلغ غير معروفة بعد، وسيُسأل عنها من جديد أو يراجعها المشغّل."},
		reconcile.OutsideSpan:        {"على حدود المدة", "وقتها في الكشف داخل المدة وفي السجل خارجها، أو العكس. ليست اختلافًا."},
	},
	Problems: map[reconcile.Problem]string{
		reconcile.ProblemEmpty:         "ليس في الملف سطر بأسماء الأعمدة.",
		reconcile.ProblemEncoding:      "النص ليس بترميز UTF-8، ولعله Windows-1256. احفظ الملف بصيغة CSV UTF-8 أو XLSX.",
		reconcile.ProblemOldWorkbook:   "هذا ملف Excel قديم (XLS) أو محمي بكلمة مرور. احفظه بصيغة XLSX بلا كلمة مرور، أو CSV UTF-8.",
		reconcile.ProblemDocument:      "هذا ليس جدولًا، بل ملف PDF أو صورة أو ملف مضغوط. اطلب الكشف بصيغة CSV أو XLSX.",
		reconcile.ProblemWorkbook:      "هذا ليس ملف Excel (XLSX) يمكن قراءته. احفظه من Excel بصيغة XLSX أو CSV UTF-8.",
		reconcile.ProblemLargeWorkbook: "ملف Excel أكبر من 16 ميغابايت، أو يصير بعد فكّه أكبر من 128. احفظ ورقته بصيغة CSV UTF-8، أو قسّمه حسب الأيام.",
		reconcile.ProblemTwoSheets:     "أكثر من ورقة في الملف قد تكون هي الكشف. احذف ما لا يلزم منها.",
		reconcile.ProblemDate:          "يعرض Excel الخانة تاريخًا، ولعله حوّل إليه مبلغًا مثل 12.5. صدّر الملف من جديد.", reconcile.ProblemFormula: "معادلة الخانة بلا قيمة.",
		reconcile.ProblemMarkup:    "هذه صفحة ويب (HTML) أو ملف XML مهما كان اسم الملف. افتحه في Excel واحفظه بصيغة XLSX أو CSV UTF-8.",
		reconcile.ProblemExtraCell: "خانات السطر أكثر من أسماء الأعمدة.", reconcile.ProblemTwoAmounts: "في السطر مبلغ دائن ومبلغ مدين معًا.",
		reconcile.ProblemNumber: "فقد الرقم بعض خاناته في برنامج الجداول. صدّر الملف من جديد، أو اقرأ عموده نصًا.",
		reconcile.ProblemQuotes: "علامات الاقتباس في الملف غير سليمة.", reconcile.ProblemTooLong: "أسطر الملف أكثر مما نقارنه مرة واحدة. قسّمه حسب الأيام.",
		reconcile.ProblemLongLine: "السطر أطول من 64 كيلوبايت. الملف ليس جدولًا، أو فيه علامة اقتباس لم تُغلق.",
		reconcile.ProblemLongCell: "الخانة أطول من 1000 بايت.", reconcile.ProblemColumns: "في السطر أكثر من 200 خانة.",
		reconcile.ProblemNoColumn: "لا يوجد عمود كهذا في الملف.", reconcile.ProblemTwoColumns: "أكثر من عمود بهذا الاسم. غيّر اسم ما لا يلزم منها.",
		reconcile.ProblemShortLine: "خانات السطر أقل من أسماء الأعمدة.",
		reconcile.ProblemDinars:    "ليس مبلغًا بالدينار مثل 12.500 أو 1,234.500.", reconcile.ProblemDirhams: "ليس عددًا صحيحًا من الدراهم. إن كانت المبالغ بالدينار فاختر ذلك.",
		reconcile.ProblemSign: "النوع دفعة والمبلغ تحت الصفر.", reconcile.ProblemCurrency: "ليس رمز عملة مثل LYD.",
		reconcile.ProblemTime:   "ليس وقتًا مثل 2026-11-20 22:41:00 أو 20/11/2026.",
		reconcile.ProblemStatus: "كلمة لا نعرف منها هل دُفع المبلغ.", reconcile.ProblemType: "كلمة لا نعرف منها هل هي دفعة أم رد مبلغ.",
		reconcile.ProblemNoTimes: "ليس في الملف أوقات. حدّد يوم البداية ويوم النهاية.", reconcile.ProblemDays: "في الملف أيام بلا ساعات. حدّد المدة بالأيام.",
	},
}

var englishReconcile = reconcileTexts{
	Title: "Reconciliation", Link: "Compare an acquirer’s statement with the ledger",
	Intro:    "Compare an acquirer’s statement with the ledger and see what is missing on either side, to the dirham. The file is not kept; the comparison is recorded in the audit trail.",
	Acquirer: "Acquirer", File: "Statement",
	FileHint: "A CSV file of 32 MiB or an Excel workbook (.xlsx) of 16 MiB at most, with the names of its columns: the amount, or credit and debit; the reference, the transaction number or the description; better also the date.",
	DaysHint: "Without them it is the days that the statement has.", Unit: "Amounts in the file",
	OwnUnit: "As the acquirer writes them", Dinars: "In dinars", Dirhams: "In dirhams", Compare: "Compare", Another: "Compare a statement",
	NoAcquirer: "Choose an acquirer from the list.", NoUnit: "Choose dinars or dirhams from the list.", NoFile: "Choose the file of the statement.",
	LargeFile: "The file is larger than 32 MiB. Split it by days.", BrokenFile: "The file did not arrive as a whole. Send it again.",
	TooMany: "There are more payments in these days than are compared at once. Choose fewer days.", Days: "From", To: "to",
	Statement: "Statement", Ledger: "Ledger", Difference: "Difference", Matched: "Matched",
	Agree: "The statement and the ledger agree.", Differ: "The statement and the ledger differ.", Found: "What was found", Table: "Result of the comparison, the worst first",
	Line: "Line", Column: "Column", What: "What", When: "Time (Tripoli)", Stated: "In the statement", Recorded: "In the ledger",
	Reference: "Reference", FirstLine: "First in line", Open: "Open the payment", More: "More that the table does not show:",
	Unpaid: "Unpaid lines, not counted:", Elsewhere: "Lines outside these days, not compared:",
	Passed: "Lines that are no payments, such as totals, remarks and fees:", Zeros: "The file may have lost the zeros at the beginning of:",
	None: "None",
	Kinds: map[reconcile.Kind]kindTexts{
		reconcile.MissingInStatement: {"Not in the statement", "Payments of the ledger that the statement does not have. Ask the acquirer; they may come in the next statement."},
		reconcile.MissingInLedger:    {"Not in the ledger", "Lines that no payment was found for: of another system with the same account, or a payment that was recorded as failed."},
		reconcile.AmountDiffers:      {"Amounts differ", "The same payment with one amount in the statement and another in the ledger. Make sure that no fee is taken off the column of amounts."},
		reconcile.CurrencyDiffers:    {"Currencies differ", "The line is in another currency than the dinar. Ask the acquirer."},
		reconcile.SeveralReferences:  {"Several payments in a line", "The line has the references of several payments, so nothing says which one its amount is of. Compare it by hand."},
		reconcile.TwiceInStatement:   {"Twice in the statement", "Another line is about the same payment. If the transaction numbers differ, the customer paid twice and one amount goes back."},
		reconcile.NotYetInLedger:     {"Not yet in the ledger", "The outcome of the attempt or of the refund is not known yet: the acquirer is asked again, or the operator looks into it."},
		reconcile.OutsideSpan:        {"At the border of the days", "In the statement within these days and in the ledger outside of them, or the other way round. It is no difference."},
	},
	Problems: map[reconcile.Problem]string{
		reconcile.ProblemEmpty:         "The file has no line with the names of its columns.",
		reconcile.ProblemEncoding:      "The text is not UTF-8, perhaps Windows-1256. Save the file as CSV UTF-8 or as .xlsx.",
		reconcile.ProblemOldWorkbook:   "This is a workbook of Excel before 2007 (.xls), or one with a password. Save it as .xlsx without a password, or as CSV UTF-8.",
		reconcile.ProblemDocument:      "This is no table but a PDF, a picture or an archive. Ask for the statement as CSV or .xlsx.",
		reconcile.ProblemWorkbook:      "This is no Excel workbook (.xlsx) that can be read. Save it in Excel as .xlsx, or as CSV UTF-8.",
		reconcile.ProblemLargeWorkbook: "The workbook is larger than 16 MiB, or than 128 MiB unpacked. Save its sheet as CSV UTF-8, or split it by days.",
		reconcile.ProblemTwoSheets:     "Several sheets could be the statement. Delete those that are not meant.",
		reconcile.ProblemDate:          "Excel shows the cell as a date. It may have made one of an amount such as 12.5: export the file again.", reconcile.ProblemFormula: "The formula of the cell has no value.",
		reconcile.ProblemMarkup:    "This is a web page (HTML) or XML, whatever its name says. Open it in Excel and save it as .xlsx or CSV UTF-8.",
		reconcile.ProblemExtraCell: "The line has more cells than the line with the names.", reconcile.ProblemTwoAmounts: "The line has a credit and a debit.",
		reconcile.ProblemNumber: "The number lost digits in a spreadsheet. Export the file again, or read its column as text.",
		reconcile.ProblemQuotes: "The quotation marks of the file do not fit together.", reconcile.ProblemTooLong: "The file has more lines than are compared at once. Split it by days.",
		reconcile.ProblemLongLine: "The line is longer than 64 KiB. The file is no table, or a quotation mark in it has no end.",
		reconcile.ProblemLongCell: "The cell is longer than 1,000 bytes.", reconcile.ProblemColumns: "The line has more than 200 cells.",
		reconcile.ProblemNoColumn: "The file has no such column.", reconcile.ProblemTwoColumns: "Several columns have this name. Rename those that are not meant.",
		reconcile.ProblemShortLine: "The line has fewer cells than the line with the names.",
		reconcile.ProblemDinars:    "Not an amount in dinars such as 12.500 or 1,234.500.", reconcile.ProblemDirhams: "Not a whole number of dirhams. If the amounts are in dinars, choose that.",
		reconcile.ProblemSign: "The type says payment, and the amount is below zero.", reconcile.ProblemCurrency: "Not a code of a currency such as LYD.",
		reconcile.ProblemTime:   "Not a time such as 2026-11-20 22:41:00 or 20/11/2026.",
		reconcile.ProblemStatus: "A word that does not say whether the amount was paid.", reconcile.ProblemType: "A word that does not say whether it is a payment or a refund.",
		reconcile.ProblemNoTimes: "The file has no times. Choose the first and the last day.", reconcile.ProblemDays: "The file has days without a time of day. Choose whole days.",
	},
}
