package view

import (
	"daftar/internal/locale"
	"daftar/payments/refunds"
)

// refundTexts are the texts about refunds.
type refundTexts struct {
	Title, Section, Give, Intro, ToPayment               string
	Which, Left, Amount, AmountHint, AmountBad, TooLarge string
	Way, WayMissing, Ask, AskWhat, Record, RecordWhat    string
	Reference, ReferenceHint, ReferenceBad               string
	Note, NoteHint, NoteBad, Button, Effect              string
	UnderWay, Nothing, NoCall, Known                     string
	Outcome, OutcomeMissing                              string
	Refunded, DidNot, SettleButton                       string
	State, When, WaitingPill, UnknownPill, RecordedPill  string
	FailedPill, Evidence, ByAnswer, ByPerson             string
	NothingLeft, WhichMissing, GivenBackBefore           string
	ByAPI, APIReason                                     string
	Troubles                                             map[refunds.Trouble]string
}

func refundTextsIn(say locale.Say) refundTexts {
	return refundTexts{
		Title:   say("ردّ مبلغ الدفعة", "Refund of payment"),
		Section: say("مبالغ رُدّت", "Refunds"),
		Give:    say("ردّ المبلغ إلى الزبون", "Refund the customer"),
		Intro: say("تبقى الدفعة «مدفوعة» بعد الرد، ويُسجَّل المبلغ المردود في السجل باسمك ولا يُحذف.",
			"The payment stays “paid”. What goes back is recorded in the ledger in your name, for good."),
		ToPayment:  say("إلى الدفعة", "To the payment"),
		Which:      say("أي مبلغ يُردّ؟", "Which money goes back?"),
		Left:       say("بقي منه", "left of it"),
		Amount:     say("المبلغ بالدينار", "Amount in dinars"),
		AmountHint: say("اتركه كما هو لرد كل ما بقي.", "Leave it as it is to give back all that is left."),
		AmountBad: say("اكتب مبلغًا أكبر من صفر، مثل \u206812.500\u2069",
			"Enter an amount of more than nothing, such as 12.500"),
		TooLarge:   say("هذا أكثر مما بقي من المبلغ المدفوع.", "That is more than is left of what was paid."),
		Way:        say("كيف يعود المبلغ؟", "How does it go back?"),
		WayMissing: say("اختر كيف يعود المبلغ.", "Choose how the money goes back."),
		Ask:        say("اطلب من جهة الدفع أن تردّه الآن", "Have the acquirer give it back now"),
		AskWhat: say("تُسأل جهة الدفع مرة واحدة. إن لم تجب فلن يُعاد الطلب قبل أن تتأكد مما جرى.",
			"The acquirer is asked once. If it does not answer, it is not asked again before you have found out "+
				"what happened."),
		Record: say("رددتُه خارج دفتر، وأسجّله هنا فقط", "It went back outside Daftar; record it"),
		RecordWhat: say("مثلًا: من بوابة جهة الدفع أو بحوالة أو نقدًا. لا يتحرك أي مبلغ من هنا.",
			"By the acquirer’s portal, a transfer or cash, for example. No money moves from here."),
		Reference: say("رقم عملية الرد لدى جهة الدفع", "The acquirer’s number of the refund"),
		ReferenceHint: say("إن وُجد. لا يُسجَّل الرقم نفسه مرتين.",
			"If there is one. The same number is not recorded twice."),
		ReferenceBad: say("الرقم أطول من 100 حرف أو فيه أكثر من سطر.",
			"The number has more than 100 characters or more than one line."),
		Note: say("السبب، أو كيف عرفت", "Why, or how you know"),
		NoteHint: say("سطر واحد يبقى في السجل دائمًا. لا تكتب أرقام بطاقات.",
			"One line that stays in the ledger. Write no card numbers."),
		NoteBad: say("اكتب سطرًا واحدًا لا يزيد على 500 حرف.", "Write one line of up to 500 characters."),
		Button:  say("تأكيد ردّ المبلغ", "Refund the money"),
		Effect:  say("لا رجعة في رد المبلغ.", "This cannot be undone."),
		UnderWay: say("هناك رد سابق لم ينته بعد ولا يبقى منه هذا القدر. انتظر نتيجته أو حدّد ما جرى فيه.",
			"Another refund of this money has not ended, and does not leave as much. Wait for its outcome, or say "+
				"how it ended."),
		Nothing: say("لا يوجد مبلغ مدفوع يمكن رده هنا.", "There is no paid money here that could go back."),
		NoCall: say("لا تردّ جهة الدفع هذه المبالغ بطلب منا. رُدّ المبلغ بطريقة أخرى ثم سجّله.",
			"This acquirer cannot be asked for a refund. Give the money back in another way, then record it."),
		Known:          say("سُجّل رد بهذا الرقم من قبل.", "A refund with this number has been recorded already."),
		Outcome:        say("ماذا وجدت؟", "What did you find?"),
		OutcomeMissing: say("اختر ما وجدت.", "Choose what you found."),
		Refunded:       say("عاد المبلغ إلى الزبون", "The money went back"),
		DidNot:         say("لم يعد المبلغ", "The money did not go back"),
		SettleButton:   say("سجّل ما وجدت", "Record what I found"),
		ByAPI:          say("مرجع الرد لدى المتجر", "The shop’s reference"),
		APIReason:      say("السبب كما أرسله المتجر", "Reason, as the shop sent it"),
		State:          say("الحالة", "State"),
		When:           say("طُلب", "Asked for"),
		WaitingPill:    say("قيد التنفيذ", "Under way"),
		UnknownPill:    say("لم تُعرف نتيجته", "Outcome unknown"),
		RecordedPill:   say("رُدّ", "Given back"), FailedPill: say("لم يُردّ", "Not given back"),
		Evidence:     say("الدليل", "Evidence"),
		ByAnswer:     say("جواب جهة الدفع", "The acquirer’s answer"),
		ByPerson:     say("وجده شخص في حساب جهة الدفع", "Found by a person in the acquirer’s books"),
		NothingLeft:  say("رُدّ كل ما دُفع.", "All that was paid has been given back."),
		WhichMissing: say("اختر أي مبلغ يُردّ.", "Choose which money goes back."),
		GivenBackBefore: say("سُجّل قرار بأن هذا المبلغ رُدّ بطريقة أخرى، فلن تُسأل جهة الدفع كي لا يُردّ "+
			"مرتين. سجّل أنك رددتَه خارج دفتر.",
			"It was decided that this money went back in another way, so the acquirer is not asked: it would go "+
				"back twice. Record that it went back already."),
		Troubles: map[refunds.Trouble]string{
			refunds.NoAnswer: say("لم تجب جهة الدفع جوابًا مفهومًا.", "The acquirer gave no answer that makes sense."),
			refunds.ServerEnded: say("توقف الخادم وهو ينتظر الجواب.",
				"The server stopped while it waited for the answer."),
			refunds.LedgerRefused: say("لا يقبل السجل هذا الرد: يزيد على ما دُفع أو سُجّل من قبل.",
				"The ledger does not take this refund: it is more than was paid, or recorded already."),
			refunds.NotSent: say("تعذّر الوصول إلى جهة الدفع، ولم يُرسل إليها شيء.",
				"The acquirer could not be reached; nothing was sent."),
			refunds.OtherAmount: say("تقول جهة الدفع إن مبلغًا آخر عاد.",
				"The acquirer says that another amount went back."),
			refunds.AccountRefused: say("رفضت جهة الدفع حساب المتجر لديها.",
				"The acquirer refused the shop’s account with it."),
			refunds.Refused: say("رفضت جهة الدفع ردّ المبلغ.", "The acquirer refused to give it back."),
			refunds.NoAccount: say("لم يعد للتطبيق حساب لدى جهة الدفع يمكن أن يُطلب منه الرد.",
				"The application has no account with the acquirer any more that could be asked."),
			refunds.PersonDenied: say("تأكد شخص أن المبلغ لم يعد.",
				"Someone made sure that the money did not go back."),
		},
	}
}
