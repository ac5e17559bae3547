package view

// requestTexts are the words about an application's API requests.
type requestTexts struct {
	Title, Intro, NotKept, ToRequests, ToApplication string
	Class, AnyClass, Fine, Refused, Failed           string
	Kind, AnyKind, ID                                string
	Found, Table, Request, Took, At                  string
	Replayed, Skipped, Error, Payment                string
	None, NoneHint, NoneFiltered, Older, Latest      string
	Pages, Hint                                      string
}

var arabicRequests = requestTexts{
	Title: "طلبات API", Intro: "آخر 1000 طلب وصلت بمفتاح هذا التطبيق، وتظهر هنا خلال ثانيتين. وعند الازدحام نحفظ أحدثها: 100 طلب ناجح و100 مرفوض في الثانية.",
	NotKept:    "لا نحفظ ما أُرسل: لا مفاتيح ولا رموز ولا بيانات زبائن. من الأخطاء نحفظ ردّنا وحده.",
	ToRequests: "طلبات API", ToApplication: "إلى صفحة التطبيق",
	Class: "الحالة", AnyClass: "كل الحالات", Fine: "ناجحة (2xx)", Refused: "مرفوضة (4xx)", Failed: "تعذّرت عندنا (5xx)",
	Kind: "الطلب", AnyKind: "كل الطلبات", ID: "رقم الطلب (X-Request-Id)",
	Found: "عدد الطلبات", Table: "الطلبات، الأحدث أولًا", Request: "الطلب", Took: "المدة", At: "وصل (بتوقيت ليبيا)",
	Replayed: "جواب طلب سابق (Idempotent-Replayed)", Skipped: "طلبات قبله لم تُحفظ لكثرتها:", Error: "ردّنا", Payment: "إلى الدفعة",
	None: "لا توجد طلبات بعد.", NoneHint: "يظهر هنا أول طلب يصل بمفتاح هذا التطبيق، ولو رُفض.", NoneFiltered: "لا يوجد طلب بهذه الشروط.",
	Older: "الأقدم", Latest: "الأحدث", Pages: "صفحات القائمة", Hint: "ما وصل وما أجبنا به:",
}

var englishRequests = requestTexts{
	Title: "API requests", Intro: "The last 1,000 requests that came with this application’s key. They show up here within two seconds. Under load we keep the newest: 100 that succeeded and 100 that were refused each second.",
	NotKept:    "What you send is not kept: no keys, no tokens, nothing about customers. Of errors we keep our answer alone.",
	ToRequests: "API requests", ToApplication: "To the application",
	Class: "Status", AnyClass: "Any status", Fine: "Succeeded (2xx)", Refused: "Refused (4xx)", Failed: "Failed on our side (5xx)",
	Kind: "Request", AnyKind: "Any request", ID: "Request id (X-Request-Id)",
	Found: "Requests", Table: "Requests, the latest first", Request: "Request", Took: "Took", At: "Came (Libya’s time)",
	Replayed: "Answer of an earlier request (Idempotent-Replayed)", Skipped: "Requests before it that were too many to keep:", Error: "Our answer", Payment: "To the payment",
	None: "There are no requests yet.", NoneHint: "The first one that comes with this application’s key shows up here, even if it is refused.", NoneFiltered: "No request fits these conditions.",
	Older: "Older", Latest: "Latest", Pages: "Pages of the list", Hint: "What came, and what we answered:",
}
