// Package locale has the two languages of every page, and how values are written in them
// for people: amounts in figures and in words, times of Tripoli, spans, telephone numbers,
// a merchant's own text. A text is one entry with both languages: say("نعم", "yes"), by Say, or a
// Text. It also reads what people type: digits, codes and numbers.
//
// It promises that the same value is written the same way on every page: amounts
// with Latin digits and three decimals in one bidi isolate, times in Tripoli, words
// in both languages. Everything is a pure function of its arguments, and nothing fails.
package locale
