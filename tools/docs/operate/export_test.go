package main

// Documents is what is held to docs/operate.
var Documents = documents
