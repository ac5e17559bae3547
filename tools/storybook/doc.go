// Package storybook collects every page that people see, in both languages and
// both colour schemes, without a database or a server behind them.
//
// It promises that a page in it is made by the code that serves customers. Only the
// addresses of files are changed, so that the pages lead to each other, and the style
// sheet, which here follows the scheme that was asked for and not the reader's; and
// form.js stands for the script with which an acquirer draws its form on our page. Making
// the files fails only if a page does not render.
//
// The pages are stories: what a page shows in one of its states, with made-up data. checkoutstories has those
// of the checkout, dashboardstories those of the dashboard, documentation.go those of the documentation, and
// bank.go those of the test bank. A new kind of page is one more group here.
package storybook
