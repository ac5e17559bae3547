package site

import (
	"daftar/internal/locale"
)

// The words around the documents, in both languages.
var (
	menu             = locale.Text{Arabic: "التوثيق", English: "Documentation"}
	product          = locale.Text{Arabic: "توثيق دفتر", English: "Daftar documentation"}
	skip             = locale.Text{Arabic: "إلى المحتوى", English: "To the content"}
	notFound         = locale.Text{Arabic: "لا توجد صفحة هنا", English: "There is no page here"}
	notFoundSentence = locale.Text{Arabic: "اختر صفحة من القائمة.", English: "Choose a page from the menu."}
)

// texts are the words of the template.
type texts struct {
	Menu, Ask              string
	Find                   string // in the field of the search
	Search, Found, Nothing string
	Contents, ContentsHint string
}

func textsIn(say locale.Say) texts {
	return texts{
		Menu: menu.Using(say), Ask: say("أسئلة؟ اكتب إلى", "Questions? Write to"),
		Find: say("ابحث", "Search"), Search: say("ابحث في التوثيق", "Search the documentation"),
		Found: say("نتائج البحث", "Search results"), Nothing: say("لا نتائج.", "Nothing found."),
		Contents: say("كل ما في التوثيق", "Everything in the documentation"),
		ContentsHint: say("قائمة بكل الصفحات والأقسام والطلبات والحقول.",
			"A list of all pages, sections, requests and fields."),
	}
}
