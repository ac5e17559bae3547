// Package layout is what every page has in common: the frame around its content, the
// style sheet with the colours of a merchant, the scripts, the font and QR codes.
//
// Nothing here uses a database or the network, and nothing fails at run time: the
// embedded files are parsed at start, and a broken one stops the program there. Files
// that a page loads have addresses that change with their content, so browsers may
// cache them.
//
// Texts of a page belong to the package that owns the page. Only the few texts of
// the frame are kept here.
package layout
