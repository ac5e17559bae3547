package bank

import (
	"bytes"
	"fmt"

	"daftar/domain"
	"daftar/internal/web"
)

// Story is a page of the bank that somebody can meet, for tests and the storybook.
type Story struct {
	Name  string   // of a file
	When  web.Text // when it is met
	View  string   // data-state of the page
	shown page
}

// Stories are all views of the bank page, each under the name of its view, and the
// one on which no button was pressed.
func Stories() []Story {
	open := page{
		Figures:     domain.Money{Minor: 1_234_500, Currency: domain.LYD}.Figures(),
		Description: "طلب رقم 1042: آلة قهوة", Number: "A7K3QX0M2TD", Path: "/bank/story", ReturnURL: "https://pay.example/pay/story",
	}
	missed := open
	missed.Missed = true
	story := func(name, view, arabic, english string, shown page) Story {
		shown.View = view
		return Story{Name: name, When: web.Text{Arabic: arabic, English: english}, View: view, shown: shown}
	}
	return []Story{
		story("choose", "choose", "يصل الزبون إلى صفحة المصرف.", "The payer comes to the bank’s page.", open),
		story("choose-missed", "choose", "أُرسل النموذج دون الضغط على زر.", "The form was sent without a button.", missed),
		story("paid", "paid", "دُفع المبلغ.", "The amount was paid.", open),
		story("declined", "declined", "رُفض الدفع.", "The payment was declined.", open),
		story("left", "left", "غادر الزبون دون دفع.", "The payer left without paying.", open),
		story("not-found", "not-found", "لا دفع بهذا العنوان.", "There is no payment at this address.", page{}),
	}
}

// Page is the story's page as HTML.
func (s Story) Page(l web.Lang) ([]byte, error) {
	shown := s.shown
	shown.words = wordsFor(l.String(), "ar")
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, shown); err != nil {
		return nil, fmt.Errorf("render bank page %s: %w", s.Name, err)
	}
	return out.Bytes(), nil
}

// Stylesheet is the text of the bank's style sheet, which pages load as
// StylesheetPath.
func Stylesheet() string { return string(stylesheet) }

// StylesheetPath is where the bank serves its style sheet.
const StylesheetPath = "/bank.css"
