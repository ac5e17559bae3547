// Package storybook collects every page that people see, in both languages and
// both colour schemes, without a database or a server behind them.
//
// It promises that a page in it is made by the code that serves customers, from a
// story of the package that owns the page; only the addresses of files are changed,
// so that the pages lead to each other, and the style sheet, which here follows the
// scheme that was asked for and not the reader's. Making the files fails only if a
// page does not render. Stories belong to the packages of the pages; a new kind of
// page is one more group here.
package storybook
