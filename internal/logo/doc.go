// Package logo makes of a file that a merchant uploads the pictures that pages show.
//
// # What it promises
//
// Nothing of the file itself is kept or served: its pixels are drawn anew by Go's own image
// libraries, so that metadata, and whatever else was hidden in it, stays behind. It takes PNG,
// JPEG and WebP, by their first bytes; no SVG, which is a program. Before pixels are decoded,
// the size that the file claims is held against MaxSide, and the decoders fail where the file
// has another: a small file cannot become a large picture. The scans of a JPEG are counted, because each
// goes through the whole picture: the worst file that we know takes half a second.
//
// A picture is shown as its file is: the orientation that cameras write into a JPEG (EXIF), and
// programs into PNG and WebP, is obeyed.
//
// Each picture has a ground of its own, so that it can be seen on light and dark pages: white,
// or dark under a logo that is light itself. An opaque logo brings its own.
//
// # When it fails
//
// Read returns ErrFormat, ErrLarge, ErrSmall, ErrBlank or ErrScans, which are about the file, and
// nothing else. It takes up to some 150 MB of memory while it decodes; callers bound how many do.
//
// All of it are functions of their arguments.
package logo
