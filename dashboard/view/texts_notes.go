package view

// noteTexts are the words of the notes on a payment, and of the receipt that is shared.
type noteTexts struct {
	Title, Hint, New, NewHint, Button string
	Missing, Long, Full               string
	Decisions, NotTold                string

	Receipt, ReceiptHint, OpenReceipt, Copy, Copied, Share string
}

var arabicNotes = noteTexts{
	Title: "ملاحظات", Hint: "يراها أعضاء المؤسسة وحدهم. لا تُعدَّل الملاحظة ولا تُحذف.",
	New: "ملاحظة جديدة", NewHint: "مثلًا: ماذا قال الزبون، وبماذا وعدته. لا تكتب أرقام بطاقات ولا رموز تحقق.", Button: "أضف الملاحظة",
	Missing: "اكتب الملاحظة.", Long: "الملاحظة أطول من 1000 حرف.",
	Full:      "في هذه الدفعة 200 ملاحظة، ولا تُحفظ أكثر منها.",
	Decisions: "ما قُرّر فيها", NotTold: "لم يُكتب",
	Receipt: "إيصال للمشاركة", ReceiptHint: "من يفتح هذا الرابط يتحقق من أن الإيصال صحيح: المبلغ والمتجر والوقت والمرجع، ولا شيء عن الزبون. ولا يفتح غير ذلك.",
	OpenReceipt: "افتح صفحة الإيصال", Copy: "انسخ الرابط", Copied: "تم النسخ.", Share: "شارك الرابط",
}

var englishNotes = noteTexts{
	Title: "Notes", Hint: "Members of the organisation see them, and nobody else. A note cannot be changed or removed.",
	New: "New note", NewHint: "For example: what the customer said, and what you promised. Write no card numbers and no codes.", Button: "Add the note",
	Missing: "Write the note.", Long: "The note is longer than 1000 characters.",
	Full:      "This payment has 200 notes. No more are kept.",
	Decisions: "What was decided", NotTold: "Not written down",
	Receipt: "Receipt to share", ReceiptHint: "Anyone who opens this link can check that the receipt is genuine: amount, shop, time and reference, nothing about the customer. It opens nothing else.",
	OpenReceipt: "Open the receipt’s page", Copy: "Copy the link", Copied: "Copied.", Share: "Share the link",
}
