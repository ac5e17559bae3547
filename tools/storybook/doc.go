// Package storybook contains every page that people see, in both languages and both colour
// schemes, without a database or a server.
//
// The code that serves customers makes these pages. Only three things differ: the addresses of
// files, so that the pages link to each other; the style sheet, which has the colour scheme of
// its folder and not the reader's; and form.js, which replaces the script with which an
// acquirer draws its form on our page. Making the files fails only if a page does not render.
//
// A story is a page in one of its states, with invented data. checkoutstories has those of the
// checkout, dashboardstories those of the dashboard, documentation.go those of the
// documentation, and bank.go those of the test bank. A new kind of page is a new group here.
package storybook
