package main

// Documents returns the texts that must be in docs/operate.
var Documents = documents
