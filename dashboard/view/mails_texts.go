package view

import (
	"daftar/internal/locale"
	"daftar/notices"
)

func mailNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"mails-chosen": say("حُفظ اختيارك.", "Your choice was saved."),
		"mails-ended": say("حُفظ اختيارك: لا رسائل عن هذه المؤسسة.",
			"Your choice was saved: no mails about this organisation."),
	}
}

// mailTexts are the texts of what members are told by mail, and of the page on which they choose.
type mailTexts struct {
	Title, Manage, Intro, LiveOnly, Unchosen, NoSums, Off, Refused string
	Payments, PaymentsWhat, Decisions, DecisionsWhat               string
	Daily, DailyHint, NoDaily, BadHour, NextDaily, Save            string
	EndTitle, EndWhat, End, EndedTitle, EndedWhat, Choose          string

	Sender, News, Since, UnknownWhat, Rest, Why, ChooseLink, EndLink string
	ToPayment, ToPayments, ToDecisions, ToWebhooks, ToMoney          string
	DayOf, NothingCame, OtherMethod, Twice                           string
	Waits, NothingWaits, ToDecide                                    string

	// One is what a mail about one thing calls it, Several what a mail about many calls those of a kind.
	One, Several map[notices.Kind]string
}

func mailTextsIn(say locale.Say) mailTexts {
	return mailTexts{
		Title: say("رسائل البريد", "Your mails"), Manage: say("رسائل البريد", "Mails"),
		Intro: say("اختر ما نخبرك به عن هذه المؤسسة. كل عضو يختار لنفسه، ورسائلك تصل إلى",
			"Choose what we tell you about this organisation. Each member chooses for themselves. Your mails go to"),
		LiveOnly: say("لا رسائل عن المدفوعات التجريبية.", "There are no mails about test payments."),
		Unchosen: say("لم تختر بعد. إلى أن تختار لا نراسل إلا المالكين والمطوّرين، إذا توقفت إشعارات تطبيق.",
			"You have not chosen yet. Until you do, we write only to owners and developers, when webhooks to an "+
				"application stop."),
		NoSums: say("لا يرى دورك مجموع المبالغ، فلا رسائل عن كل دفعة ولا ملخص يومي.",
			"Your role does not see sums, so there are no mails for each payment and no daily summary."),
		Off: say("لا ترسل هذه الخدمة بريدًا. يستطيع مشغّلها تفعيل ذلك.",
			"This service sends no mail. Its operator can turn that on."),
		Refused: say("توقفت رسائلك: عدة رسائل متتالية لم تُسلَّم إلى بريدك. تأكّد من أنه يستقبل الرسائل، ثم اختر "+
			"من جديد.",
			"Your mails have stopped: several in a row could not be delivered. Make sure that your mailbox takes "+
				"mail, then choose again."),

		Payments: say("كل دفعة", "Each payment"),
		PaymentsWhat: say("رسالة فور وصول المبلغ. وإن كثرت الدفعات جمعناها، فلا تصلك أكثر من رسالة في الدقيقة.",
			"A mail as soon as money arrives. When there are many, they share one: you get a mail a minute at most."),
		Decisions: say("ما يحتاج قرارًا", "What needs a decision"),
		DecisionsWhat: say("مبلغ وصل بعد المهلة أو مرتين، ونتيجة لم تُعرف منذ ساعة، ومبلغ لم يُردّ، وتطبيق توقفت "+
			"إشعاراته.",
			"Money that came late or twice, an outcome unknown for an hour, a refund that failed, webhooks that "+
				"stopped."),
		Daily: say("الملخص اليومي (بتوقيت ليبيا)", "Daily summary (Libya’s time)"),
		DailyHint: say("عن اليوم السابق كاملًا: ما وصل بكل وسيلة، وما وصل بعد المهلة أو مرتين، وما رُدّ، وما "+
			"ينتظر. ملخص الساعة 00:00 عن اليوم الذي انتهى للتوّ.",
			"About the whole of the day before: what came in by each method, what came late or twice, what was "+
				"given back, and what waits. At 00:00 it is about the day that has just ended."),
		NoDaily:   say("بلا ملخص", "No summary"),
		BadHour:   say("اختر ساعة من القائمة.", "Choose an hour from the list."),
		NextDaily: say("الملخص القادم:", "Next summary:"), Save: say("احفظ", "Save"),

		EndTitle: say("إيقاف الرسائل", "Stop the mails"),
		EndWhat: say("بعد ذلك لا تصل إلى هذا البريد رسائل عمّا يجري في هذه المؤسسة، ولا الملخص اليومي. رسائل بقية "+
			"الأعضاء تستمر.",
			"After that, this address gets no mails about what happens in this organisation, and no daily summary. "+
				"Those of the other members go on."),
		End: say("أوقف الرسائل", "Stop the mails"), EndedTitle: say("توقفت الرسائل", "The mails have stopped"),
		EndedWhat: say("لن تصل إلى هذا البريد رسائل عمّا يجري في هذه المؤسسة. تستطيع أن تختار من جديد متى شئت.",
			"This address gets no more mails about what happens in this organisation. You can choose again at any "+
				"time."),
		Choose: say("اختر من جديد", "Choose again"),

		Sender: say("دفتر", "Daftar"), News: say("الجديد", "What is new"), Since: say("منذ", "since"),
		UnknownWhat: say("لا نعرف بعد هل تمّت العملية. ابحث عنها في حسابك لدى جهة الدفع، ثم سجّل ما وجدت.",
			"We do not know yet whether it went through. Look for it in your account with the acquirer, then record "+
				"what you find."),
		Rest: say("غيرها في لوحة التحكم", "More in the dashboard"),
		Why: say("تصلك هذه الرسالة لأنك عضو في هذه المؤسسة. الأوقات بتوقيت ليبيا.",
			"You get this mail as a member of this organisation. Times are Libya’s time."),
		ChooseLink: say("اختر ما يصلك", "Choose your mails"),
		EndLink:    say("أوقف هذه الرسائل كلها", "Stop all these mails"),
		ToPayment:  say("افتح الدفعة", "Open the payment"), ToPayments: say("افتح المدفوعات", "Open the payments"),
		ToDecisions: say("افتح ما يحتاج قرارًا", "See what needs a decision"),
		ToWebhooks:  say("افتح الإشعارات البرمجية", "Open the webhooks"),
		ToMoney:     say("افتح إيرادات اليوم", "Open the day’s revenue"),

		DayOf:       say("ملخص يوم", "Summary of"),
		NothingCame: say("لم تصل أي دفعة في هذا اليوم.", "No payment came in on this day."),
		OtherMethod: say("وسائل أخرى", "Other methods"),
		Twice:       say("مدفوعة مرتين (خارج المجموع)", "Duplicate payments (not in the total)"),
		Waits:       say("ينتظر الآن", "Waiting now"), NothingWaits: say("لا شيء ينتظر.", "Nothing is waiting."),
		ToDecide: say("مبالغ تحتاج قرارًا", "Money to decide about"),

		One: map[notices.Kind]string{
			notices.Paid:           say("وصلت دفعة", "Payment received"),
			notices.Late:           say("وصلت دفعة بعد المهلة", "Payment received late"),
			notices.Duplicate:      say("دُفع المبلغ مرتين", "Paid twice"),
			notices.RefundFailed:   say("لم يُردّ المبلغ", "Refund failed"),
			notices.UnknownPayment: say("دفعة لم تُعرف نتيجتها منذ ساعة", "Payment outcome unknown for an hour"),
			notices.UnknownRefund:  say("ردّ مبلغ لم تُعرف نتيجته منذ ساعة", "Refund outcome unknown for an hour"),
			notices.Stopped:        say("توقفت إشعارات التطبيق", "Webhooks have stopped"),
		},
		Several: map[notices.Kind]string{
			notices.Paid:           say("دفعات وصلت", "Payments received"),
			notices.Late:           say("دفعات وصلت بعد المهلة", "Payments received late"),
			notices.Duplicate:      say("دفعات دُفعت مرتين", "Paid twice"),
			notices.RefundFailed:   say("مبالغ لم تُردّ", "Refunds that failed"),
			notices.UnknownPayment: say("دفعات لم تُعرف نتيجتها منذ ساعة", "Payments unknown for an hour"),
			notices.UnknownRefund:  say("مبالغ لم تُعرف نتيجة ردّها منذ ساعة", "Refunds unknown for an hour"),
			notices.Stopped:        say("تطبيقات توقفت إشعاراتها", "Applications whose webhooks stopped"),
		},
	}
}
