// Package receiptpicture draws the receipt of a payment as a picture, for customers whose browser
// can neither print nor share: those inside Facebook and Instagram.
//
// # What it promises
//
// Draw depends on its arguments only: the same receipt has the same bytes on one kind of processor.
// A picture is a PNG of Width pixels with at most as many lines as its texts may have, so it has a
// greatest size, and drawing it a greatest cost: most take 30 kB, 14 ms of a processor and 4 MB
// while they are drawn. Arabic letters are joined, and lines with words of both directions are
// ordered as browsers order them.
//
// A text may be any string. Longer ones than its lines hold end in an ellipsis, controls of the
// direction have no effect, and what the font lacks is replaced, or left out where it is an
// ornament.
//
// # When it fails
//
// Draw returns an error for an address that is too long for a QR code, and for nothing else.
//
// # Who owns what
//
// It has the font and no words: those come from package checkout. Nothing is kept between pictures.
// How many are drawn at once is the caller's to bound.
package receiptpicture
