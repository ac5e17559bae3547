package view

import (
	"daftar/accounts"
	"daftar/internal/locale"
	"daftar/payments/settlements"
)

func settlementNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"settlement-recorded": say("قُيّدت في الدفاتر.", "It is in the books."),
		"settlement-proposed": say("حُفظت، وتُقيَّد في الدفاتر حين يؤكدها شخص ثانٍ.",
			"It was saved. It will be in the books when a second person confirms it."),
		"day-closed": say("أُقفل اليوم.", "The day is closed."),
		"settlement-rejected": say("رُفضت، ولم يتغيّر شيء في الدفاتر.",
			"It was rejected. Nothing changed in the books."),
	}
}

// settlementTexts are the texts about statements that are accepted, and what becomes of them.
type settlementTexts struct {
	Title, CoveredBy, Latest, LatestTable, Waiting, WaitingHint, Open, AcceptTitle             string
	AcceptWhat, AcceptButton, Accepted, CoveredTitle, Settlement, Line, Day, DayHint, DayBelow string
	Fees, FeesHint, Net, NetHint, Bank, BankHint, Gross, FeesName                              string
	NetName, Expected, Difference, NoContract, Recorded, Corrected, By, ProposedBy             string
	File, Hash, Payments, More, History, Correct, CorrectHint, Withdraw                        string
	WithdrawHint, Withdrawn, Save, Confirm, Reject, TakeBack, Complete, OwnWaits               string
	CompleteHint, Partly, Acquirer, Count, None, KnownFile, CoveredError, Changed              string
	Nothing, FeesMissing, ProposedBefore, OwnRefused, WithdrawnError, Malformed                string
	FeesTitle, FeesIntro, FeesTable, NoMethod, BadRate, RateHint, FeeSave                      string
	BadReference, BadAmount, ConfirmHint, PartTable, Method, From, Rate, Minimum, DayClosed    string

	Kinds map[accounts.Action]string
}

