// Package logo turns a file that a merchant uploads into the pictures that pages show.
//
// # What it promises
//
// Nothing of the file itself is kept or served: Go's image libraries decode its pixels and
// encode them again, so that metadata, and whatever else was hidden in it, is lost. It accepts
// PNG, JPEG and WebP, by their first bytes; no SVG, which is a program. Before pixels are decoded,
// the size that the file claims is compared with MaxSide, and the decoders fail if the file has
// another: a small file cannot become a large picture. The scans of a JPEG are counted, because
// each covers the whole picture: the worst file that we know takes half a second.
//
// The orientation that cameras write into a JPEG (EXIF), and programs into PNG and WebP, is
// applied.
//
// Each picture has an opaque background, so that it can be seen on light and dark pages: white,
// or dark for a logo that is light itself. An opaque logo keeps its own background.
//
// # When it fails
//
// Read returns ErrFormat, ErrLarge, ErrSmall, ErrBlank or ErrScans, which are about the file, and
// nothing else. It takes up to some 150 MB of memory while it decodes; callers bound how many do.
//
// All functions depend on their arguments only.
package logo
