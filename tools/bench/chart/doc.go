// Package chart draws lines and bars as SVG, for a page that is read on light and
// on dark ground, without scripts and without fonts of its own.
//
// It draws what it is given and cannot fail: a chart without values is an empty
// frame. The same values give the same bytes, so that a test can hold a file to
// its figures.
package chart
