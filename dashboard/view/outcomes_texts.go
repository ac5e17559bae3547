package view

import "daftar/internal/locale"

func outcomeNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"outcome-settled": say("حُفظ ما وجدت، ويظهر في السجل الآن أو بعد لحظات.",
			"What you found was recorded; the ledger has it now, or in a moment."),
		"outcome-proposed": say("حُفظ ما وجدت. ما يلزمه شخص ثانٍ لا يتغيّر قبل أن يؤكده.",
			"What you found was recorded. What needs a second person changes only when they confirm it."),
		"outcome-confirmed": say("أكّدت ما وجده غيرك، ويظهر في السجل الآن أو بعد لحظات.",
			"You confirmed what others had found; the ledger has it now, or in a moment."),
		"outcome-rejected": say("رُفض، ولم يتغيّر شيء في السجل.",
			"It was rejected. Nothing changed in the ledger."),
		"outcome-known": say("لم يبق ما تسجّله: عُرفت النتيجة في هذه الأثناء، أو سبقك شخص آخر.",
			"There is nothing left to record: the outcome has become known in the meantime, or someone was first."),
		"outcome-rule": say("حُفظت القاعدة.", "The rule was saved."),
	}
}

// outcomeTexts are the texts about payments and refunds whose outcome is unknown.
type outcomeTexts struct {
	Title, Intro, None, NoneHint, More, Waits, NotYours    string
	PaymentTitle, RefundTitle, Payment, Refund             string
	WaitingTitle, WaitingIntro, ConfirmButton, Rejecting   string
	MineTitle, MineIntro, ProvenTitle, ProvenIntro         string
	SettleProven, NeedsTwo, NotePrefilled                  string
	OpenTitle, OpenIntro, OpenTable, Settle, OpenIt        string
	LookFor, LookForIt, Lookup, LookupAny, Sent, Begun     string
	Why, AskedAgain, NoAnswer, Acquirer, Shown             string
	FoundBy, OwnStatement, NoLine                          string
	Paid, PaidWhat, NotPaid, NotPaidWhat                   string
	RefundedWhat, NotRefundedWhat                          string
	ReferenceHint, Note, ProposeButton, ProposeWhat        string
	ProposedBy, ProposedAt, ProposedWhat, Confirm, Reject  string
	Withdraw, Statement, Agrees, Differs, OwnRefused       string
	RuleTitle, RuleIntro, RuleNever, RuleAlways, RuleAbove string
	RuleNeverWhat, RuleAlwaysWhat, RuleAboveWhat, RuleMore string
	RuleMissing, RuleSave, RuleChange, RuleLoosened        string
	Alone, CompareFirst, Unknown, PaidBefore, Contradicted string
	NoneTicked                                             string
}

