package main

// Relink is the text of a document for where what is in the source is placed.
func Relink(placed map[string]string, source, text string) string {
	return string(places(placed).relink(source, []byte(text)))
}
