package view

import (
	"strconv"
	"time"

	"daftar/webhooks"
)

// WebhookTexts are the words about webhooks.
type WebhookTexts struct {
	Intro, LastSuccess, LastTry, Never, FailingSince, DisabledAt, InARow       string
	Enable, EnableEffect, EnableButton, Replay, ReplayEffect, Since, SinceHint string
	ReplayButton, SinceBad, SinceAhead, SinceLong, Due, NoApplications         string
	Deliveries, State, AnyState, Event, Application, Payment, Tries            string
	LastStatus, OccurredAt, NextAt, None, NoneFiltered, Older, Latest, Pages   string
	Partial, Table, Test                                                       string
	Delivery, ID, NoTries, Try, At, Took, Outcome, Answer, NoAnswer            string
	Resend, ResendEffect, ResendButton, ToWebhooks, ToAddress                  string
	Pending, Delivered, Failed, Held                                           string
	AnyEvent, From, To, TimesCross                                             string
	Payload, PayloadOf, PayloadHint, Signature, Headers, Body                  string
	MailSubject, MailStopped, MailToDo, MailWhy                                string // of the mail about a stopped endpoint
}

var arabicWebhooks = WebhookTexts{
	Intro:       "نخبر خادمك بكل ما يجري للمدفوعات، ونعيد المحاولة حتى يجيب.",
	LastSuccess: "آخر وصول", LastTry: "آخر محاولة", Never: "لم يصل شيء من آخر 100 إشعار",
	FailingSince: "يفشل منذ", DisabledAt: "توقف الإرسال", InARow: "محاولات فاشلة متتالية",
	Enable: "أعد التفعيل", EnableEffect: "يُرسل إلى العنوان كل ما يجري من الآن. ما بقي محفوظًا خلال التوقف لا يُرسل إلا إذا أعدت الإرسال منذ وقت.",
	EnableButton: "فعّل الإرسال", Replay: "أعد الإرسال منذ وقت",
	ReplayEffect: "يُرسل من جديد كل ما جرى منذ الوقت الذي تختاره، وما وصل من قبل أيضًا، بالمعرّفات نفسها. ويُفعَّل العنوان إن كان متوقفًا. تأكد أن خادمك يتجاهل ما سبق أن عالجه.",
	Since:        "منذ (بتوقيت ليبيا)", SinceHint: "خلال آخر 31 يومًا.", ReplayButton: "أعد الإرسال",
	SinceBad: "اكتب اليوم والوقت.", SinceAhead: "هذا الوقت لم يأتِ بعد.", SinceLong: "اختر وقتًا خلال آخر 31 يومًا.",
	Due: "عدد الإشعارات التي تُرسل من جديد:", NoApplications: "لا توجد تطبيقات بعد.",
	Deliveries: "الإشعارات", State: "الحالة", AnyState: "كل الحالات", Event: "الحدث", Application: "التطبيق",
	Payment: "الدفعة", Tries: "المحاولات", LastStatus: "آخر جواب", OccurredAt: "جرى (بتوقيت ليبيا)", NextAt: "المحاولة التالية",
	None: "لا توجد إشعارات بعد.", NoneFiltered: "لا يوجد إشعار بهذه الشروط.", Older: "الأقدم", Latest: "الأحدث", Pages: "صفحات القائمة",
	Partial: "توقف البحث قبل أن تكتمل الصفحة. تابع إلى الأقدم.", Table: "الإشعارات، الأحدث أولًا", Test: "إشعار تجريبي",
	Delivery: "إشعار", ID: "webhook-id", NoTries: "لم يُحاول إرساله بعد.", Try: "المحاولة", At: "الوقت", Took: "المدة", Outcome: "النتيجة",
	Answer: "بداية الجواب", NoAnswer: "بلا نص", Resend: "أعد الإرسال",
	ResendEffect: "يُرسل الآن من جديد وبالمعرّف نفسه، ولو وصل من قبل.", ResendButton: "أعد إرسال الإشعار", ToWebhooks: "كل الإشعارات",
	ToAddress: "عنوان الإشعارات",
	Pending:   "قيد الإرسال", Delivered: "وصل", Failed: "لم يصل", Held: "محفوظ",
	AnyEvent: "كل الأحداث", From: "من (بتوقيت ليبيا)", To: "إلى (بتوقيت ليبيا)", TimesCross: "نهاية المدة قبل بدايتها.",
	Payload: "ما أُرسل", PayloadOf: "ما يُرسل", PayloadHint: "هذا هو النص الموقَّع حرفًا بحرف، وهو نفسه في كل محاولة.",
	Signature: "يُحسب لكل محاولة بسرّ الإشعارات وقتها، ولا نحفظه.", Headers: "الترويسات", Body: "النص",
	MailSubject: "دفتر: توقف إرسال الإشعارات إلى", MailStopped: "توقف إرسال الإشعارات إلى التطبيق",
	MailToDo: "أصلح الخادم أو غيّر العنوان، ثم فعّل الإرسال وأعد إرسال ما فات.",
	MailWhy:  "تصلك هذه الرسالة مرة واحدة عن كل توقف، لأنك مالك أو مطوّر في هذه المؤسسة.",
}

