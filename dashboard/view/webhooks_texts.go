package view

import (
	"strconv"
	"time"

	"daftar/internal/locale"
	"daftar/webhooks"
)

// webhookTexts are the texts about webhooks.
type webhookTexts struct {
	Intro, LastSuccess, LastTry, Never, FailingSince, DisabledAt, InARow       string
	Enable, EnableEffect, EnableButton, Replay, ReplayEffect, Since, SinceHint string
	ReplayButton, SinceBad, SinceAhead, SinceLong, Due, NoApplications         string
	Deliveries, State, AnyState, Event, Application, Payment, Tries            string
	LastStatus, OccurredAt, NextAt, None, NoneFiltered, Older, Latest, Pages   string
	Partial, Table                                                             string
	Delivery, ID, NoTries, Try, At, Took, Outcome, Answer, NoAnswer            string
	Resend, ResendEffect, ResendButton, ToWebhooks, ToAddress                  string
	Pending, Delivered, Failed, Held                                           string
	Test, AnyEvent, From, To, TimesCross                                       string
	Payload, PayloadOf, PayloadHint, Signature, Headers, Body                  string

	MailToDo string // in the mail about a stopped endpoint
}

func webhookTextsIn(say locale.Say) webhookTexts {
	return webhookTexts{
		Intro: say("نخبر خادمك بالإشعارات البرمجية (webhooks) بكل ما يجري للمدفوعات، ونعيد المحاولة حتى يجيب.",
			"We send your server an event whenever a payment changes, and retry until it answers."),
		LastSuccess: say("آخر وصول", "Last arrived"), LastTry: say("آخر محاولة", "Last try"),
		Never:        say("لم يصل شيء من آخر 100 إشعار", "None of the latest 100 arrived"),
		FailingSince: say("يفشل منذ", "Failing since"),
		DisabledAt:   say("توقف الإرسال", "Sending stopped"),
		InARow:       say("محاولات فاشلة متتالية", "failures in a row"),
		Enable:       say("أعد التفعيل", "Enable again"),
		EnableEffect: say("يُرسل إلى العنوان كل ما يجري من الآن. ما بقي محفوظًا خلال التوقف لا يُرسل إلا إذا "+
			"أعدت الإرسال منذ وقت.",
			"Whatever happens from now on is sent to the URL. What was held meanwhile is sent only by a replay."),
		EnableButton: say("فعّل الإرسال", "Enable sending"),
		Replay:       say("أعد الإرسال منذ وقت", "Replay since a time"),
		ReplayEffect: say("يُرسل من جديد كل ما جرى منذ الوقت الذي تختاره، وما وصل من قبل أيضًا، بالمعرّفات "+
			"نفسها. ويُفعَّل العنوان إن كان متوقفًا. تأكد أن خادمك يتجاهل ما سبق أن عالجه.",
			"Whatever happened since the time you choose is sent again, also what arrived before, with the same "+
				"ids. The endpoint is enabled if it was stopped. Make sure that your server ignores what it has "+
				"dealt with."),
		Since:          say("منذ (بتوقيت ليبيا)", "Since (Libya’s time)"),
		SinceHint:      say("خلال آخر 31 يومًا.", "Within the last 31 days."),
		ReplayButton:   say("أعد الإرسال", "Send again"),
		SinceBad:       say("اكتب اليوم والوقت.", "Enter a day and a time."),
		SinceAhead:     say("هذا الوقت لم يأتِ بعد.", "Choose a time in the past."),
		SinceLong:      say("اختر وقتًا خلال آخر 31 يومًا.", "Choose a time within the last 31 days."),
		Due:            say("عدد الإشعارات التي تُرسل من جديد:", "Webhooks being sent again:"),
		NoApplications: say("لا توجد تطبيقات بعد.", "There are no applications yet."),
		Deliveries:     say("الإشعارات البرمجية", "Deliveries"), State: say("الحالة", "State"),
		AnyState: say("كل الحالات", "Any state"), Event: say("الحدث", "Event"),
		Application: say("التطبيق", "Application"), Payment: say("الدفعة", "Payment"),
		Tries: say("المحاولات", "Tries"), LastStatus: say("آخر جواب", "Last answer"),
		OccurredAt:   say("جرى (بتوقيت ليبيا)", "Happened (Libya’s time)"),
		NextAt:       say("المحاولة التالية", "Next try"),
		None:         say("لا توجد إشعارات بعد.", "There are no webhooks yet."),
		NoneFiltered: say("لا يوجد إشعار بهذه الشروط.", "No webhook fits these conditions."),
		Older:        say("الأقدم", "Older"), Latest: say("الأحدث", "Latest"),
		Pages: say("صفحات القائمة", "Pages of the list"),
		Partial: say("توقف البحث قبل أن تكتمل الصفحة. تابع إلى الأقدم.",
			"The search stopped before the page was full. Go on to the older ones."),
		Table:    say("الإشعارات، الأحدث أولًا", "Webhooks, the latest first"),
		Delivery: say("إشعار", "Webhook"),
		ID:       say("webhook-id", "webhook-id"),
		NoTries:  say("لم يُحاول إرساله بعد.", "It has not been tried yet."),
		Try:      say("المحاولة", "Try"), At: say("الوقت", "Time"), Took: say("المدة", "Took"),
		Outcome:  say("النتيجة", "Outcome"),
		Answer:   say("بداية الجواب", "Beginning of the answer"),
		NoAnswer: say("بلا نص", "No text"), Resend: say("أعد الإرسال", "Resend"),
		ResendEffect: say("يُرسل الآن من جديد وبالمعرّف نفسه، ولو وصل من قبل.",
			"It is sent again now, with the same id, even if it arrived before."),
		ResendButton: say("أعد إرسال الإشعار", "Resend the webhook"),
		ToWebhooks:   say("كل الإشعارات البرمجية", "All webhooks"),
		ToAddress:    say("عنوان الإشعارات", "Webhook URL"),
		Pending:      say("قيد الإرسال", "Being sent"), Delivered: say("وصل", "Arrived"),
		Failed: say("لم يصل", "Not delivered"), Held: say("محفوظ", "Held"),
		Test:       say("إشعار تجريبي", "Test webhook"),
		AnyEvent:   say("كل الأحداث", "Any event"),
		From:       say("من (بتوقيت ليبيا)", "From (Libya’s time)"),
		To:         say("إلى (بتوقيت ليبيا)", "To (Libya’s time)"),
		TimesCross: say("نهاية المدة قبل بدايتها.", "The end lies before the beginning."),
		Payload:    say("ما أُرسل", "What was sent"), PayloadOf: say("ما يُرسل", "What will be sent"),
		PayloadHint: say("هذا هو النص الموقَّع حرفًا بحرف، وهو نفسه في كل محاولة.",
			"These are the bytes that are signed. They are the same on every try."),
		Signature: say("يُحسب لكل محاولة بسرّ الإشعارات وقتها، ولا نحفظه.",
			"Computed for each try with the webhook secret of that time, and not kept."),
		Headers: say("الترويسات", "Headers"), Body: say("النص", "Body"),
		MailToDo: say("أصلح الخادم أو غيّر العنوان، ثم فعّل الإرسال وأعد إرسال ما فات.",
			"Correct your server or change the URL. Then enable sending, and replay what was missed."),
	}
}

// StatePill is the state of a delivery.
func (t webhookTexts) StatePill(state string) pill {
	switch state {
	case webhooks.StatePending:
		return pill{t.Pending, "wait"}
	case webhooks.StateDelivered:
		return pill{t.Delivered, "ok"}
	case webhooks.StateFailed:
		return pill{t.Failed, "late"}
	case webhooks.StateHeld:
		return pill{t.Held, "off"}
	}
	panic("view: unknown state of a delivery")
}

// Milliseconds is the duration of a try.
func (webhookTexts) Milliseconds(d time.Duration) string {
	return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
}
