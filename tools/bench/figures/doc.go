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
// measured apart and each say when, where and of which commit. Nothing here
// measures, and nothing here can fail but reading and writing a File.
package figures
