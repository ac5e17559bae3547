package site

import "daftar/internal/web"

// The words around the documents.
var (
	menu             = web.Text{Arabic: "التوثيق", English: "Documentation"}
	product          = web.Text{Arabic: "توثيق دفتر", English: "Daftar documentation"}
	skip             = web.Text{Arabic: "إلى المحتوى", English: "To the content"}
	ask              = web.Text{Arabic: "أسئلة؟ اكتب إلى", English: "Questions? Write to"}
	notFound         = web.Text{Arabic: "لا توجد صفحة هنا", English: "There is no page here"}
	notFoundSentence = web.Text{Arabic: "اختر صفحة من القائمة.", English: "Choose a page from the menu."}
)
