// Package web holds what every page of the service shares: the two languages,
// the style sheet, the headers that protect a page, the frame around its content,
// and the way amounts, times and phone numbers are written for people.
//
// It promises that the same value is written the same way on every page: amounts
// with Latin digits and three decimals in one bidi isolate, times in Tripoli, words
// in both languages. All of it is a pure function of its arguments; nothing here
// reads a clock, a database or the network, and nothing fails at run time: the
// embedded files are parsed at start, and a broken one stops the program there.
//
// Texts of a page belong to the package that owns the page. Only the few texts of
// the frame are kept here.
package web