func settlementTextsIn(say locale.Say) settlementTexts {
	return settlementTexts{
		Title: say("تسوية", "Settlement"), CoveredBy: say("وصلت ضمن تسوية", "Paid out in the settlement of"),
		Latest:      say("التسويات", "Settlements"),
		LatestTable: say("التسويات، آخرها تغييرًا أولًا", "Settlements, the last changed first"),
		Waiting:     say("بانتظار شخص ثانٍ", "Waiting for a second person"),
		WaitingHint: say("لا تدخل الدفاتر قبل التأكيد.", "They are not in the books before that."),
		Open:        say("افتح", "Open"),
		AcceptTitle: say("قيد الكشف في الدفاتر", "Put the statement into the books"),
		AcceptWhat: say("ما تطابق يُقيَّد محصَّلًا من جهة الدفع. ما نقص أو اختلف يبقى مستحقًا عليها.",
			"What agrees is recorded as paid out by the acquirer. What is missing or differs stays due from it."),
		AcceptButton: say("اقبل الكشف", "Accept the statement"),
		Accepted: say("قُبل هذا الملف من قبل، ولا يُقبل مرتين:",
			"This file was accepted before, and is not accepted twice:"),
		CoveredTitle: say("محصَّلة في تسوية أخرى، فلا تُقيَّد مرة ثانية:",
			"In another settlement already, and not recorded twice:"),
		Settlement: say("التسوية", "Settlement"), Line: say("السطر", "Line"),
		Day:      say("تاريخ القيد في المصرف", "Value date"),
		DayBelow: say("اليوم أدناه", "The day below"),
		DayHint:  say("اليوم الذي دخل فيه المبلغ حسابك المصرفي.", "The day on which your bank has the money."),
		Fees:     say("العمولة بالدينار", "Fees in dinars"),
		FeesHint: say("عمولة الكشف كله. إن تركتها فارغة أُخذت من الملف، أو حُسبت من الصافي.",
			"Of the whole. Left empty, they are those of the file, or follow from the net amount."),
		Net: say("الصافي بالدينار", "Net in dinars"),
		NetHint: say("ما دخل المصرف فعلًا. إن تركته فارغًا فهو الإجمالي ناقص العمولة.",
			"What really came to the bank. Left empty, it is gross less fees."),
		Bank:     say("مرجع المصرف", "Bank’s reference"),
		BankHint: say("إن وُجد في كشف حسابك.", "If your bank statement has one."),
		Gross:    say("الإجمالي", "Gross"), FeesName: say("العمولة", "Fees"), NetName: say("الصافي", "Net"),
		Expected:   say("العمولة حسب العقد", "Fees by the contract"),
		Difference: say("فرق غير مفسَّر", "Unexplained difference"),
		NoContract: say("لم تُسجَّل عمولة العقد", "The contract’s fee is not on record"),
		Recorded:   say("قُيّدت", "Recorded"), Corrected: say("صُحّحت", "Corrected"),
		By: say("سجّلها", "Recorded by"), ProposedBy: say("عرضها", "Proposed by"), File: say("الملف", "File"),
		Hash:     say("بصمة الملف SHA-256", "SHA-256 of the file"),
		Payments: say("ما تشمله", "What it covers"), More: say("وغيرها.", "And more."),
		History:     say("ما جرى عليها", "History"),
		Correct:     say("صحّح التسوية", "Correct the settlement"),
		CorrectHint: say("التصحيح قيد جديد، والسابق يبقى.", "A correction is a new entry; the one before stays."),
		Withdraw:    say("ألغِ التسوية", "Withdraw the settlement"),
		WithdrawHint: say("تعود دفعاتها مستحقة على جهة الدفع، ويمكن قبول ملفها من جديد.",
			"Its payments are due from the acquirer again, and its file can be accepted again."),
		Withdrawn: say("ملغاة", "Withdrawn"), Save: say("سجّل التصحيح", "Record the correction"),
		Confirm: say("أكّد", "Confirm"), Reject: say("ارفض", "Reject"),
		TakeBack: say("اسحب ما عرضته", "Take it back"), Complete: say("أكمل القيد", "Complete it"),
		OwnWaits: say("عرضتها أنت، ويؤكدها عضو آخر.", "You proposed it; another member confirms it."),
		CompleteHint: say("أُكّدت ولم تُقيَّد بعد، لأن الخادم توقف حينها. إكمالها لا يكرر شيئًا.",
			"It was confirmed and is not in the books yet, because the server ended then. Completing it repeats "+
				"nothing."),
		Partly: say("أسطر خارج هذه الأيام، ولن تُقبل من هذا الملف بعد قبوله:",
			"Lines outside these days, which cannot be accepted from this file afterwards:"),
		Acquirer: say("جهة الدفع", "Acquirer"), Count: say("العدد", "Count"), None: say("لا يوجد", "None"),
		KnownFile: say("قُبل هذا الملف من قبل، ولا يُقبل مرتين.",
			"This file was accepted before, and is not accepted twice."),
		CoveredError: say("بعض الدفعات محصَّلة في تسوية أخرى. لم يُقيَّد شيء.",
			"Some of the payments are in another settlement already. Nothing was recorded."),
		Changed: say("تغيّرت الدفاتر أو السجل منذ عُرض هذا، ولم يُقيَّد شيء. راجع ما يظهر الآن.",
			"The books or the ledger have changed since this was shown, and nothing was recorded. Look at what is "+
				"shown now."),
		Nothing:     say("ليس في الكشف ما يُقيَّد.", "The statement has nothing to record."),
		FeesMissing: say("اكتب العمولة أو الصافي.", "Enter the fees or the net amount."),
		ProposedBefore: say("هذا الملف معروض وينتظر شخصًا ثانيًا.",
			"This file was proposed already, and waits for a second person."),
		OwnRefused:     say("لا تؤكد ما عرضته بنفسك.", "You cannot confirm what you proposed."),
		WithdrawnError: say("هذه التسوية ملغاة.", "This settlement is withdrawn."),
		DayClosed:      say("أُقفل هذا اليوم من قبل.", "This day was closed before."),
		Malformed: say("مبلغ أو تاريخ خارج الحدود، أو أكثر من 50,000 دفعة.",
			"An amount or a day is out of bounds, or there are more than 50,000 payments."),
		BadAmount: say("اكتب مبلغًا بالدينار مثل \u206812.500\u2069.",
			"Enter an amount in dinars such as 12.500."),
		ConfirmHint: say("قارن نسختك من الكشف أولًا: ملف واحد له بصمة واحدة.",
			"Compare your own copy of the statement first: the same file has the same SHA-256."),
		BadReference: say("سطر واحد لا يتجاوز 200 حرف.", "One line of at most 200 characters."),
		PartTable:    say("ما يُقيَّد، لكل يوم", "What is recorded, for each day"),
		Method:       say("الوسيلة", "Method"), From: say("من يوم", "From"), Rate: say("النسبة", "Percent"),
		Minimum:   say("أقل عمولة للعملية", "Least fee of a payment"),
		FeesTitle: say("عمولات العقود", "Fees by contracts"),
		FeesIntro: say("سجّل ما في عقدك مع جهة الدفع لنحسب العمولة المتوقعة لكل دفعة ونقارنها بما خُصم.",
			"Record what your contract with an acquirer has, so that the fee of each payment is expected and "+
				"compared with what was charged."),
		FeeSave:   say("سجّل العمولة", "Record the fee"),
		FeesTable: say("ما سُجّل، الأحدث أولًا", "What is on record, the latest first"),
		NoMethod:  say("اختر وسيلة من القائمة.", "Choose a method from the list."),
		BadRate: say("اكتب نسبة بين 0 و100 مثل \u20681.5\u2069.",
			"Enter a percentage from 0 to 100, such as 1.5."),
		RateHint: say("من مبلغ الدفعة، بخانتين عشريتين على الأكثر.",
			"Of the payment’s amount, with two decimals at most."),
		Kinds: map[accounts.Action]string{
			settlements.ActionAccept:  say("قبول كشف", "Acceptance of a statement"),
			settlements.ActionCorrect: say("تصحيح تسوية", "Correction of a settlement"),
			settlements.ActionFee:     say("عمولة العقد", "Contract’s fee"),
		},
	}
}
