package view

import (
	"daftar/internal/locale"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// reconcileTexts are the texts of the page that compares a statement with the ledger.
type reconcileTexts struct {
	Title, Intro, Link                                                       string
	Acquirer, File, FileHint, SameFile, LargeAgain, DaysHint, Unit           string
	OwnUnit, Dinars, Dirhams, Compare, Another                               string
	NoAcquirer, NoUnit, NoFile, LargeFile, BrokenFile                        string
	TooMany, Days, To, Statement, Ledger, Difference                         string
	Matched, Agree, Found, Table, Line, Column                               string
	When, Stated, Recorded, Reference, Number, FirstLine                     string
	Proven, SettleThem, Open, More, Unpaid, Elsewhere, Passed, Zeros, None   string
	StatementLacks, LedgerLacks                                              string // what, sum
	DifferIn, TheyDifferIn                                                   string // in how many
	Comma, And                                                               string // between clauses
	Download, DownloadHint, Differences                                      string
	Choose, ChooseHint, ChooseTitle, ChooseIntro, Preview, Again, ReadAs     string
	NotInFile, NeedsAmount, TwoAmounts, NeedsReference, ColumnTwice          string
	Earlier, EarlierTable, By, Result, EarlierOK, EarlierFailed, EarlierDays string
	Kinds                                                                    map[reconcile.Kind]kindTexts
	Fields                                                                   map[statements.Field]kindTexts
	Problems                                                                 map[reconcile.Problem]string
}

func reconcileTextsIn(say locale.Say) reconcileTexts {
	return reconcileTexts{
		Title: say("مطابقة كشف جهة الدفع", "Reconciliation"),
		Link:  say("طابق كشف جهة الدفع مع السجل", "Compare an acquirer’s statement with the ledger"),
		Intro: say("قارن كشف جهة الدفع بما في السجل لتعرف ما ينقص في أي منهما، حتى آخر درهم. لا نحتفظ بالملف، إلا "+
			"أسطر ما لم تُعرف نتيجته وما تقبله، وتُسجَّل المقارنة في سجل التدقيق.",
			"Compare an acquirer’s statement with the ledger and see what is missing on either side, to the "+
				"dirham. The file is not kept, except for lines of what has an unknown outcome, and what you accept; "+
				"the comparison is recorded in the audit trail."),
		Acquirer: say("جهة الدفع", "Acquirer"), File: say("ملف الكشف", "Statement"),
		FileHint: say("ملف CSV لا يتجاوز 32 ميغابايت، أو Excel (XLSX) لا يتجاوز 16. فيه أسماء الأعمدة: المبلغ "+
			"أو الدائن والمدين، والمرجع أو رقم العملية أو البيان، والأفضل التاريخ أيضًا.",
			"A CSV file of 32 MiB or an Excel workbook (.xlsx) of 16 MiB at most, with the names of its "+
				"columns: the amount, or credit and debit; the reference, the transaction number or the "+
				"description; better also the date."),
		DaysHint: say("إن تركت اليومين فارغين قارنّا الأيام التي في الكشف.",
			"Without them it is the days that the statement has."),
		Unit:    say("المبالغ في الملف", "Amounts in the file"),
		OwnUnit: say("كما تكتبها جهة الدفع", "As the acquirer writes them"),
		Dinars:  say("بالدينار", "In dinars"), Dirhams: say("بالدرهم", "In dirhams"),
		Compare:    say("قارن", "Compare"),
		Another:    say("قارن كشفًا آخر", "Compare another statement"),
		NoAcquirer: say("اختر جهة دفع من القائمة.", "Choose an acquirer from the list."),
		NoUnit:     say("اختر الدينار أو الدرهم من القائمة.", "Choose dinars or dirhams from the list."),
		NoFile:     say("اختر ملف الكشف.", "Choose the file of the statement."),
		LargeFile: say("الملف أكبر من 32 ميغابايت. قسّمه حسب الأيام.",
			"The file is larger than 32 MiB. Split it by days."),
		BrokenFile: say("لم يصل الملف كاملًا. أرسله مرة أخرى.",
			"The file did not arrive as a whole. Send it again."),
		TooMany: say("في هذه المدة مدفوعات أكثر مما نقارنه مرة واحدة. اختر مدة أقصر.",
			"There are more payments in these days than are compared at once. Choose fewer days."),
		Days: say("من", "From"), To: say("إلى", "to"), Statement: say("الكشف", "Statement"),
		Ledger: say("السجل", "Ledger"), Difference: say("الفرق", "Difference"), Matched: say("متطابقة", "Matched"),
		Agree: say("الكشف والسجل متطابقان.", "The statement and the ledger agree."),
		Found: say("ما وجدناه", "What was found"),
		Table: say("نتيجة المقارنة، الأهم أولًا", "Result of the comparison, the worst first"),
		Line:  say("السطر", "Line"), Column: say("العمود", "Column"),
		When:   say("الوقت (بتوقيت ليبيا)", "When (Libya’s time)"),
		Stated: say("في الكشف", "In the statement"), Recorded: say("في السجل", "In the ledger"),
		Reference: say("المرجع", "Reference"), Number: say("رقم العملية", "Transaction number"),
		FirstLine: say("ورد أولًا في السطر", "First in line"),
		Proven: say("نتائج لم تُعرف، وهذا الكشف يبيّن ما جرى لها:",
			"Unknown outcomes of which this statement shows what became:"),
		SettleThem: say("احسمها معًا", "Settle them at once"),
		Open:       say("افتح الدفعة", "Open the payment"),
		More:       say("وغيرها، وكلها في ملف Excel:", "And more, all of them in the Excel file:"),
		Unpaid:     say("أسطر غير مدفوعة لم تُحسب:", "Unpaid lines, not counted:"),
		Elsewhere:  say("أسطر خارج المدة لم تُقارن:", "Lines outside these days, not compared:"),
		Passed: say("أسطر ليست دفعات، كالمجاميع والملاحظات والرسوم:",
			"Lines that are no payments, such as totals, remarks and fees:"),
		StatementLacks: say("الكشف ينقصه %s بقيمة %s", "the statement is missing %s worth %s"),
		LedgerLacks:    say("السجل ينقصه %s بقيمة %s", "the ledger is missing %s worth %s"),
		DifferIn:       say("الكشف والسجل مختلفان في %s", "the statement and the ledger differ in %s"),
		TheyDifferIn:   say("هما مختلفان في %s", "they differ in %s"),
		Comma:          say("، و", ", "), And: say("، و", ", and "),
		Download: say("نزّل الفروق Excel", "Download the differences (Excel)"),
		DownloadHint: say("نقارن الملف مرة أخرى لتكون الفروق كما هي الآن.",
			"The file is compared once more, so the differences are as they are then."),
		Differences: say("الفروق", "Differences"),
		SameFile: say("الملف الذي أرسلته محفوظ في هذه الصفحة، لا عندنا. اختر ملفًا آخر إن أردت.",
			"The file that you sent is in this page, and not kept by us. Choose another one if you like."),
		LargeAgain: say("الملف أكبر من أن نُبقيه في الصفحة، ونحن لا نحتفظ به. اختره مرة أخرى.",
			"The file is too large to stay in the page, and we do not keep it. Choose it once more."),
		Choose: say("أختار أعمدة الملف بنفسي", "Let me choose the file’s columns"),
		ChooseHint: say("نسألك عنها أيضًا إن لم نعرفها، ونتذكر ما اخترته لكل جهة دفع.",
			"You are asked for them, too, if they are not known. What you choose is remembered for each acquirer."),
		ChooseTitle: say("أعمدة الملف", "The file’s columns"),
		ChooseIntro: say("اختر ما في كل عمود. نتذكر اختيارك لكشوف جهة الدفع هذه، ويُسجَّل مع المقارنة.",
			"Choose what each column has. It is remembered for this acquirer’s statements, and recorded with the "+
				"comparison."),
		Preview:   say("أول أسطر الملف", "The file’s first lines"),
		Again:     say("غيّر الأعمدة", "Change the columns"),
		ReadAs:    say("ما قرأناه من الملف", "What was read of the file"),
		NotInFile: say("غير موجود في الملف", "Not in the file"),
		NeedsAmount: say("اختر عمود المبلغ، أو عمود الدائن.",
			"Choose the column of the amount, or that of credits."),
		TwoAmounts: say("اختر المبلغ وحده، أو الدائن والمدين بلا المبلغ.",
			"Choose the amount alone, or credit and debit without it."),
		NeedsReference: say("اختر عمود المرجع، أو رقم العملية، أو البيان.",
			"Choose the column of the reference, of the transaction number, or of the description."),
		ColumnTwice: say("اخترت هذا العمود لشيء آخر.", "This column is chosen for something else."),
		Earlier:     say("مقارنات سابقة", "Earlier comparisons"), By: say("من", "By"),
		EarlierTable: say("مقارنات سابقة، الأحدث أولًا", "Earlier comparisons, the latest first"),
		Result:       say("النتيجة", "Result"), EarlierOK: say("متطابقان", "They agree"),
		EarlierFailed: say("لم تتم المقارنة", "Not compared"), EarlierDays: say("الأيام", "Days"),
		Zeros:  say("لعل الملف فقد الأصفار من أول الرقم:", "The file may have lost the zeros at the beginning of:"),
		None:   say("غير موجود", "None"),
		Fields: fieldTextsIn(say),
		Kinds: map[reconcile.Kind]kindTexts{
			reconcile.MissingInStatement: {say("ليست في الكشف", "Not in the statement"),
				say("دفعات في السجل لا يذكرها الكشف. اسأل جهة الدفع عنها، فقد تظهر في الكشف التالي.",
					"Payments of the ledger that the statement does not have. Ask the acquirer; they may come in the "+
						"next statement.")},
			reconcile.MissingInLedger: {say("ليست في السجل", "Not in the ledger"),
				say("أسطر لم نجد لها دفعة. ربما هي من نظام آخر يستعمل الحساب نفسه، أو دفعة سُجّلت على أنها لم تنجح.",
					"Lines that no payment was found for: of another system with the same account, or a payment that "+
						"was recorded as failed.")},
			reconcile.AmountDiffers: {say("مبلغان مختلفان", "Amounts differ"),
				say("الدفعة نفسها بمبلغ في الكشف ومبلغ آخر في السجل. تأكد أن عمود المبلغ لا تُخصم منه العمولة.",
					"The same payment with one amount in the statement and another in the ledger. Make sure that no "+
						"fee is taken off the column of amounts.")},
			reconcile.CurrencyDiffers: {say("عملتان مختلفتان", "Currencies differ"),
				say("السطر بعملة غير الدينار. اسأل جهة الدفع عنه.",
					"The line is in another currency than the dinar. Ask the acquirer.")},
			reconcile.SeveralReferences: {say("عدة دفعات في سطر", "Several payments in a line"),
				say("في السطر مراجع أكثر من دفعة، فلا نعرف لأيها المبلغ. قارنه بنفسك.",
					"The line has the references of several payments, so nothing says which one its amount is of. "+
						"Compare it by hand.")},
			reconcile.TwiceInStatement: {say("مكررة في الكشف", "Twice in the statement"),
				say("سطر آخر يخص الدفعة نفسها. إن اختلف رقم العملية فقد دفع الزبون مرتين ويُردّ له مبلغ.",
					"Another line is about the same payment. If the transaction numbers differ, the customer paid "+
						"twice and one amount goes back.")},
			reconcile.NotYetInLedger: {say("لم تصل إلى السجل بعد", "Not yet in the ledger"),
				say("نتيجة المحاولة أو رد المبلغ غير معروفة بعد، وسيُسأل عنها من جديد أو يحسمها شخص.",
					"The outcome of the attempt or of the refund is not known yet: the acquirer is asked again, or "+
						"someone settles it.")},
			reconcile.OutsideSpan: {say("على حدود المدة", "Near midnight"),
				say("وقتها في الكشف داخل المدة وفي السجل خارجها، أو العكس. ليست اختلافًا.",
					"In the statement within these days and in the ledger outside of them, or the other way round. It "+
						"is no difference.")},
		},
		Problems: map[reconcile.Problem]string{
			reconcile.ProblemEmpty: say("ليس في الملف سطر بأسماء الأعمدة.",
				"The file has no line with the names of its columns."),
			reconcile.ProblemEncoding: say("النص ليس بترميز UTF-8، ولعله Windows-1256. احفظ الملف بصيغة CSV UTF-8 "+
				"أو XLSX.",
				"The text is not UTF-8, perhaps Windows-1256. Save the file as CSV UTF-8 or as .xlsx."),
			reconcile.ProblemOldWorkbook: say("هذا ملف Excel قديم (XLS) أو محمي بكلمة مرور. احفظه بصيغة XLSX بلا "+
				"كلمة مرور، أو CSV UTF-8.",
				"This is a workbook of Excel before 2007 (.xls), or one with a password. Save it as .xlsx without "+
					"a password, or as CSV UTF-8."),
			reconcile.ProblemDocument: say("هذا ليس جدولًا، بل ملف PDF أو صورة أو ملف مضغوط. اطلب الكشف بصيغة CSV "+
				"أو XLSX.",
				"This is no table but a PDF, a picture or an archive. Ask for the statement as CSV or .xlsx."),
			reconcile.ProblemWorkbook: say("هذا ليس ملف Excel (XLSX) يمكن قراءته. احفظه من Excel بصيغة XLSX أو CSV "+
				"UTF-8.",
				"This is no Excel workbook (.xlsx) that can be read. Save it in Excel as .xlsx, or as CSV UTF-8."),
			reconcile.ProblemLargeWorkbook: say("ملف Excel أكبر من 16 ميغابايت، أو يصير بعد فكّه أكبر من 128. احفظ "+
				"ورقته بصيغة CSV UTF-8، أو قسّمه حسب الأيام.",
				"The workbook is larger than 16 MiB, or than 128 MiB unpacked. Save its sheet as CSV UTF-8, or "+
					"split it by days."),
			reconcile.ProblemTwoSheets: say("أكثر من ورقة في الملف قد تكون هي الكشف. احذف ما لا يلزم منها.",
				"Several sheets could be the statement. Delete those that are not meant."),
			reconcile.ProblemDate: say("يعرض Excel الخانة تاريخًا، ولعله حوّل إليه مبلغًا مثل 12.5. صدّر الملف من "+
				"جديد.",
				"Excel shows the cell as a date. It may have made one of an amount such as 12.5: export the file "+
					"again."),
			reconcile.ProblemFormula: say("معادلة الخانة بلا قيمة.", "The formula of the cell has no value."),
			reconcile.ProblemMarkup: say("هذه صفحة ويب (HTML) أو ملف XML مهما كان اسم الملف. افتحه في Excel واحفظه "+
				"بصيغة XLSX أو CSV UTF-8.",
				"This is a web page (HTML) or XML, whatever its name says. Open it in Excel and save it as .xlsx "+
					"or CSV UTF-8."),
			reconcile.ProblemExtraCell: say("خانات السطر أكثر من أسماء الأعمدة.",
				"The line has more cells than the line with the names."),
			reconcile.ProblemTwoAmounts: say("في السطر مبلغ دائن ومبلغ مدين معًا.",
				"The line has a credit and a debit."),
			reconcile.ProblemNumber: say("فقد الرقم بعض خاناته في برنامج الجداول. صدّر الملف من جديد، أو اقرأ "+
				"عموده نصًا.",
				"The number lost digits in a spreadsheet. Export the file again, or read its column as text."),
			reconcile.ProblemQuotes: say("علامات الاقتباس في الملف غير سليمة.",
				"The quotation marks of the file do not fit together."),
			reconcile.ProblemTooLong: say("أسطر الملف أكثر مما نقارنه مرة واحدة. قسّمه حسب الأيام.",
				"The file has more lines than are compared at once. Split it by days."),
			reconcile.ProblemLongLine: say("السطر أطول من 64 كيلوبايت. الملف ليس جدولًا، أو فيه علامة اقتباس لم "+
				"تُغلق.",
				"The line is longer than 64 KiB. The file is no table, or a quotation mark in it has no end."),
			reconcile.ProblemLongCell: say("الخانة أطول من 1000 بايت.", "The cell is longer than 1,000 bytes."),
			reconcile.ProblemColumns:  say("في السطر أكثر من 200 خانة.", "The line has more than 200 cells."),
			reconcile.ProblemNoColumn: say("لا يوجد عمود كهذا في الملف.", "The file has no such column."),
			reconcile.ProblemTwoColumns: say("أكثر من عمود بهذا الاسم. غيّر اسم ما لا يلزم منها.",
				"Several columns have this name. Rename those that are not meant."),
			reconcile.ProblemShortLine: say("خانات السطر أقل من أسماء الأعمدة.",
				"The line has fewer cells than the line with the names."),
			reconcile.ProblemDinars: say("ليس مبلغًا بالدينار مثل \u206812.500\u2069 أو \u20681,234.500\u2069.",
				"Not an amount in dinars such as 12.500 or 1,234.500."),
			reconcile.ProblemDirhams: say("ليس عددًا صحيحًا من الدراهم. إن كانت المبالغ بالدينار فاختر ذلك.",
				"Not a whole number of dirhams. If the amounts are in dinars, choose that."),
			reconcile.ProblemSign: say("النوع دفعة والمبلغ تحت الصفر.",
				"The type says payment, and the amount is below zero."),
			reconcile.ProblemCurrency: say("ليس رمز عملة مثل LYD.", "Not a code of a currency such as LYD."),
			reconcile.ProblemTime: say("ليس وقتًا مثل 2026-11-20 22:41:00 أو 20/11/2026.",
				"Not a time such as 2026-11-20 22:41:00 or 20/11/2026."),
			reconcile.ProblemStatus: say("كلمة لا نعرف منها هل دُفع المبلغ.",
				"A word that does not say whether the amount was paid."),
			reconcile.ProblemType: say("كلمة لا نعرف منها هل هي دفعة أم رد مبلغ.",
				"A word that does not say whether it is a payment or a refund."),
			reconcile.ProblemNoTimes: say("ليس في الملف أوقات. حدّد يوم البداية ويوم النهاية.",
				"The file has no times. Choose the first and the last day."),
			reconcile.ProblemDays: say("في الملف أيام بلا ساعات. حدّد المدة بالأيام.",
				"The file has days without a time of day. Choose whole days."),
		},
	}
}

// fieldTextsIn are what a column of a statement holds.
func fieldTextsIn(say locale.Say) map[statements.Field]kindTexts {
	return map[statements.Field]kindTexts{
		statements.Reference: {say("مرجعنا", "Our reference"),
			say("رقم المحاولة الذي أرسلناه إلى جهة الدفع.", "The attempt’s number, which was sent to the acquirer.")},
		statements.Number: {say("رقم العملية", "Transaction number"),
			say("رقمها عند جهة الدفع.", "The acquirer’s own.")},
		statements.Amount: {say("المبلغ", "Amount"), say("بلا خصم العمولة.", "Before fees.")},
		statements.Credit: {say("الدائن", "Credit"),
			say("ما دخل الحساب، مكان المبلغ.", "Money in, instead of the amount.")},
		statements.Debit: {say("المدين", "Debit"), say("ما خرج من الحساب.", "Money out.")},
		statements.Narrative: {say("البيان", "Description"),
			say("نص قد يكون فيه مرجعنا.", "A text that may have our reference in it.")},
		statements.Currency: {say("العملة", "Currency"), say("بدونه: الدينار.", "Without it: dinars.")},
		statements.Time: {say("التاريخ والوقت", "Date and time"),
			say("بدونه حدّد اليومين.", "Without it, choose the days.")},
		statements.Status: {say("الحالة", "Status"), say("بدونه يُحسب كل سطر.", "Without it every line counts.")},
		statements.Type: {say("نوع العملية", "Type"),
			say("دفع أو رد. بدونه: السالب رد.", "Payment or refund. Without it, a negative amount is a refund.")},
		statements.Fee: {say("العمولة", "Fee"), say("ما خصمته جهة الدفع.", "What the acquirer kept.")},
		statements.Settled: {say("تاريخ القيد في المصرف", "Value date"),
			say("يوم وصول المبلغ إلى حسابك.", "The day on which the bank has the money.")},
	}
}
