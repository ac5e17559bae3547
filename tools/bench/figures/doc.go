// Package figures holds the results of benchmark runs: what was measured, its reference,
// and whether it reached its marks.
//
// A Spec defines a measurement and its marks. Each round adds a Result; Figure makes one
// figure of all of them: the median of the rounds and, if there is a reference, the median
// of the rounds' ratios, because other load of the machine affects both sides of a ratio.
// The median of an even number of rounds is the upper of the two in the middle.
//
// A File keeps the last runs as JSON. It is printed for a terminal, or shown by a page of
// Markdown between two markers, <!-- figures --> and <!-- end of figures -->; the text around
// them is written by hand. A test compares docs/performance.md with its File, so that figures
// are never changed by hand.
//
// Nothing here measures. Only reading and writing a File or a page can fail.
package figures
