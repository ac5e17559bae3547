// Package page writes the figures of the benchmark into a page of Markdown.
//
// The page is written by hand but for the parts between the markers
//
//	<!-- figures: NAME -->
//	<!-- end of figures -->
//
// of which each NAME occurs once. They, and the charts in the folder beside the
// page, follow from the kept figures alone: Render writes them anew, and a test
// holds the page to them, so that nobody changes a figure by hand. A page that
// lacks a marker, or has one that nobody knows, is an error and stays as it is.
package page
