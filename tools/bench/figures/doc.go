// Package figures is what a run of the benchmark is made of: what was measured,
// beside what, and whether it reached its mark.
//
// A Spec says what is measured and what it is held to. Each round adds a Result;
// Figure makes one figure of all of them: the median of the rounds, and for what
// is held to a reference the median of the rounds' ratios, because what else the
// machine does at a time meets both sides of a ratio. Of an even number of rounds
// the upper of the two in the middle is taken.
//
// A File is what is kept of the last runs, as JSON: the table and the growth are
// measured apart and each say when, where and of which commit. A page of Markdown
// shows a File between two markers, <!-- figures --> and <!-- end of figures -->; what
// stands around them is written by hand. A test holds docs/performance.md to its File,
// so that nobody changes a figure by hand.
//
// Nothing here measures. Reading and writing a File or a page can fail, the rest
// cannot.
package figures