func outcomeTextsIn(say locale.Say) outcomeTexts {
	return outcomeTexts{
		Title: say("نتائج غير معروفة", "Unknown outcomes"),
		Intro: say("دفعات ومبالغ مردودة لا نعرف هل تمت: لم تُجب جهة الدفع، أو لا يمكن سؤالها، أو لا يطابق جوابها "+
			"السجل. ابحث عنها في حسابك لدى جهة الدفع وسجّل ما وجدت.",
			"Payments and refunds that may or may not have gone through: the acquirer did not answer, cannot be "+
				"asked, or does not agree with the ledger. Look for them in your account with it, and record what "+
				"you find."),
		None: say("كل النتائج معروفة.", "Every outcome is known."),
		NoneHint: say("تظهر هنا الدفعات والمبالغ المردودة التي لا تُعرف نتيجتها.",
			"Payments and refunds whose outcome is unknown appear here."),
		More: say("توجد أخرى، وتظهر بعد أن تسجّل نتائج هذه.",
			"There are more; they appear when the outcomes of these are recorded."),
		Waits: say("دفعات أو مبالغ مردودة لم تُعرف نتيجتها:",
			"Payments or refunds whose outcome is unknown:"),
		NotYours:     say("يسجّل النتائج مالك أو محاسب.", "Owners and finance members record the outcomes."),
		PaymentTitle: say("ماذا جرى لهذه الدفعة؟", "What became of this payment?"),
		RefundTitle:  say("ماذا جرى لهذا الرد؟", "What became of this refund?"),
		Payment:      say("دفعة", "Payment"), Refund: say("ردّ مبلغ", "Refund"),
		WaitingTitle: say("تنتظر تأكيدك", "Waiting for you to confirm"),
		WaitingIntro: say("سجّل غيرك ما جرى لهذه. تحقّق بنفسك قبل أن تؤكد: قارن كشفًا، فنختار لك ما يوافقه.",
			"Others recorded what became of these. Check for yourself before you confirm: compare a statement, and "+
				"those that yours agrees with are ticked."),
		ConfirmButton: say("أكّد ما اخترت", "Confirm those ticked"),
		Rejecting:     say("لرفض واحدة افتحها من مرجعها.", "To reject one, open it by its reference."),
		MineTitle:     say("تنتظر تأكيد شخص آخر", "Waiting for another person to confirm"),
		MineIntro: say("سجّلتَ ما وجدت، ويؤكده مالك أو محاسب غيرك.",
			"You recorded what you found; another owner or finance member confirms it."),
		ProvenTitle: say("ظهرت نتيجتها في كشف", "A statement shows these"),
		ProvenIntro: say("قارنتَ كشفًا بالسجل فظهرت نتيجة هذه. ما لا يرد في الكشف لم نختره لك: اختره إن كنت "+
			"متأكدًا أن الكشف كامل.",
			"The statement that you compared shows what became of these. Those that it does not list are not ticked: "+
				"tick them if you are sure that the statement is complete."),
		SettleProven:  say("سجّل ما اخترت", "Record those ticked"),
		NeedsTwo:      say("يلزمها شخص ثانٍ", "needs a second person"),
		NotePrefilled: say("حسب كشف جهة الدفع", "By the acquirer’s statement"),
		OpenTitle:     say("ابحث عن هذه", "Look these up"),
		OpenIntro: say("إن كان لديك كشف من جهة الدفع فقارنه أولًا، فتظهر نتائج كل ما فيه معًا.",
			"If you have the acquirer’s statement, compare it first: it shows the outcomes of many at once."),
		OpenTable:    say("ما لم تُعرف نتيجته، الأقدم أولًا", "What is unknown, the longest waiting first"),
		Settle:       say("سجّل النتيجة", "Record the outcome"),
		OpenIt:       say("افتح", "Open"),
		CompareFirst: say("قارن كشفًا", "Compare a statement"),
		LookFor:      say("ابحث عن", "Look for"),
		LookForIt:    say("بيانات البحث", "What to look for"),
		Lookup:       say("أين", "Where"),
		LookupAny: say("في حسابك لدى جهة الدفع أو في كشفها، بالرقم الذي أرسلناه.",
			"In your account with the acquirer, or in its statement, under the number that we sent."),
		Sent: say("الرقم الذي أرسلناه", "The number that we sent"), Begun: say("بدأت", "Begun"),
		Why: say("السبب", "Why"),
		AskedAgain: say("لم تُجب جهة الدفع، ونسألها مجددًا في",
			"The acquirer has not answered. It is asked again on"),
		NoAnswer: say("لم تُجب جهة الدفع.", "The acquirer has not answered."),
		Acquirer: say("جهة الدفع", "Acquirer"), Shown: say("في الكشوف", "In statements"),
		FoundBy: say("كشف قارنه", "Statement compared by"), OwnStatement: say("كشفك", "Your statement"),
		NoLine: say("لا سطر لها", "no line of it"),
		Paid:   say("دُفعت", "Paid"),
		PaidWhat: say("سحبت جهة الدفع المبلغ من الزبون. تصبح الدفعة «مدفوعة».",
			"The acquirer took the customer’s money. The payment becomes “paid”."),
		NotPaid: say("لم تُدفع", "Not paid"),
		NotPaidWhat: say("لم يُسحب شيء من الزبون. يستطيع أن يحاول مرة أخرى قبل انتهاء المهلة.",
			"Nothing was taken. The customer can try again before the deadline."),
		RefundedWhat: say("يُسجَّل أن المبلغ رُدّ.", "It is recorded as given back."),
		NotRefundedWhat: say("لم يصل إلى الزبون شيء. يمكن طلب الرد مرة أخرى.",
			"Nothing reached the customer. The refund can be asked for again."),
		ReferenceHint: say("رقم العملية كما تكتبه جهة الدفع، إن وجدته.",
			"The transaction’s number as the acquirer writes it, if you found it."),
		Note:          say("كيف عرفت؟", "How do you know?"),
		ProposeButton: say("أرسل للتأكيد", "Send for confirmation"),
		ProposeWhat: say("يلزم هنا شخصان: لن يتغيّر شيء قبل أن يؤكد مالك أو محاسب غيرك.",
			"This needs two people: nothing changes before another owner or finance member confirms it."),
		ProposedBy: say("سجّله أولًا", "First recorded by"), ProposedAt: say("متى", "When"),
		ProposedWhat: say("تحقّق بنفسك قبل أن تؤكد. يبقى اسمك واسمه في السجل.",
			"Check for yourself before you confirm. Both names stay in the ledger."),
		Confirm: say("أكّد النتيجة", "Confirm the outcome"), Reject: say("ارفضها", "Reject it"),
		Withdraw:  say("اسحب ما سجّلت", "Withdraw it"),
		Statement: say("الكشف", "Statement"),
		Agrees:    say("كشفك يوافقه", "Your statement agrees"),
		Differs:   say("كشفك يقول غير ذلك", "Your statement says otherwise"),
		OwnRefused: say("لا يؤكد أحد ما سجّله هو. لم يتغيّر شيء.",
			"No one confirms what they recorded themselves. Nothing has changed."),
		RuleTitle: say("متى يؤكد شخص ثانٍ؟", "When does a second person confirm?"),
		RuleIntro: say("قاعدة لما يسجّله الأعضاء من نتائج الدفعات والمبالغ المردودة. لا يؤكد أحد ما سجّله هو. ومن "+
			"يخفّف القاعدة لا يسجّل شيئًا وحده حتى يحفظها مالك آخر.",
			"The rule is for outcomes of payments and refunds that members record. No one confirms their own. A "+
				"member who makes the rule weaker records nothing alone until another owner saves it."),
		RuleNever:  say("شخص واحد يكفي دائمًا", "One person is always enough"),
		RuleAlways: say("يؤكد شخص ثانٍ دائمًا", "A second person always confirms"),
		RuleAbove:  say("يؤكد شخص ثانٍ المبالغ الكبيرة", "A second person confirms large amounts"),
		RuleMore:   say("يؤكد شخص ثانٍ المبالغ التي تزيد على", "A second person confirms amounts above"),
		RuleNeverWhat: say("ما يسجّله مالك أو محاسب يدخل السجل مباشرة.",
			"What an owner or finance member records is in the ledger at once."),
		RuleAlwaysWhat: say("يسجّل واحد ما وجده، ولا يتغيّر شيء قبل أن يؤكده آخر.",
			"One records what they found, and nothing changes before another confirms it."),
		RuleAboveWhat: say("ما يزيد على المبلغ أدناه.", "Those of more than the amount below."),
		RuleMissing:   say("اختر متى يؤكد شخص ثانٍ.", "Choose when a second person confirms."),
		RuleSave:      say("احفظ القاعدة", "Save the rule"), RuleChange: say("غيّر القاعدة", "Change the rule"),
		RuleLoosened: say("خفّفتَ هذه القاعدة، فكل ما تسجّله يلزمه شخص ثانٍ حتى يحفظها مالك آخر.",
			"You made this rule weaker: what you record needs a second person until another owner saves the rule."),
		Alone: say("لا يوجد من يؤكد. ادعُ أولًا مالكًا أو محاسبًا آخر.",
			"There is no one to confirm. Invite another owner or finance member first."),
		Unknown: say("لم تُعرف نتيجتها", "Outcome unknown"),
		PaidBefore: say("السجل يقول إنها دُفعت، ولا يُلغى ذلك من هنا.",
			"The ledger has it as paid, which cannot be undone here."),
		Contradicted: say("بيانات جهة الدفع لا تطابق السجل. «دُفعت» تسجّل مبلغ الدفعة كاملًا، وما زاد عليه أو نقص "+
			"عنه تسوّيه مع جهة الدفع.",
			"The acquirer’s words do not match the ledger. “Paid” records the whole amount of the payment; what is "+
				"more or less than that is for you to clear up with the acquirer."),
		NoneTicked: say("لم تختر شيئًا. اختر واحدة على الأقل.", "Nothing is ticked. Tick at least one."),
	}
}
