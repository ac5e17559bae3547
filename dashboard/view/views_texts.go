package view

import "daftar/internal/locale"

// viewTexts are the texts of the page of saved views.
type viewTexts struct {
	Title, Crumb, New, Name, NameHint, Save string
	All, None, NoneHint, Rename, Delete     string
	NameTaken, NameWrong, TooMany           string
}

func viewTextsIn(say locale.Say) viewTexts {
	return viewTexts{
		Title: say("طرق العرض المحفوظة", "Saved views"), Crumb: say("المدفوعات", "Payments"),
		New: say("احفظ طريقة العرض", "Save this view"), Name: say("الاسم", "Name"),
		NameHint: say("مثل: متأخرة هذا الشهر", "Such as: late this month"),
		Save:     say("احفظ", "Save"), All: say("طرق عرضك", "Your views"),
		None: say("لم تحفظ أي طريقة عرض بعد.", "You have not saved a view yet."),
		NoneHint: say("ابحث في المدفوعات أو صفِّها، ثم احفظ ما تراه باسم.",
			"Search or filter the payments, then save what you see under a name."),
		Rename: say("غيّر الاسم", "Rename"), Delete: say("احذف", "Delete"),
		NameTaken: say("لك طريقة عرض بهذا الاسم. اختر اسمًا آخر.",
			"You have a view of that name. Choose another name."),
		NameWrong: say("اكتب اسمًا من حرف إلى 255 حرفًا.", "Enter a name of 1 to 255 characters."),
		TooMany: say("لك 20 طريقة عرض، وهو الحد الأعلى. احذف واحدة قبل أن تحفظ أخرى.",
			"You have 20 views, which is the most. Delete one before you save another."),
	}
}

func viewNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"view-saved":   say("حُفظت طريقة العرض.", "The view was saved."),
		"view-renamed": say("تغيّر اسم طريقة العرض.", "The view was renamed."),
		"view-deleted": say("حُذفت طريقة العرض.", "The view was deleted."),
	}
}
