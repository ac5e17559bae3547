package view

// viewTexts are the words of the page of saved views.
type viewTexts struct {
	Title, Crumb, New, Name, NameHint, Save string
	All, None, NoneHint, Rename, Delete     string
	NameTaken, NameWrong, TooMany           string
}

var arabicViews = viewTexts{
	Title: "طرق العرض المحفوظة", Crumb: "المدفوعات", New: "احفظ طريقة العرض", Name: "الاسم", NameHint: "مثل: متأخرة هذا الشهر", Save: "احفظ",
	All: "طرق عرضك", None: "لم تحفظ أي طريقة عرض بعد.", NoneHint: "ابحث في المدفوعات أو صفِّها، ثم احفظ ما تراه باسم.", Rename: "غيّر الاسم", Delete: "احذف",
	NameTaken: "لك طريقة عرض بهذا الاسم. اختر اسمًا آخر.", NameWrong: "اكتب اسمًا من حرف إلى 255 حرفًا.",
	TooMany: "لك 20 طريقة عرض، وهو الحد الأعلى. احذف واحدة قبل أن تحفظ أخرى.",
}

var englishViews = viewTexts{
	Title: "Saved views", Crumb: "Payments", New: "Save this view", Name: "Name", NameHint: "Such as: late this month", Save: "Save",
	All: "Your views", None: "You have not saved a view yet.", NoneHint: "Search or filter the payments, then save what you see under a name.", Rename: "Rename", Delete: "Delete",
	NameTaken: "You have a view of that name. Choose another name.", NameWrong: "Enter a name of 1 to 255 characters.",
	TooMany: "You have 20 views, which is the most. Delete one before you save another.",
}

var viewNotices = map[string]notice{
	"view-saved":   {"حُفظت طريقة العرض.", "The view was saved."},
	"view-renamed": {"تغيّر اسم طريقة العرض.", "The view was renamed."},
	"view-deleted": {"حُذفت طريقة العرض.", "The view was deleted."},
}
