// Package web holds what every page and every part of the server shares: the two
// languages, the style sheet, the frame around a page's content, the way amounts,
// times and phone numbers are written for people, the headers that protect a page,
// and what each part does with a request before its handlers (Part).
//
// It promises that the same value is written the same way on every page: amounts
// with Latin digits and three decimals in one bidi isolate, times in Tripoli, words
// in both languages. Texts and formats are pure functions of their arguments. Nothing
// here uses a database or the network, and nothing fails at run time: the embedded
// files are parsed at start, and a broken one stops the program there. A handler that
// panics is logged and answered.
//
// Texts of a page belong to the package that owns the page. Only the few texts of
// the frame are kept here.
package web
