package main

// Pages are what is held to dashboard/view/documents.
func Pages(root string) (map[string][]byte, error) { return pages(root) }

// ReadReference reads a description of an API.
func ReadReference(document []byte) error {
	_, err := readReference(document)
	return err
}

// Texts are the words around the descriptions, by language.
var Texts = map[string]any{"ar": arabic, "en": english}