var englishWebhooks = WebhookTexts{
	Intro:       "We send your server an event whenever a payment changes, and retry until it answers.",
	LastSuccess: "Last arrived", LastTry: "Last try", Never: "None of the latest 100 arrived",
	FailingSince: "Failing since", DisabledAt: "Sending stopped", InARow: "failures in a row",
	Enable: "Enable again", EnableEffect: "Whatever happens from now on is sent to the URL. What was held meanwhile is sent only by a replay.",
	EnableButton: "Enable sending", Replay: "Replay since a time",
	ReplayEffect: "Whatever happened since the time you choose is sent again, also what arrived before, with the same ids. The endpoint is enabled if it was stopped. Make sure that your server ignores what it has dealt with.",
	Since:        "Since (Tripoli’s time)", SinceHint: "Within the last 31 days.", ReplayButton: "Send again",
	SinceBad: "Enter a day and a time.", SinceAhead: "This time has not come yet.", SinceLong: "Choose a time within the last 31 days.",
	Due: "Webhooks being sent again:", NoApplications: "There are no applications yet.",
	Deliveries: "Deliveries", State: "State", AnyState: "Any state", Event: "Event", Application: "Application",
	Payment: "Payment", Tries: "Tries", LastStatus: "Last answer", OccurredAt: "Happened (Tripoli)", NextAt: "Next try",
	None: "There are no webhooks yet.", NoneFiltered: "No webhook fits these conditions.", Older: "Older", Latest: "Latest", Pages: "Pages of the list",
	Partial: "The search stopped before the page was full. Go on to the older ones.", Table: "Webhooks, the latest first", Test: "Test webhook",
	Delivery: "Webhook", ID: "webhook-id", NoTries: "It has not been tried yet.", Try: "Try", At: "Time", Took: "Took", Outcome: "Outcome",
	Answer: "Beginning of the answer", NoAnswer: "No text", Resend: "Resend",
	ResendEffect: "It is sent again now, with the same id, even if it arrived before.", ResendButton: "Resend the webhook", ToWebhooks: "All webhooks",
	ToAddress: "Webhook URL",
	Pending:   "Being sent", Delivered: "Arrived", Failed: "Not delivered", Held: "Held",
	AnyEvent: "Any event", From: "From (Libya’s time)", To: "To (Libya’s time)", TimesCross: "The end lies before the beginning.",
	Payload: "What was sent", PayloadOf: "What will be sent", PayloadHint: "These are the bytes that are signed. They are the same on every try.",
	Signature: "Computed for each try with the webhook secret of that time, and not kept.", Headers: "Headers", Body: "Body",
	MailSubject: "Daftar: webhooks have stopped for", MailStopped: "Webhooks have stopped for the application",
	MailToDo: "Correct your server or change the URL. Then enable sending, and replay what was missed.",
	MailWhy:  "You get this once for each stop, because you are an owner or developer of this organisation.",
}

// StatePill is the state of a delivery.
func (t WebhookTexts) StatePill(state string) pill {
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

// Milliseconds is how long a try took.
func (WebhookTexts) Milliseconds(d time.Duration) string {
	return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
}
