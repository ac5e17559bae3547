package view

import "daftar/internal/locale"

// requestTexts are the texts about an application's API requests.
type requestTexts struct {
	Intro, NotKept, ToApplication               string
	Class, AnyClass, Fine, Refused, Failed      string
	Kind, AnyKind, ID                           string
	Found, Table, Request, Took, At             string
	Replayed, Skipped, Error, Payment           string
	None, NoneHint, NoneFiltered, Older, Latest string
	Pages                                       string
}

func requestTextsIn(say locale.Say) requestTexts {
	return requestTexts{
		Intro: say("آخر 1000 طلب وصلت بمفتاح هذا التطبيق، وتظهر هنا خلال ثانيتين. وعند الازدحام نحفظ أحدثها: "+
			"100 طلب ناجح و100 مرفوض في الثانية.",
			"The last 1,000 requests that came with this application’s key. They show up here within two "+
				"seconds. Under load we keep the newest: 100 that succeeded and 100 that were refused each "+
				"second."),
		NotKept: say("لا نحفظ ما أُرسل: لا مفاتيح ولا رموز ولا بيانات زبائن. من الأخطاء نحفظ ردّنا وحده.",
			"What you send is not kept: no keys, no tokens, nothing about customers. Of errors we keep our "+
				"answer alone."),
		ToApplication: say("إلى صفحة التطبيق", "To the application"),
		Class:         say("الحالة", "Status"), AnyClass: say("كل الحالات", "Any status"),
		Fine: say("ناجحة (2xx)", "Succeeded (2xx)"), Refused: say("مرفوضة (4xx)", "Refused (4xx)"),
		Failed: say("تعذّرت عندنا (5xx)", "Failed on our side (5xx)"),
		Kind:   say("الطلب", "Request"), AnyKind: say("كل الطلبات", "Any request"),
		ID:      say("رقم الطلب (X-Request-Id)", "Request id (X-Request-Id)"),
		Found:   say("عدد الطلبات", "Requests"),
		Table:   say("الطلبات، الأحدث أولًا", "Requests, the latest first"),
		Request: say("الطلب", "Request"), Took: say("المدة", "Took"),
		At:       say("وصل (بتوقيت ليبيا)", "Received (Libya’s time)"),
		Replayed: say("جواب طلب سابق (Idempotent-Replayed)", "Answer of an earlier request (Idempotent-Replayed)"),
		Skipped:  say("طلبات قبله لم تُحفظ لكثرتها:", "Requests before it that were too many to keep:"),
		Error:    say("ردّنا", "Our answer"), Payment: say("إلى الدفعة", "To the payment"),
		None: say("لا توجد طلبات بعد.", "There are no requests yet."),
		NoneHint: say("يظهر هنا أول طلب يصل بمفتاح هذا التطبيق، ولو رُفض.",
			"The first one that comes with this application’s key shows up here, even if it is refused."),
		NoneFiltered: say("لا يوجد طلب بهذه الشروط.", "No request fits these conditions."),
		Older:        say("الأقدم", "Older"), Latest: say("الأحدث", "Latest"),
		Pages: say("صفحات القائمة", "Pages of the list"),
	}
}
