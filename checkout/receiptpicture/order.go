package receiptpicture

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// split splits a text into runs of one direction, script and font.
//
// The library makes one run of a number that follows Arabic and of the Latin after it, because both
// go from left to right. But where the text as a whole does so too, the number belongs to the
// Arabic, and stands on its left: it becomes a separate run.
func (t *typesetter) split(in shaping.Input, bold bool) []shaping.Input {
	of := t.regular
	if bold {
		of = t.bold
	}
	var runs []shaping.Input
	for _, run := range t.segments.Split(in, of) {
		end := numberEnd(in, run, runs)
		if run.RunStart < end && end < run.RunEnd {
			number := run
			number.RunEnd, run.RunStart = end, end
			runs = append(runs, number)
		}
		runs = append(runs, run)
	}
	return runs
}

// numberEnd is the end of the number with which a run begins and which belongs to the Arabic before
// it; the run's start if there is none.
func numberEnd(in, run shaping.Input, before []shaping.Input) int {
	end := run.RunStart
	if in.Direction == di.DirectionRTL || run.Direction == di.DirectionRTL || len(before) == 0 ||
		before[len(before)-1].Direction != di.DirectionRTL {
		return end
	}
	isDigit := func(n int) bool { return n < run.RunEnd && unicode.IsDigit(in.Text[n]) }
	for isDigit(end) || end > run.RunStart && isDigit(end+1) && slices.Contains([]rune(".,:/"), in.Text[end]) {
		end++
	}
	return end
}

// level is the embedding level of a run in the Unicode bidirectional algorithm.
func level(in, run shaping.Input, before []shaping.Input) int {
	switch {
	case run.Direction == di.DirectionRTL:
		return 1
	case in.Direction == di.DirectionRTL, numberEnd(in, run, before) > run.RunStart:
		return 2
	}
	return 0
}

// line is a line of glyphs from left to right.
type line struct {
	runs  []shaping.Output
	width int
}

// newLine puts the runs of a line into the order in which they are seen: rule L2 of the algorithm.
// levels are those of the text's letters.
func newLine(runs []shaping.Output, levels []int) line {
	l := line{runs: slices.Clone(runs)}
	of := func(r shaping.Output) int { return levels[r.Runes.Offset] }
	for least := 2; least > 0; least-- {
		for n := 0; n < len(l.runs); n++ {
			end := n
			for end < len(l.runs) && of(l.runs[end]) >= least {
				end++
			}
			slices.Reverse(l.runs[n:end])
			n = end
		}
	}
	var width fixed.Int26_6
	for _, r := range l.runs {
		width += r.Advance
	}
	l.width = width.Ceil()
	return l
}
