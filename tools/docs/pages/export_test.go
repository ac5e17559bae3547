package main

// Documents returns the files that must be in docs/site/documents.
func Documents(root string) (map[string][]byte, error) { return documents(root) }

// ReadReference parses a description of an API.
func ReadReference(document []byte) error {
	_, err := readReference(document)
	return err
}

// Texts are the words around the descriptions, by language.
var Texts = map[string]any{"ar": editions[0].words, "en": editions[1].words}
