package main

// Relink returns a document's text with links to the given places.
func Relink(placed map[string]string, source, text string) string {
	return string(places(placed).relink(source, []byte(text)))
}
