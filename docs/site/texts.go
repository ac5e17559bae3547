package site

import (
	"daftar/internal/locale"
)

// The words around the documents, in both languages.
var (
	menu             = locale.Text{Arabic: "التوثيق", English: "Documentation"}
	product          = locale.Text{Arabic: "توثيق دفتر", English: "Daftar documentation"}
	skip             = locale.Text{Arabic: "إلى المحتوى", English: "To the content"}
	ask              = locale.Text{Arabic: "أسئلة؟ اكتب إلى", English: "Questions? Write to"}
	notFound         = locale.Text{Arabic: "لا توجد صفحة هنا", English: "There is no page here"}
	notFoundSentence = locale.Text{Arabic: "اختر صفحة من القائمة.", English: "Choose a page from the menu."}
)
