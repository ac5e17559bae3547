package view

import "daftar/internal/locale"

// noteTexts are the texts of the notes on a payment, and of sharing its receipt.
type noteTexts struct {
	Title, Hint, New, NewHint, Button string
	Missing, Long, Full               string
	Decisions, NotTold                string

	Receipt, ReceiptHint, OpenReceipt, Copy, Copied, Share string
}

func noteTextsIn(say locale.Say) noteTexts {
	return noteTexts{
		Title: say("ملاحظات", "Notes"),
		Hint: say("يراها أعضاء المؤسسة وحدهم. لا تُعدَّل الملاحظة ولا تُحذف.",
			"Members of the organisation see them, and no one else. A note cannot be changed or removed."),
		New: say("ملاحظة جديدة", "New note"),
		NewHint: say("مثلًا: ماذا قال الزبون، وبماذا وعدته. لا تكتب أرقام بطاقات ولا رموز تحقق.",
			"For example: what the customer said, and what you promised. Write no card numbers and no codes."),
		Button:  say("أضف الملاحظة", "Add the note"),
		Missing: say("اكتب الملاحظة.", "Write the note."),
		Long:    say("الملاحظة أطول من 1000 حرف.", "The note is longer than 1000 characters."),
		Full: say("في هذه الدفعة 200 ملاحظة، ولا تُحفظ أكثر منها.",
			"This payment has 200 notes. No more are kept."),
		Decisions: say("ما قُرّر فيها", "What was decided"),
		NotTold:   say("لم يُكتب", "Not written down"),
		Receipt:   say("إيصال للمشاركة", "Receipt to share"),
		ReceiptHint: say("من يفتح هذا الرابط يتحقق من أن الإيصال صحيح: المبلغ والمتجر والوقت والمرجع، ولا شيء "+
			"عن الزبون. ولا يفتح غير ذلك.",
			"Anyone who opens this link can check that the receipt is genuine: amount, shop, time and "+
				"reference, nothing about the customer. It opens nothing else."),
		OpenReceipt: say("افتح صفحة الإيصال", "Open the receipt’s page"),
		Copy:        say("انسخ الرابط", "Copy the link"), Copied: say("تم النسخ.", "Copied."),
		Share: say("شارك الرابط", "Share the link"),
	}
}
